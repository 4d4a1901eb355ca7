// The panel of evidence: what is known, how probable it is, and the bars of selected and pinned variables.

import { barList } from "./bars.js";
import { by, clean, el, short } from "./dom.js";
import { best, of, percent, spelled } from "./model.js";
import { change } from "./state.js";

const MOST_CHIPS = 40;
const MANY_STATES = 6; // from here on, typing is quicker than finding a bar

/** The panel; `paint(state)` after every change or answer. */
export function evidencePanel(model, act) {
  const chips = el("div", { class: "chips", id: "chips" });
  const facts = el("p", { class: "quiet", id: "evidence-facts" });
  const notes = el("div", { id: "do-notes" });
  const list = el("div", { id: "node-cards" });
  by("pane-evidence").append(chips, facts, notes, list);
  let shown = null;

  function paint(state) {
    paintChips(model, act, state, chips);
    facts.textContent = model.problem ?? factsOf(model, state);
    facts.className = model.problem === null ? "quiet" : "note warn";
    // Bars that do not belong to the evidence stay, but pale.
    document.body.classList.toggle("stale", model.problem !== null);
    notes.replaceChildren(...uncertain(model, state));
    const names = [...new Set([state.selected, ...state.targets].filter((name) => name !== null))];
    if (shown?.map((one) => one.name).join("\u0000") !== names.join("\u0000")) {
      const kept = new Map((shown ?? []).map((one) => [one.name, one]));
      shown = names.map((name) => kept.get(name) ?? nodeCard(model, name, act));
      list.replaceChildren(...(shown.length ? shown.map((one) => one.node) : [hint(model)]));
    }
    for (const one of shown) one.paint(state);
  }
  return { paint };
}

function hint(model) {
  const big = model.count > 80;
  return el("p", { class: "hint", text: big
    ? "Click a dot, or press / and type a name. Then click a state to set it: all probabilities follow, exactly."
    : "Click a state on a card to set it: all probabilities follow, exactly. Drag along a bar for soft evidence." });
}

function factsOf(model, state) {
  const known = Object.keys(state.evidence).length + (state.row === null ? 0 : 1);
  if (!known) return "No evidence. Bars show the prior.";
  const log = model.answer.logProbability;
  return `Probability of the evidence: ${spelled(log)} (log ${log.toFixed(3)})`;
}

function finding(model, name, value) {
  const states = model.variables[model.index.get(name)].states;
  if (!Array.isArray(value)) return `= ${short(states[value], 24)}`;
  const isList = value.every((one) => one === 0 || one === 1);
  return isList ? `in ${short(states.filter((_, code) => value[code]).join(", "), 24)}` : `~ ${short(states[best(value)], 20)}`;
}

function paintChips(model, act, state, chips) {
  const chip = (name, value, kind) => el("span", { class: `chip ${kind}` },
    el("button", { class: "chip-name", onclick: () => act.select(name) },
      kind === "done" ? "do " : null, el("bdi", { text: short(name, 24) }), ` ${finding(model, name, value)}`),
    el("button", { class: "chip-x", "aria-label": `Remove ${clean(name)}`, text: "\u00d7", onclick: () => act.clear(name) }));
  const row = state.row === null ? [] : [el("span", { class: "chip row" },
    el("button", { class: "chip-name", text: `row ${state.row}`, onclick: () => change({ tab: "rows" }) }),
    el("button", { class: "chip-x", "aria-label": "Remove the row", text: "\u00d7", onclick: () => change({ row: null }) }))];
  const known = Object.entries(state.evidence);
  const all = [...row, ...Object.entries(state.do).map(([name, code]) => chip(name, code, "done")),
    ...known.slice(0, MOST_CHIPS).map(([name, value]) => chip(name, value, "known"))];
  if (known.length > MOST_CHIPS) all.push(el("span", { class: "quiet", text: `and ${known.length - MOST_CHIPS} more` }));
  if (all.length) all.push(el("button", { class: "plain", id: "clear-all", text: "Clear all", onclick: () => act.clearAll() }));
  chips.replaceChildren(...all);
}

/** Interventions depend on the direction of arcs, which rows do not always decide. */
function uncertain(model, state) {
  if (!Object.keys(state.do).length) return [];
  const arcs = model.answer.uncertain;
  if (!arcs.length) {
    return [el("p", { class: "note good", text: "The result of do() follows from the equivalence class of the network: no arc that matters could point the other way." })];
  }
  const names = arcs.slice(0, 5).map(([a, b]) => `${clean(a)} \u2192 ${clean(b)}`).join(", ");
  const more = arcs.length > 5 ? ` and ${arcs.length - 5} more` : "";
  return [el("p", { class: "note warn", text: `The result of do() depends on arcs that could point the other way with the same score: ${names}${more}.` })];
}

function nodeCard(model, name, act) {
  const v = model.index.get(name);
  const variable = model.variables[v];
  const bars = barList(model, v, act);
  const pin = el("button", { class: "plain pin", title: "Keep in sight as a target (p)", onclick: () => act.pin(name) }, "Pin");
  const doing = el("button", { class: "plain do", title: "Clicks intervene instead of observe", onclick: () => {
    act.isDoing = !act.isDoing;
    change({ selected: name });
    document.body.classList.toggle("doing", act.isDoing);
  } }, "do");
  const erase = el("button", { class: "plain", title: "Remove the evidence on this variable (0)", onclick: () => act.clear(name) }, "Clear");
  const summary = el("p", { class: "quiet" });
  const node = el("section", { class: "node-card", "data-name": name, "aria-label": clean(name) },
    el("div", { class: "node-head" }, el("h2", {}, el("bdi", { text: clean(name) })), doing, pin, erase),
    summary, bars.node, variable.numeric || variable.states.length > MANY_STATES ? typed(variable, act) : null);
  return {
    name,
    node,
    paint(state) {
      bars.paint(state);
      pin.setAttribute("aria-pressed", state.targets.includes(name));
      doing.setAttribute("aria-pressed", act.isDoing);
      erase.hidden = !(name in state.evidence) && !(name in state.do);
      node.classList.toggle("known", name in state.evidence);
      node.classList.toggle("done", name in state.do);
      const shares = of(model, model.now, v);
      const top = best(shares);
      const parents = model.near[v].length;
      const kind = variable.hidden ? "hidden variable \u00b7 " : "";
      summary.textContent = `${kind}${clean(variable.states[top])} ${percent(shares[top])} % \u00b7 ${parents} ${parents === 1 ? "arc" : "arcs"}`;
    },
  };
}

/** A field for typed evidence: a number, which falls into a bin, a range, a list, or likelihoods. */
function typed(variable, act) {
  const example = variable.range ? `number or range, ${variable.range[0]}..${variable.range[1]}` : variable.numeric ? "number" : "state";
  const input = el("input", { type: "text", class: "typed", "aria-label": `Value of ${clean(variable.name)}`, placeholder: example,
    title: "A state or number, a range such as 20..30 or 65.., a list such as a,b, or likelihoods such as a:0.9,b:0.2" });
  return el("form", { class: "typed-form", onsubmit: (event) => {
    event.preventDefault();
    if (input.value.trim()) act.type(variable.name, input.value.trim());
    input.value = "";
  } }, input, el("button", { type: "submit", text: "Set" }));
}
