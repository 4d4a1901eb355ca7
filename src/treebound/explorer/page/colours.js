// Colours of variables: by community, by entropy, by how far evidence moved them.

import { by, el } from "./dom.js";
import { entropy, moved, of } from "./model.js";

// Muted colours of similar lightness, taken in turn by the communities; those of one or two variables are grey.
const GROUPS = ["#4c86c6", "#d98a4e", "#58a879", "#b376b8", "#c9a53f", "#4fa9b3", "#d3738a", "#8b87cf", "#8fa554", "#b08968"];
const REST = "#93a0ad";
const RAMP = ["#31508c", "#2f7aa0", "#2fa08a", "#7fbf5f", "#f0d34a"]; // low to high
const HEAT = ["#a9b6c4", "#8fb0cf", "#e8b35a", "#df7a37", "#b8322a"]; // little to much

const SHADES = new Map();

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const tables = new Map([RAMP, HEAT].map((stops) => [stops, stops.map(rgb)]));

function table(group) {
  if (!SHADES.has(group)) SHADES.set(group, rgb(GROUPS[group] ?? REST));
  return SHADES.get(group);
}

function sizesOf(model) {
  const sizes = [];
  for (const group of model.communities) sizes[group] = (sizes[group] ?? 0) + 1;
  return sizes;
}

function along(stops, share) {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  const [low, high] = [tables.get(stops)[i], tables.get(stops)[i + 1]];
  return low.map((value, k) => Math.round(value + (at - i) * (high[k] - value)));
}

const modeOf = (state) => {
  if (state.colour !== "auto") return state.colour;
  const known = Object.keys(state.evidence).length + Object.keys(state.do).length > 0 || state.row !== null;
  return known ? "moved" : "community";
};

/** A function from a variable to its colour, three numbers. */
export function colouring(model, state) {
  const mode = modeOf(state);
  if (mode === "entropy") return (v) => along(RAMP, entropy(of(model, model.now, v)));
  if (mode === "moved") {
    // The root spreads small moves, which would all look the same.
    return (v) => along(HEAT, Math.sqrt(moved(of(model, model.now, v), of(model, model.prior, v)) / 1.5));
  }
  const sizes = sizesOf(model);
  return (v) => table(sizes[model.communities[v]] > 2 ? model.communities[v] % GROUPS.length : -1);
}

export const css = ([r, g, b]) => `rgb(${r} ${g} ${b})`;

/** Explain the colours in a corner of the drawing. */
export function legend(model, state) {
  const mode = modeOf(state);
  const words = {
    entropy: ["certain", "uncertain", "Entropy", RAMP],
    moved: ["unmoved", "far", "Moved by evidence (KL)", HEAT],
  }[mode];
  const box = by("legend");
  if (!words) {
    const groups = sizesOf(model).filter((size) => size > 2).length;
    const dots = GROUPS.slice(0, groups).map((colour) => dot(colour));
    box.replaceChildren(el("span", { class: "legend-name", text: `Communities: ${groups}` }), ...dots, ...latent(model));
    return;
  }
  const [low, high, name, stops] = words;
  const ramp = el("span", { class: "ramp" });
  ramp.style.background = `linear-gradient(90deg, ${stops.join(",")})`;
  box.replaceChildren(el("span", { class: "legend-name", text: name }), el("span", { text: low }), ramp,
    el("span", { text: high }), ...latent(model));
}

/** What dashed outlines mean, where there are some. */
function latent(model) {
  if (!model.latent.length) return [];
  return [el("span", { class: "dot latent" }), el("span", { id: "legend-latent", text: "hidden variable" })];
}

function dot(colour) {
  const one = el("span", { class: "dot" });
  one.style.background = colour;
  return one;
}
