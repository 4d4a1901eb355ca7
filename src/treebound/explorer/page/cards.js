// A small network, or a part of a large one: a card for each variable with its states as bars.

import { draggable, labelOf } from "./bars.js";
import { colouring, css } from "./colours.js";
import { clean, fitted, svg } from "./dom.js";
import { best, of, percent, titleOf } from "./model.js";

const MOST_STATES = 10;
const [PAD, HEAD, LINE] = [13, 30, 17];
const SHARE = 40; // room for a percentage
const NAME_FONT = "650 13px system-ui, sans-serif";
const STATE_FONT = "11.5px system-ui, sans-serif";

/** Draw cards into an SVG element. `act` says what clicks do: set(name, code), soft(...), select(name). */
export function cardsOn(root, model, act) {
  const world = svg("g", { class: "world" });
  const marker = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, orient: "auto", markerUnits: "userSpaceOnUse" },
    svg("path", { d: "M0 0.6 8 4 0 7.4 1.6 4z", class: "arrow-head" }));
  const [arcLayer, cardLayer] = [svg("g", { class: "arcs" }), svg("g", { class: "cards" })];
  root.replaceChildren(svg("defs", {}, marker), world);
  world.append(arcLayer, cardLayer);
  let cards = [];
  let arcs = [];

  /** Take a drawing of the server: which variables, where. */
  function show(drawing) {
    const members = drawing.variables;
    const strengths = strengthsOf(model);
    arcs = drawing.arcs.map(([a, b], i) => arcPath(model, drawing, i, strengths.get(`${members[a]} ${members[b]}`)));
    arcLayer.replaceChildren(...arcs.map((arc) => arc.path));
    cards = [...members].map((v, i) => cardOf(model, v, drawing.points[i], drawing.sizes[i], drawing.full, act));
    cardLayer.replaceChildren(...cards.map((card) => card.node));
    return boundsOf(drawing);
  }

  function paint(state, bag) {
    const colour = colouring(model, state);
    const inBag = new Set(bag);
    for (const card of cards) card.paint(state, css(colour(card.v)), inBag.has(card.v));
    for (const arc of arcs) arc.path.classList.toggle("near", state.selected !== null && arc.ends.includes(model.index.get(state.selected)));
  }

  function draw(camera) {
    const [x, y] = camera.screen(0, 0);
    world.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${camera.scale.toFixed(4)})`);
  }
  return { show, paint, draw, focus: (name) => cards.find((card) => card.name === name)?.node.focus({ preventScroll: true }) };
}

function boundsOf(drawing) {
  /** @type {[number, number, number, number]} */
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  drawing.points.forEach(([x, y], i) => {
    const [width, height] = drawing.sizes[i];
    box[0] = Math.min(box[0], x - width / 2);
    box[1] = Math.min(box[1], y - height / 2);
    box[2] = Math.max(box[2], x + width / 2);
    box[3] = Math.max(box[3], y + height / 2);
  });
  return box;
}

function strengthsOf(model) {
  const strongest = Math.max(...model.strengths, 1e-9);
  const found = new Map();
  model.strengths.forEach((one, i) => found.set(`${model.arcs[2 * i]} ${model.arcs[2 * i + 1]}`, { nats: one, share: Math.sqrt(one / strongest) }));
  return found;
}

/** A smooth line from the lower edge of the parent to the upper edge of the child. */
function arcPath(model, drawing, i, strength) {
  const [a, b] = drawing.arcs[i];
  const [start, end] = [drawing.points[a], drawing.points[b]];
  const stops = [
    [start[0], start[1] + drawing.sizes[a][1] / 2],
    ...drawing.bends[i],
    [end[0], end[1] - drawing.sizes[b][1] / 2 - 2],
  ];
  let d = `M${stops[0][0].toFixed(1)} ${stops[0][1].toFixed(1)}`;
  for (let k = 1; k < stops.length; k++) {
    const [[px, py], [x, y]] = [stops[k - 1], stops[k]];
    const bend = (y - py) * 0.5;
    d += `C${px.toFixed(1)} ${(py + bend).toFixed(1)} ${x.toFixed(1)} ${(y - bend).toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  const ends = [drawing.variables[a], drawing.variables[b]];
  const names = ends.map((v) => clean(model.variables[v].name));
  const path = svg("path", { d, class: "arc", "marker-end": "url(#arrow)", "stroke-width": (1 + 2.6 * strength.share).toFixed(2), "stroke-opacity": (0.35 + 0.55 * strength.share).toFixed(2) },
    svg("title", { text: `${names[0]} \u2192 ${names[1]}: mutual information ${strength.nats.toFixed(4)} nats` }));
  return { path, ends };
}

function cardOf(model, v, [x, y], [width, height], isFull, act) {
  const variable = model.variables[v];
  const rows = isFull ? stateRows(model, v, width, act) : [bestRow(width)];
  const strip = svg("rect", { class: "strip", x: 7, y: 9, width: 4, height: height - 18, rx: 2 });
  const base = variable.hidden ? "card latent" : "card";
  const node = svg("g", { class: base, tabindex: 0, role: "group", "data-name": variable.name, transform: `translate(${x - width / 2} ${y - height / 2})` },
    svg("title", { text: titleOf(variable) }),
    svg("rect", { class: "sheet", width, height, rx: 9 }),
    strip,
    svg("text", { class: "card-name", x: PAD + 4, y: 19, text: fitted(variable.name, width - PAD - 12, NAME_FONT) }),
    ...rows.map((row) => row.node));
  node.addEventListener("click", () => act.select(variable.name));
  node.addEventListener("dblclick", () => act.around(variable.name));
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === node) act.select(variable.name);
  });
  function paint(state, colour, isInBag) {
    const [after, before] = [of(model, model.now, v), of(model, model.prior, v)];
    const top = best(after);
    strip.setAttribute("fill", colour);
    node.setAttribute("class", [base, state.selected === variable.name && "selected", variable.name in state.evidence && "known",
      variable.name in state.do && "done", state.targets.includes(variable.name) && "pinned", isInBag && "in-bag"].filter(Boolean).join(" "));
    node.setAttribute("aria-label", `${titleOf(variable)}: ${clean(variable.states[top])} ${percent(after[top])} percent`);
    for (const row of rows) row.paint(state, variable, after, before, top);
  }
  return { node, v, name: variable.name, paint };
}

function barsAt(y, width) {
  const [x, long] = [0.45 * width, 0.55 * width - SHARE];
  const bars = [
    svg("rect", { class: "track", x, y: y - 9, width: long, height: 11, rx: 3 }),
    svg("rect", { class: "prior", x, y: y - 9, width: 0, height: 11, rx: 3 }),
    svg("rect", { class: "bar", x, y: y - 6.5, width: 0, height: 6, rx: 2 }),
  ];
  const labelled = (text) => fitted(text, x - PAD - 8, STATE_FONT);
  return { bars, long, labelled };
}

function stateRows(model, v, width, act) {
  const variable = model.variables[v];
  const shown = variable.states.slice(0, MOST_STATES);
  const rows = shown.map((label, code) => {
    const y = HEAD + LINE * code + 12;
    const { bars: [track, prior, bar], long, labelled } = barsAt(y, width);
    const share = svg("text", { class: "share", x: width - 8, y, "text-anchor": "end" });
    const node = svg("g", { class: "card-state", role: "button", tabindex: -1, "data-drag": "", "data-code": code },
      svg("rect", { class: "hit", x: 4, y: y - 13, width: width - 8, height: LINE, rx: 4 }),
      track, prior, bar, svg("text", { class: "state-name", x: PAD + 4, y, text: labelled(label) }),
      share, svg("title", { text: clean(label) }));
    draggable(node, () => track.getBoundingClientRect(), variable, code, act);
    return {
      node,
      paint(state, _, after, before) {
        bar.setAttribute("width", (long * after[code]).toFixed(2));
        prior.setAttribute("width", (long * before[code]).toFixed(2));
        share.textContent = percent(after[code]);
        node.classList.toggle("set", state.evidence[variable.name] === code || state.do[variable.name] === code);
        node.setAttribute("aria-label", labelOf(variable.states[code], after[code], before[code]));
      },
    };
  });
  if (variable.states.length > MOST_STATES) {
    const y = HEAD + LINE * MOST_STATES + 12;
    const more = svg("text", { class: "state-name", x: PAD + 4, y, text: `+ ${variable.states.length - MOST_STATES} more states` });
    rows.push({ node: more, paint() {} });
  }
  return rows;
}

/** One line for the most probable state, where there are many cards. */
function bestRow(width) {
  const y = 35;
  const { bars: [track, prior, bar], long, labelled } = barsAt(y, width);
  const [name, share] = [svg("text", { class: "state-name", x: PAD + 4, y }), svg("text", { class: "share", x: width - 8, y, "text-anchor": "end" })];
  return {
    node: svg("g", {}, track, prior, bar, name, share),
    paint(_, variable, after, before, top) {
      bar.setAttribute("width", (long * after[top]).toFixed(2));
      prior.setAttribute("width", (long * before[top]).toFixed(2));
      name.textContent = labelled(variable.states[top]);
      share.textContent = percent(after[top]);
    },
  };
}

