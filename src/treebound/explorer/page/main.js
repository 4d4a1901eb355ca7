// The page begins here: load the network, connect the parts, ask for probabilities whenever evidence changes.

import { actionsOn } from "./actions.js";
import { answersOn } from "./answers.js";
import { ask } from "./api.js";
import { bagsView } from "./bags.js";
import { by, clean, el, say } from "./dom.js";
import { evidencePanel } from "./evidence.js";
import { exportPanel } from "./export.js";
import { graphOn } from "./graph.js";
import { insightPanel } from "./insight.js";
import { keyboard } from "./keys.js";
import { best, milliseconds, modelOf, of, percent, spelled } from "./model.js";
import { rowsPanel } from "./rows.js";
import { searchBox } from "./search.js";
import { begin, canRedo, canUndo, change, listen, redo, state, undo } from "./state.js";
import { palette, themeSwitch } from "./theme.js";

const ASKED = ["evidence", "do", "row", "targets"];

/** What the server needs to know of the state. */
const caseOf = (now) => ({ evidence: now.evidence, do: now.do, row: now.row, targets: now.targets });

let noticeTimer = 0;

/** A passing message above the drawing; null takes nothing away. */
function notify(text) {
  if (text === null) return;
  const box = by("notice");
  box.textContent = text;
  box.hidden = false;
  say(text);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    box.hidden = true;
  }, 7000);
}

/** A state from a link, less what this network does not have. */
function fitting(model) {
  const has = (name) => model.index.has(name);
  const states = (name) => model.variables[model.index.get(name)].states.length;
  const isCode = (name, value) => Number.isInteger(value) && value >= 0 && value < states(name);
  const isFinding = (name, value) => isCode(name, value)
    || (Array.isArray(value) && value.length === states(name) && value.every((one) => typeof one === "number" && one >= 0));
  const kept = (mapping, fits) => Object.fromEntries(Object.entries(mapping ?? {}).filter(([name, value]) => has(name) && fits(name, value)));
  return (one) => ({
    evidence: kept(one.evidence, isFinding),
    do: kept(one.do, isCode),
    targets: Array.isArray(one.targets) ? one.targets.filter(has) : [],
    row: Number.isInteger(one.row) && model.rows !== null && one.row >= 0 && one.row < model.rows ? one.row : null,
    view: Array.isArray(one.view?.names) && one.view.names.every(has)
      ? { kind: String(one.view.kind), names: one.view.names, distance: Math.min(Math.max(Math.round(one.view.distance) || 1, 1), 4) }
      : { kind: "auto", names: [], distance: 1 },
    selected: has(one.selected) ? one.selected : null,
    colour: ["auto", "community", "entropy", "moved"].includes(one.colour) ? one.colour : "auto",
    tree: one.tree === true,
    tab: ["evidence", "insight", "rows", "export"].includes(one.tab) && !(one.tab === "rows" && model.rows === null) ? one.tab : "evidence",
  });
}

function status(model, onScreen) {
  const { facts, answer } = model;
  const part = (name, value, title) => el("span", { title }, el("span", { class: "quiet", text: `${name} ` }), el("b", { text: value }));
  const count = (number) => number.toLocaleString("en");
  by("status").replaceChildren(
    part("variables", count(facts.variables)), part("arcs", count(facts.arcs)),
    part("treewidth \u2264", `${facts.treewidth}`, "The tree decomposition proves it"),
    part("junction tree", `width ${facts.width}, ${count(Math.round(facts.cells))} cells, ${facts.memory}`, "What an exact query looks at, and the memory for tables and messages"),
    ...(answer.milliseconds === null ? [] : [part("answer", `${milliseconds(answer.milliseconds)} ms`, "All marginals, computed exactly by the server")]),
    ...(onScreen === null ? [] : [part("on screen", `${milliseconds(onScreen)} ms`, "From the click to all bars moved")]),
    ...(model.problem === null && (Object.keys(state().evidence).length || state().row !== null) ? [part("P(evidence)", spelled(answer.logProbability))] : []));
}

function spoken(model, now) {
  const name = now.targets[0] ?? now.selected;
  if (name === null) return;
  const v = model.index.get(name);
  const shares = of(model, model.now, v);
  const top = best(shares);
  say(`${clean(name)}: ${clean(model.variables[v].states[top])} ${percent(shares[top])} percent`);
}

function tabs() {
  const names = ["evidence", "insight", "rows", "export"];
  for (const name of names) by(`tab-${name}`).onclick = () => change({ tab: name });
  by("tabs").addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    const shown = names.filter((name) => !by(`tab-${name}`).hidden);
    const next = shown[(shown.indexOf(state().tab) + way + shown.length) % shown.length];
    change({ tab: next });
    by(`tab-${next}`).focus();
  });
  return (now) => {
    for (const name of names) {
      by(`tab-${name}`).setAttribute("aria-selected", String(now.tab === name));
      by(`tab-${name}`).tabIndex = now.tab === name ? 0 : -1;
      by(`pane-${name}`).hidden = now.tab !== name;
    }
  };
}

async function start() {
  const model = modelOf(await ask("graph"));
  by("wait").remove();
  by("title").textContent = clean(model.name.replace(/^.*[\\/]/, ""));
  document.title = `${clean(model.name.replace(/^.*[\\/]/, ""))} \u2013 treebound explorer`;
  const act = actionsOn(model, notify);
  const graph = graphOn(model, act, notify);
  const bags = bagsView(model, act, palette, (variables) => graph.showBag(variables));
  const evidence = evidencePanel(model, act);
  const panels = [evidence, insightPanel(model, act, caseOf), rowsPanel(model, act), exportPanel(model, caseOf, graph)];
  const showTab = tabs();
  let clicked = null;
  let onScreen = null; // milliseconds from the click to all bars moved

  const paint = () => {
    graph.paint(state());
    for (const panel of panels) panel.paint(state());
    if (state().tree) bags.draw();
  };
  /** Paint what a few probabilities are enough for: cards and panel. */
  const paintBars = () => {
    if (graph.isCards()) graph.paint(state());
    evidence.paint(state());
  };

  // Tests wait until `answered` is as far as `asked`.
  let numAsked = 0;
  /** Set facts about the page, for tests and benchmarks, once the browser has drawn a frame. */
  const afterFrame = (facts) => requestAnimationFrame(() => requestAnimationFrame(() => Object.assign(document.body.dataset, facts())));
  const sinceClick = (since) => (since === null ? null : performance.now() - since);
  const shownBars = () => [...new Set([state().selected, ...state().targets, ...graph.cardNames()])].filter((name) => name !== null);
  const answer = answersOn(model, shownBars, {
    bars() {
      const since = clicked;
      paintBars();
      afterFrame(() => ({ onScreen: (onScreen = sinceClick(since)) }));
    },
    all(number) {
      const since = clicked;
      paint();
      spoken(model, state());
      afterFrame(() => {
        const settled = sinceClick(since);
        onScreen ??= settled;
        status(model, onScreen);
        return { onScreen, settled, serverTime: model.answer.milliseconds, answered: number };
      });
    },
    failure(number) {
      notify(model.problem);
      paint();
      status(model, null);
      document.body.dataset.answered = `${number}`;
    },
  });

  const resize = () => {
    graph.resize();
    bags.resize();
  };

  listen((now, changed) => {
    showTab(now);
    by("undo").disabled = !canUndo();
    by("redo").disabled = !canRedo();
    by("colour").value = now.colour;
    if (changed.has("tree")) {
      by("bags").hidden = !now.tree;
      by("tree").setAttribute("aria-pressed", now.tree);
      by("main").classList.toggle("with-tree", now.tree);
      if (!now.tree) graph.showBag([]);
      resize();
    }
    if (changed.has("view")) graph.view(now);
    const isAsked = ASKED.some((field) => changed.has(field));
    if (isAsked) {
      clicked = performance.now();
      onScreen = null;
      document.body.dataset.asked = `${++numAsked}`;
      answer(numAsked, caseOf(now));
    }
    // While a question is open, cards and panel show what was clicked; dots and other panels wait.
    (isAsked ? paintBars : paint)();
  });

  by("undo").onclick = undo;
  by("redo").onclick = redo;
  by("tree").onclick = () => change({ tree: !state().tree });
  by("colour").onchange = () => change({ colour: by("colour").value });
  for (const button of by("views").children) button.onclick = () => act.view(button.dataset.view);
  by("zoom-in").onclick = () => graph.zoom(1.4);
  by("zoom-out").onclick = () => graph.zoom(1 / 1.4);
  by("fit").onclick = () => graph.fit();
  searchBox(model, (name) => {
    act.select(name);
    graph.reveal(name, true);
  });
  keyboard(model, act, graph);
  themeSwitch(() => paint());
  new ResizeObserver(resize).observe(by("stage"));
  window.addEventListener("hashchange", () => location.reload());
  graph.resize();
  begin(fitting(model));
  clicked = null;
  status(model, null);
  document.body.dataset.ready = "yes";
}

start().catch((error) => {
  by("wait").textContent = error.message;
  by("wait").classList.add("failed");
});
