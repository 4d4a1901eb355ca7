// Everything by keyboard.

import { by, el } from "./dom.js";
import { change, redo, state, undo } from "./state.js";

const HELP = [
  ["/", "find a variable"],
  ["arrows", "move the selection to a variable in that direction"],
  ["1 \u2026 9", "set the state of the selected variable; 0 clears it"],
  ["\u2190 \u2192 on a bar", "soft evidence: lower or raise its likelihood"],
  ["p", "pin the selected variable as a target"],
  ["i", "switch between observing and do()"],
  ["w  n  b  v", "whole network, neighbours (again: further), Markov blanket, path"],
  ["d", "tree decomposition"],
  ["e  a  r  x", "panels: evidence, insight, rows, export"],
  ["f  +  \u2212", "fit, zoom in, zoom out"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
  ["Esc", "clear the selection"],
];

/** Wire the keyboard. */
export function keyboard(model, act, graph) {
  const help = by("help");
  help.append(el("h2", { text: "Keyboard" }), el("dl", {}, ...HELP.flatMap(([key, meaning]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text: meaning })])),
    el("form", { method: "dialog" }, el("button", { text: "Close" })));
  by("help-open").onclick = () => help.showModal();
  const tab = (name) => () => change({ tab: name });
  const plain = {
    "/": () => by("search").focus(),
    "?": () => help.showModal(),
    w: () => act.view("whole"),
    n: () => act.view("neighbourhood"),
    b: () => act.view("blanket"),
    v: () => act.view("path"),
    d: () => by("tree").click(),
    f: () => graph.fit(),
    "+": () => graph.zoom(1.3),
    "=": () => graph.zoom(1.3),
    "-": () => graph.zoom(1 / 1.3),
    p: () => state().selected !== null && act.pin(state().selected),
    i: () => /** @type {HTMLElement | null} */ (document.querySelector(".node-card .do"))?.click(),
    e: tab("evidence"),
    a: tab("insight"),
    r: () => model.rows !== null && change({ tab: "rows" }),
    x: tab("export"),
    Escape: () => change({ selected: null }),
    ArrowLeft: () => graph.go(-1, 0),
    ArrowRight: () => graph.go(1, 0),
    ArrowUp: () => graph.go(0, -1),
    ArrowDown: () => graph.go(0, 1),
  };
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, textarea, select, dialog")) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      (key === "y" || event.shiftKey ? redo : undo)();
      return;
    }
    if (event.altKey) return;
    if (event.key.startsWith("Arrow") && target.closest("[role=tablist], #bag-canvas, .row-list")) return;
    if (/^[0-9]$/.test(event.key)) digit(Number(event.key));
    else if (plain[event.key]) {
      event.preventDefault();
      plain[event.key]();
    }
  });

  function digit(number) {
    const name = state().selected;
    if (name === null) return;
    if (number === 0) act.clear(name);
    else if (number <= model.variables[model.index.get(name)].states.length) act.set(name, number - 1);
  }
}
