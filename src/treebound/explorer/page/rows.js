// The rows of a table: the most anomalous first, contributions of cells, missing values filled in, truth and prediction.

import { ask, latest } from "./api.js";
import { by, clean, el } from "./dom.js";
import { best, of, percent } from "./model.js";
import { change, state } from "./state.js";

const PAGE = 200;

/** The panel of rows; hidden where the explorer has no table. */
export function rowsPanel(model, act) {
  by("tab-rows").hidden = model.rows === null;
  if (model.rows === null) return { paint() {} };
  const order = el("select", { "aria-label": "Order of the rows", onchange: () => load() },
    el("option", { value: "strangest", text: "most anomalous first" }), el("option", { value: "table", text: "as in the table" }));
  const [list, detail, summary] = [el("div", { class: "row-list" }), el("section", { id: "row-detail" }), el("p", { class: "quiet", id: "accuracy" })];
  const step = (way) => {
    const at = shown.indexOf(state().row);
    const next = shown[Math.min(Math.max(at + way, 0), shown.length - 1)];
    if (next !== undefined) change({ row: next });
  };
  by("pane-rows").append(
    el("div", { class: "row-head" }, el("strong", { text: `${model.rows.toLocaleString("en")} rows` }), order,
      el("button", { id: "row-before", "aria-label": "Previous row", text: "\u2039", onclick: () => step(-1) }),
      el("button", { id: "row-after", "aria-label": "Next row", text: "\u203a", onclick: () => step(1) })),
    summary, list, detail);
  let shown = [];
  let key = null;

  const load = latest(async (first = 0) => {
    const target = state().targets[0] ?? null;
    const page = await ask("rows", { order: order.value, first, target });
    shown = first ? [...shown, ...page.rows] : page.rows;
    summary.textContent = summaryOf(page, target);
    const table = first ? list.querySelector("tbody") : bodyOf(list, target);
    table.append(...page.rows.map((row, i) => line(model, page, row, i, target)));
    list.querySelector(".more")?.remove();
    if (shown.length < page.total) list.append(el("button", { class: "plain more", text: `Next ${PAGE}`, onclick: () => load(shown.length) }));
    mark();
  });

  const open = latest(async (now) => {
    if (now.row === null) {
      detail.replaceChildren(el("p", { class: "hint", text: "Click a row to use its cells as evidence. Missing cells get their posterior; pinned targets are predicted from the other cells." }));
      return;
    }
    detail.replaceChildren(...cellsOf(model, await ask("row", { row: now.row }), now, act));
  });

  function mark() {
    for (const one of list.querySelectorAll("tr[data-row]")) one.classList.toggle("chosen", Number(one.dataset.row) === state().row);
  }

  return {
    paint(now) {
      if (now.tab !== "rows") return;
      const fresh = JSON.stringify(now.targets[0] ?? null);
      if (key !== fresh) {
        key = fresh;
        load();
      }
      mark();
      open(now);
    },
  };
}

function summaryOf(page, target) {
  if (target === null) return "Scores are negative log-likelihoods in nats. Pin a variable to compare predictions with the truth.";
  if (page.accuracy === null) return `The table has no values of ${clean(target)} to compare with.`;
  return `${clean(target)} predicted from the rest of each row: accuracy ${(100 * page.accuracy).toFixed(1)} % on ${page.compared.toLocaleString("en")} rows.`;
}

function bodyOf(list, target) {
  const heads = ["row", "score", "missing", ...(target === null ? [] : ["truth", "predicted"])];
  const body = el("tbody");
  list.replaceChildren(el("table", { class: "rows" }, el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col", text })))), body));
  return body;
}

function line(model, page, row, i, target) {
  const cells = [el("td", {}, el("button", { class: "plain", text: `${row}`, "aria-label": `Row ${row}`, onclick: () => change({ row }) })),
    el("td", { text: page.scores[i] === null ? "impossible" : page.scores[i].toFixed(2) }), el("td", { text: page.missing[i] || "" })];
  if (target !== null) {
    const states = model.variables[model.index.get(target)].states;
    const [truth, found] = [page.truth[i], page.predicted[i]];
    const isRight = truth === found;
    cells.push(el("td", { text: truth < 0 ? "missing" : clean(states[truth]) }),
      el("td", { class: truth < 0 ? "" : isRight ? "right" : "wrong", text: found < 0 ? "none" : `${clean(states[found])} ${percent(page.confidence[i])} %${truth < 0 ? "" : isRight ? " \u2713" : " \u2717"}` }));
  }
  return el("tr", { "data-row": row, onclick: () => change({ row }) }, ...cells);
}

function cellsOf(model, found, now, act) {
  const name = (v) => el("th", {}, el("button", { class: "plain", onclick: () => act.select(model.variables[v].name) }, el("bdi", { text: clean(model.variables[v].name) })));
  const most = Math.max(...found.blamed.map((one) => one.score ?? 30), 1e-9);
  const blamed = found.blamed.slice(0, 25).map(({ variable, score }) => {
    const bar = el("span", { class: "now blame" });
    bar.style.width = `${100 * (score ?? most) / most}%`;
    return el("tr", {}, name(variable), el("td", { text: clean(model.variables[variable].states[found.codes[variable]]) }),
      el("td", {}, el("span", { class: "track" }, bar)), el("td", { class: "share", text: score === null ? "\u221e" : score.toFixed(2) }));
  });
  const hidden = found.codes.flatMap((code, v) => (code < 0 || now.targets.includes(model.variables[v].name) ? [v] : [])).slice(0, 100);
  const filled = hidden.map((v) => {
    const shares = of(model, model.now, v);
    const top = best(shares);
    const truth = found.codes[v];
    return el("tr", {}, name(v), el("td", { text: `${clean(model.variables[v].states[top])} ${percent(shares[top])} %` }),
      el("td", { class: truth < 0 ? "" : truth === top ? "right" : "wrong", text: truth < 0 ? "missing" : `truth: ${clean(model.variables[v].states[truth])}` }));
  });
  const score = found.score === null ? "impossible under this network" : `score ${found.score.toFixed(2)}`;
  return [el("h2", {}, `Row ${found.row}`, el("span", { class: "quiet", text: ` ${score}, rank ${found.rank + 1} of ${model.rows.toLocaleString("en")}` })),
    ...(filled.length ? [el("h3", { text: "Posterior of missing cells and targets" }), el("table", { class: "facts", id: "filled" }, el("tbody", {}, ...filled))] : []),
    el("h3", { text: "Contributions of the cells to the score" }), el("table", { class: "facts", id: "blamed" }, el("tbody", {}, ...blamed))];
}
