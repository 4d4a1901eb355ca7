// Why a posterior is what it is, what to observe next, and the most probable explanation of everything.

import { ask, latest } from "./api.js";
import { by, clean, el } from "./dom.js";
import { best, milliseconds, of, percent, spelled } from "./model.js";

const MOST_LISTED = 400;

/** The panel; it asks the server only while it is shown. */
export function insightPanel(model, act, caseOf) {
  const pane = by("pane-insight");
  const [why, next, most] = ["why", "next", "most"].map((id) => el("section", { id: `insight-${id}`, class: "insight" }));
  pane.append(why, next, most);
  const refresh = latest(async (state) => {
    const target = state.targets.find((name) => !(name in state.evidence)) ?? state.selected;
    await Promise.all([
      section(why, () => whyOf(model, target, caseOf(state), state)),
      section(next, () => nextOf(target, caseOf(state), act)),
      section(most, () => mostOf(model, caseOf(state), state, act)),
    ]);
  });
  return { paint: (state) => state.tab === "insight" && refresh(state) };
}

const PATIENCE = 250; // milliseconds before the panel says that it waits

async function section(box, work) {
  const timer = setTimeout(() => box.replaceChildren(el("p", { class: "hint", text: "Computing" })), PATIENCE);
  try {
    box.replaceChildren(...(await work()));
  } catch (error) {
    box.replaceChildren(el("p", { class: "note warn", text: error.message }));
  } finally {
    clearTimeout(timer);
  }
}

const title = (text, quiet) => el("h2", {}, text, quiet ? el("span", { class: "quiet", text: ` ${quiet}` }) : null);

async function whyOf(model, target, body, state) {
  if (target === null) return [title("Why"), el("p", { class: "hint", text: "Select or pin a variable to see which evidence moves it." })];
  const variable = model.variables[model.index.get(target)];
  const head = title("Why", clean(target));
  if (target in state.evidence || target in state.do) return [head, el("p", { class: "hint", text: "This variable is set. Select or pin another one." })];
  const found = await ask("explain", { ...body, target });
  // The state that the evidence raises most is what needs an explanation.
  const top = best(found.posterior.map((share, code) => share - found.prior[code]));
  const change = `P(${clean(target)} = ${clean(variable.states[top])}): ${percent(found.prior[top])} % before, ${percent(found.posterior[top])} % now`;
  const rows = found.steps.map((one, i) => {
    const delta = one.after[top] - (i ? found.steps[i - 1].after : found.prior)[top];
    const bar = el("span", { class: delta < 0 ? "delta down" : "delta up" });
    bar.style.width = `${50 * Math.min(Math.abs(delta), 1)}%`;
    return el("li", {}, el("bdi", { class: "label", text: clean(one.finding) }), el("span", { class: "balance" }, bar),
      el("span", { class: "share", text: `${delta < 0 ? "\u2212" : "+"}${(100 * Math.abs(delta)).toFixed(1)}` }));
  });
  const none = rows.length ? null : el("p", { class: "hint", text: "No evidence yet." });
  return [head, el("p", { text: change }), none, el("ul", { class: "deltas", "aria-label": "What each finding adds to those above it, in percentage points" }, ...rows)].filter(Boolean);
}

async function nextOf(target, body, act) {
  if (target === null) return [];
  const found = await ask("next", { ...body, target });
  const strongest = Math.max(...found.values.map((one) => one.share), 1e-12);
  const rows = found.values.filter((one) => one.information > 1e-9).slice(0, 12).map((one) => {
    const bar = el("span", { class: "now" });
    bar.style.width = `${100 * one.share / strongest}%`;
    return el("li", {}, el("button", { class: "state", title: `${one.information.toFixed(5)} nats`, onclick: () => act.select(one.variable) },
      el("bdi", { class: "label", text: clean(one.variable) }), el("span", { class: "track" }, bar), el("span", { class: "share", text: `${percent(one.share)}` })));
  });
  const words = rows.length ? `Expected reduction of the entropy of ${clean(target)}, in percent. Exact, ${milliseconds(found.milliseconds)} ms.`
    : `No other variable is informative about ${clean(target)}.`;
  return [title("What to observe next"), el("p", { class: "quiet", text: words }), el("ul", { class: "bars" }, ...rows)];
}

async function mostOf(model, body, state, act) {
  const found = await ask("most_probable", body);
  const codes = found.codes;
  // Those that differ from their most probable prior state come first.
  const order = [...codes.keys()].sort((a, b) => differs(model, b, codes) - differs(model, a, codes) || a - b);
  const rows = order.filter((v) => !(model.variables[v].name in state.evidence)).slice(0, MOST_LISTED).map((v) =>
    el("tr", { class: differs(model, v, codes) ? "differs" : "" },
      el("th", {}, el("button", { class: "plain", onclick: () => act.select(model.variables[v].name) }, el("bdi", { text: clean(model.variables[v].name) }))),
      el("td", { text: clean(model.variables[v].states[codes[v]]) })));
  const more = codes.length > MOST_LISTED ? [el("p", { class: "quiet", text: `${codes.length - MOST_LISTED} more variables` })] : [];
  return [title("Most probable explanation"),
    el("p", { class: "quiet", text: `Probability ${spelled(found.log_probability)} given the evidence, ${milliseconds(found.milliseconds)} ms. Bold: not the most probable state without evidence.` }),
    el("table", { class: "facts", id: "mpe" }, el("tbody", {}, ...rows)), ...more];
}

const differs = (model, v, codes) => Number(best(of(model, model.prior, v)) !== codes[v]);
