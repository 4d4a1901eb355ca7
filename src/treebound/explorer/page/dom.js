// Small helpers around the document. Text from the network goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

// Control and formatting characters would reorder or hide what is around them; the joiner of emoji may stay.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

/** A name or label as it is shown: on one line, every character visible. */
export function clean(text) {
  return String(text).replace(/\s+/g, " ").replace(UNSEEN, (sign) => (sign === "\u200d" ? sign : "\ufffd"));
}

/** The same, cut to a number of characters. */
export function short(text, most) {
  const signs = [...clean(text)];
  return signs.length <= most ? signs.join("") : `${signs.slice(0, most - 1).join("")}\u2026`;
}

const pen = document.createElement("canvas").getContext("2d");

/** The same, cut to a number of pixels in a font. */
export function fitted(text, pixels, font) {
  pen.font = font;
  let signs = [...clean(text)];
  if (pen.measureText(signs.join("")).width <= pixels) return signs.join("");
  while (signs.length > 1 && pen.measureText(`${signs.join("")}\u2026`).width > pixels) signs = signs.slice(0, -1);
  return `${signs.join("")}\u2026`;
}

/** The element with an id, of whatever kind the page has it. @returns {any} */
export const by = (id) => document.getElementById(id);

function made(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** An element of the page; `on…` are listeners, `text` its text. */
export function el(tag, attributes = {}, ...children) {
  return made(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function svg(tag, attributes = {}, ...children) {
  return made(document.createElementNS(SVG, tag), attributes, children);
}

/** Words for those who listen to the page. */
export function say(words) {
  by("live").textContent = words;
}

/** Hand the user a file. */
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
