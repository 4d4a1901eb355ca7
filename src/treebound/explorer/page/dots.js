// The whole of a large network: dots and arcs by WebGL, names and arrows on a canvas above them.

import { colouring } from "./colours.js";
import { short } from "./dom.js";
import { rendererOn } from "./gl.js";
import { best, of, percent } from "./model.js";
import { pictureOn } from "./picture.js";

const MOST_LABELS = 160;
const MOST_ARROWS = 260;
const QUICK = 12; // milliseconds for a drawing that leave time for sixty a second

/** A view of all variables. It draws when asked to; nothing moves by itself. */
export function dotsOn(glCanvas, labelCanvas, model, camera) {
  const renderer = rendererOn(glCanvas, model.count, model.arcs.length / 2);
  const pen = labelCanvas.getContext("2d");
  const count = model.count;
  const radii = Float32Array.from(model.near, (near) => 2.6 + Math.min(Math.sqrt(near.length), 6) * 0.9);
  // Well-connected variables are named first.
  const byDegree = [...radii.keys()].sort((a, b) => radii[b] - radii[a] || a - b);
  const bounds = boundsOf(model.points);
  const grid = gridOf(model.points, bounds);
  const shades = new Uint8Array(4 * count);
  let arcLook = "";
  let lastShown = "";
  let isPainted = false;
  let looks = { evidence: new Set(), done: new Set(), targets: new Set(), bag: new Set(), selected: -1, hovered: -1, ink: "#000", paper: "#fff" };

  if (renderer) place(renderer, model, radii);

  function paint(state, theme, bag) {
    const index = (names) => new Set(names.map((name) => model.index.get(name)));
    looks = {
      ...looks,
      ...theme,
      evidence: index(Object.keys(state.evidence)),
      done: index(Object.keys(state.do)),
      targets: index(state.targets),
      selected: state.selected === null ? -1 : model.index.get(state.selected),
      bag: new Set(bag),
    };
    if (!renderer) return;
    const colour = colouring(model, state);
    for (let v = 0; v < count; v++) {
      const rgb = looks.done.has(v) ? theme.done : looks.evidence.has(v) ? theme.known : colour(v);
      for (let k = 0; k < 3; k++) shades[4 * v + k] = rgb[k];
      shades[4 * v + 3] = 255;
    }
    renderer.dots.set("shade", shades);
    const look = `${looks.selected} ${theme.arc} ${theme.accent}`;
    if (look !== arcLook) {
      arcLook = look;
      renderer.arcs.set("shade", arcShades(model, looks, theme));
    }
    isPainted = true;
  }

  const picture = pictureOn([glCanvas, labelCanvas], camera, () => bounds, () => !renderer || renderer.milliseconds < QUICK, (view, ratio) => {
    const grow = growth(view, bounds, count);
    // The names above change with the pointer, the dots do not.
    const shown = `${view.x} ${view.y} ${view.scale} ${glCanvas.width} ${glCanvas.height}`;
    if (isPainted || shown !== lastShown) renderer?.draw(view, ratio, arcLook, looks.rim, grow);
    [isPainted, lastShown] = [false, shown];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, view.width, view.height);
    const seen = visible(model, view);
    arrows(pen, model, view, seen, looks, radii, grow);
    rings(pen, model, view, looks, radii, grow);
    names(pen, model, view, seen, byDegree, looks, radii, grow);
  });

  return {
    bounds,
    hasGl: renderer !== null,
    paint,
    follow: picture.follow,
    draw: picture.draw,
    /** Draw for reading the pixels, which a WebGL canvas keeps for a moment only. */
    drawForCopy() {
      isPainted = true;
      return picture.draw();
    },
    /** Whether the pointer is on another variable than before. */
    hover(v) {
      const isNew = looks.hovered !== v;
      looks.hovered = v;
      return isNew;
    },
    pick: (x, y) => nearest(model, grid, camera, x, y),
  };
}

function place(renderer, model, radii) {
  const half = model.arcs.length / 2;
  const [tails, heads] = [new Float32Array(2 * half), new Float32Array(2 * half)];
  for (let i = 0; i < half; i++) {
    for (const k of [0, 1]) {
      tails[2 * i + k] = model.points[2 * model.arcs[2 * i] + k];
      heads[2 * i + k] = model.points[2 * model.arcs[2 * i + 1] + k];
    }
  }
  const strongest = Math.max(...model.strengths, 1e-9);
  renderer.arcs.set("tail", tails);
  renderer.arcs.set("head", heads);
  renderer.arcs.set("width", model.strengths.map((one) => 0.45 + 1.3 * Math.sqrt(one / strongest)));
  renderer.dots.set("middle", model.points);
  renderer.dots.set("radius", radii);
}

/** Arcs by strength; those of the selected variable stand out. */
function arcShades(model, looks, theme) {
  const strongest = Math.max(...model.strengths, 1e-9);
  const shades = new Uint8Array(2 * model.arcs.length);
  for (let i = 0; i < model.strengths.length; i++) {
    const touches = model.arcs[2 * i] === looks.selected || model.arcs[2 * i + 1] === looks.selected;
    const rgb = touches ? theme.accent : theme.arc;
    for (let k = 0; k < 3; k++) shades[4 * i + k] = rgb[k];
    shades[4 * i + 3] = touches ? 255 : 45 + 140 * Math.sqrt(model.strengths[i] / strongest);
  }
  return shades;
}

/** Dots grow with the zoom, more slowly than the distances between them. */
export function growth(camera, [left, top, right, bottom], count) {
  const spacing = Math.sqrt(Math.max((right - left) * (bottom - top), 1) / count) * camera.scale;
  return Math.min(Math.max(spacing / 21, 0.3), 1.9);
}

export function boundsOf(points) {
  /** @type {[number, number, number, number]} */
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    box[0] = Math.min(box[0], points[i]);
    box[1] = Math.min(box[1], points[i + 1]);
    box[2] = Math.max(box[2], points[i]);
    box[3] = Math.max(box[3], points[i + 1]);
  }
  return box;
}

function gridOf(points, [left, top, right, bottom]) {
  const side = Math.max(1, Math.floor(Math.sqrt(points.length / 4)));
  const size = Math.max(right - left, bottom - top, 1e-6) / side;
  const cells = new Map();
  for (let v = 0; v < points.length / 2; v++) {
    const key = Math.floor((points[2 * v] - left) / size) + 65536 * Math.floor((points[2 * v + 1] - top) / size);
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(v);
  }
  return { size, left, top, cells };
}

/** The variable under a place of the screen, or -1. */
function nearest(model, grid, camera, x, y) {
  const [wx, wy] = camera.world(x, y);
  const reach = 14 / camera.scale;
  const span = Math.min(Math.ceil(reach / grid.size), 40);
  const [column, row] = [Math.floor((wx - grid.left) / grid.size), Math.floor((wy - grid.top) / grid.size)];
  let [found, closest] = [-1, reach];
  for (let i = column - span; i <= column + span; i++) {
    for (let j = row - span; j <= row + span; j++) {
      for (const v of grid.cells.get(i + 65536 * j) ?? []) {
        const away = Math.hypot(model.points[2 * v] - wx, model.points[2 * v + 1] - wy);
        if (away < closest) [found, closest] = [v, away];
      }
    }
  }
  return found;
}

function visible(model, camera) {
  const [left, top] = camera.world(-30, -30);
  const [right, bottom] = camera.world(camera.width + 30, camera.height + 30);
  const seen = new Uint8Array(model.count);
  let total = 0;
  for (let v = 0; v < model.count; v++) {
    const [x, y] = [model.points[2 * v], model.points[2 * v + 1]];
    if (x >= left && x <= right && y >= top && y <= bottom) total += seen[v] = 1;
  }
  return { seen, total };
}

function arrows(pen, model, camera, { seen, total }, looks, radii, grow) {
  if (total > MOST_ARROWS) return;
  pen.fillStyle = looks.arrow;
  for (let i = 0; i < model.arcs.length; i += 2) {
    const [a, b] = [model.arcs[i], model.arcs[i + 1]];
    if (!seen[b]) continue;
    const [ax, ay] = camera.screen(model.points[2 * a], model.points[2 * a + 1]);
    const [bx, by] = camera.screen(model.points[2 * b], model.points[2 * b + 1]);
    const length = Math.hypot(bx - ax, by - ay);
    if (length < 24) continue;
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    const tip = radii[b] * grow + 2;
    pen.beginPath();
    pen.moveTo(bx - ux * tip, by - uy * tip);
    pen.lineTo(bx - ux * (tip + 7) - uy * 3, by - uy * (tip + 7) + ux * 3);
    pen.lineTo(bx - ux * (tip + 7) + uy * 3, by - uy * (tip + 7) - ux * 3);
    pen.fill();
  }
}

function rings(pen, model, camera, looks, radii, grow) {
  const ring = (v, colour, width, more) => {
    if (v < 0) return;
    const [x, y] = camera.screen(model.points[2 * v], model.points[2 * v + 1]);
    pen.beginPath();
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.arc(x, y, radii[v] * grow + more, 0, 7);
    pen.stroke();
  };
  pen.setLineDash([3, 2.5]);
  for (const v of model.latent) ring(v, looks.ink, 1.2, 1.5);
  pen.setLineDash([]);
  for (const v of looks.bag) ring(v, looks.bagInk, 2, 5);
  for (const v of looks.evidence) ring(v, looks.knownInk, 2, 3.5);
  for (const v of looks.done) ring(v, looks.doneInk, 2, 3.5);
  for (const v of looks.targets) ring(v, looks.ink, 1.5, 6);
  ring(looks.hovered, looks.ink, 1, 4);
  ring(looks.selected, looks.accentInk, 3, 5);
}

/** Names, the most important first, wherever they have room. */
function names(pen, model, camera, { seen }, byDegree, looks, radii, grow) {
  const first = [looks.hovered, looks.selected, ...looks.targets, ...looks.evidence, ...looks.done, ...looks.bag];
  const taken = [];
  let drawn = 0;
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  const seenBefore = new Set();
  const write = (v, important) => {
    if (v < 0 || !seen[v] || seenBefore.has(v)) return;
    seenBefore.add(v);
    const mark = model.variables[v].hidden ? " (hidden)" : "";
    const text = short(model.variables[v].name, 28) + mark + (important ? stateOf(model, v) : "");
    const [x, y] = camera.screen(model.points[2 * v], model.points[2 * v + 1]);
    const left = x + radii[v] * grow + 5;
    const box = [left - 2, y - 8, left + pen.measureText(text).width + 4, y + 8];
    if (!important && taken.some((one) => box[0] < one[2] && one[0] < box[2] && box[1] < one[3] && one[1] < box[3])) return;
    taken.push(box);
    drawn++;
    pen.strokeStyle = looks.paper;
    pen.lineWidth = 4;
    pen.strokeText(text, left, y);
    pen.fillStyle = important ? looks.ink : looks.soft;
    pen.fillText(text, left, y);
  };
  pen.font = "600 13px system-ui, sans-serif";
  for (const v of first.slice(0, 60)) write(v, true);
  pen.font = "450 11.5px system-ui, sans-serif";
  const room = Math.min(MOST_LABELS, camera.width * camera.height / (grow > 0.9 ? 9000 : 26000));
  let tried = 0;
  for (const v of byDegree) {
    if (drawn >= room || tried > 4 * room) break;
    tried += seen[v];
    write(v, false);
  }
}

function stateOf(model, v) {
  const shares = of(model, model.now, v);
  const top = best(shares);
  return `  ${short(model.variables[v].states[top], 14)} ${percent(shares[top])}%`;
}
