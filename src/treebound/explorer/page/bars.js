// A state as a bar: the prior behind the posterior. A click sets it, a drag gives it a likelihood.

import { clean, el } from "./dom.js";
import { of, percent } from "./model.js";

const MOST_STATES = 300;
const STEP = 0.05;

/** A state in words. */
export function labelOf(label, after, before) {
  return `${clean(label)}, ${percent(after)} percent, before evidence ${percent(before)} percent`;
}

/** Let an element take clicks and drags: `box` is where a likelihood of 0 begins and one of 1 ends. */
export function draggable(node, box, variable, code, act) {
  let start = null;
  let isDrag = false;
  const likelihood = (event) => {
    const { left, width } = box();
    return Math.min(Math.max((event.clientX - left) / width, 0), 1);
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    start = event;
    isDrag = false;
  });
  node.addEventListener("pointermove", (event) => {
    if (!start) return;
    if (!isDrag && Math.abs(event.clientX - start.clientX) < 5) return;
    if (!isDrag) {
      node.setPointerCapture(event.pointerId);
      act.begin(variable.name);
    }
    isDrag = true;
    act.soft(variable.name, code, likelihood(event));
  });
  node.addEventListener("pointerup", () => {
    if (isDrag) act.end();
    start = null;
  });
  node.addEventListener("pointercancel", () => {
    start = null;
  });
  node.addEventListener("click", (event) => {
    event.stopPropagation();
    if (!isDrag) act.set(variable.name, code);
    isDrag = false;
  });
  node.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act.nudge(variable.name, code, way);
  });
}

/** The states of a variable as a list of bars. */
export function barList(model, v, act) {
  const variable = model.variables[v];
  const rows = variable.states.slice(0, MOST_STATES).map((label, code) => barRow(model, v, label, code, act));
  const more = variable.states.length - rows.length;
  const note = more > 0 ? el("p", { class: "quiet", text: `and ${more} more states` }) : null;
  const node = el("div", { class: "bars", role: "group", "aria-label": `States of ${clean(variable.name)}` }, ...rows.map((row) => row.node), note);
  return { node, paint: (state) => rows.forEach((row) => row.paint(state)) };
}

function barRow(model, v, label, code, act) {
  const variable = model.variables[v];
  const [prior, now, mark] = [el("span", { class: "prior" }), el("span", { class: "now" }), el("span", { class: "mark", hidden: true })];
  const track = el("span", { class: "track" }, prior, now, mark);
  const share = el("span", { class: "share" });
  const node = el("button", { class: "state", type: "button", "data-drag": "", "data-code": code },
    el("bdi", { class: "label", text: clean(label), title: clean(label) }), track, share);
  draggable(node, () => track.getBoundingClientRect(), variable, code, act);
  return {
    node,
    paint(state) {
      const [after, before] = [of(model, model.now, v)[code], of(model, model.prior, v)[code]];
      const finding = state.evidence[variable.name];
      now.style.width = `${100 * after}%`;
      prior.style.width = `${100 * before}%`;
      share.textContent = percent(after);
      node.dataset.share = after;
      const isSet = finding === code || state.do[variable.name] === code;
      node.setAttribute("aria-pressed", isSet);
      node.classList.toggle("done", state.do[variable.name] === code);
      node.setAttribute("aria-label", labelOf(label, after, before) + (Array.isArray(finding) ? `, likelihood ${finding[code].toFixed(2)}` : ""));
      mark.hidden = !Array.isArray(finding);
      if (Array.isArray(finding)) mark.style.left = `${100 * finding[code] / Math.max(1, ...finding)}%`;
    },
  };
}
