// Light and dark: as the system says, until the user chooses. Canvases take their colours from the styles.

import { by } from "./dom.js";

const KEY = "treebound-theme";

function probe(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function numbers(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/** Colours for canvases and WebGL. */
export function palette() {
  const isDark = probe("--dark") === "1";
  return {
    ink: probe("--ink"), soft: probe("--soft"), paper: probe("--paper"), arrow: probe("--arc"),
    accentInk: probe("--accent"), knownInk: probe("--known"), doneInk: probe("--done"), bagInk: probe("--bag"),
    accent: numbers(probe("--accent")), known: numbers(probe("--known")), done: numbers(probe("--done")),
    arc: numbers(probe("--arc")), rim: numbers(probe("--paper")).map((one) => one / 255),
    bagFill: (share) => `hsl(${210 - 20 * share} ${30 + 30 * share}% ${isDark ? 35 + 30 * share : 78 - 40 * share}%)`,
  };
}

/** Wire the switch; `onchange` after every change. */
export function themeSwitch(onchange) {
  const root = document.documentElement;
  const chosen = localStorage.getItem(KEY);
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onchange);
  by("theme").onclick = () => {
    const next = probe("--dark") === "1" ? "light" : "dark";
    root.dataset.theme = next;
    localStorage.setItem(KEY, next);
    onchange();
  };
}
