// The link: the token and the state of the page, both behind the #, which browsers send to no server.

const WAIT = 150; // milliseconds

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

let pending = null;
let timer = 0;

/** Write what is pending into the link now. */
export function writeLink() {
  clearTimeout(timer);
  if (pending === null) return;
  // JSON escapes what base64 cannot take once all characters are ASCII.
  const plain = JSON.stringify(pending).replace(/[\u0080-\uffff]/g, (character) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const view = btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  history.replaceState(null, "", `#${new URLSearchParams({ token: token(), view })}`);
  pending = null;
  document.body.dataset.link = "written";
}

/** Keep a state in the link, a moment later: browsers limit how often a link may change, and a drag changes much. */
export function keep(state) {
  pending = state;
  document.body.dataset.link = "pending";
  clearTimeout(timer);
  timer = setTimeout(writeLink, WAIT);
}

window.addEventListener("pagehide", writeLink);
