// The link: the token and the state of the page, both behind the #, which browsers send to no server.

const parts = () => new URLSearchParams(location.hash.slice(1));

export const token = () => parts().get("token") ?? "";

/** The state that the link holds, null if there is none or it cannot be read. */
export function linked() {
  const text = parts().get("view");
  if (!text) return null;
  try {
    const state = JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/")));
    return state && typeof state === "object" ? state : null;
  } catch {
    return null;
  }
}

/** Keep a state in the link. JSON escapes what base64 cannot take once all signs are ASCII. */
export function keep(state) {
  const plain = JSON.stringify(state).replace(/[\u0080-\uffff]/g, (sign) =>
    `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const view = btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  history.replaceState(null, "", `#${new URLSearchParams({ token: token(), view })}`);
}
