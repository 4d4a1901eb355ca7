// The tree decomposition: bags of variables joined to a tree. The largest bag is what bounds every query.

import { cameraOn } from "./camera.js";
import { by, clean, el, short } from "./dom.js";
import { boundsOf, growth } from "./dots.js";
import { pictureOn } from "./picture.js";
import { state } from "./state.js";

const NAMED_UP_TO = 70;
const MANY = 1500; // bags take longer than a frame to draw

/** The view of bags; `onbag(variables)` is called when a bag is chosen. */
export function bagsView(model, act, theme, onbag) {
  const { members, starts, points, links } = model.bags;
  const canvas = by("bag-canvas");
  const pen = canvas.getContext("2d");
  const count = starts.length - 1;
  const bag = (i) => members.subarray(starts[i], starts[i + 1]);
  const largest = Math.max(...Array.from({ length: count }, (_, i) => bag(i).length));
  const isNamed = count <= NAMED_UP_TO;
  const spread = isNamed ? spreadOut(points, bag, count, model) : points;
  let chosen = -1;
  let hasFit = false;
  const bounds = boundsOf(spread);
  const camera = cameraOn(by("bag-stage"), () => picture.follow());
  const draw = () => by("bags").hidden || picture.draw();
  canvas.addEventListener("click", (event) => {
    if (camera.hasPanned) return;
    const box = by("bag-stage").getBoundingClientRect();
    choose(nearest(event.clientX - box.left, event.clientY - box.top));
  });
  canvas.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way) step(way);
  });
  by("bag-before").onclick = () => step(-1);
  by("bag-after").onclick = () => step(1);

  const step = (way) => choose((Math.max(chosen, way < 0 ? 0 : -1) + way + count) % count);

  function nearest(x, y) {
    let [found, closest] = [-1, 60];
    for (let i = 0; i < count; i++) {
      const [sx, sy] = camera.screen(spread[2 * i], spread[2 * i + 1]);
      const away = Math.hypot(sx - x, sy - y);
      if (away < closest) [found, closest] = [i, away];
    }
    return found;
  }

  function choose(i) {
    chosen = i;
    if (i >= 0 && !isNamed) {
      [camera.x, camera.y] = [spread[2 * i], spread[2 * i + 1]];
    }
    describe();
    onbag(i < 0 ? [] : [...bag(i)]);
    draw();
  }

  function describe() {
    const width = model.facts.treewidth;
    by("bag-title").textContent = chosen < 0 ? `${count.toLocaleString("en")} ${count === 1 ? "bag" : "bags"}, treewidth at most ${width}` : `Bag ${chosen + 1} of ${count.toLocaleString("en")}`;
    if (chosen < 0) {
      by("bag-info").replaceChildren(el("p", { class: "quiet", text: `Every family of the network fits into one bag; the largest has ${largest} variables. The bags that hold one variable are always connected: select a variable to see them.` }));
      return;
    }
    const cells = [...bag(chosen)].reduce((product, v) => product * model.variables[v].states.length, 1);
    by("bag-info").replaceChildren(
      el("p", { class: "quiet", text: `${bag(chosen).length} variables, ${cells.toLocaleString("en")} cells` }),
      el("div", { class: "chips" }, ...[...bag(chosen)].map((v) => el("span", { class: "chip" },
        el("button", { class: "chip-name", onclick: () => act.select(model.variables[v].name) }, el("bdi", { text: short(model.variables[v].name, 28) }))))));
  }

  const picture = pictureOn([canvas], camera, () => bounds, () => count < MANY, (view, ratio) => {
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, view.width, view.height);
    const colours = theme();
    pen.strokeStyle = colours.soft;
    pen.globalAlpha = 0.6;
    pen.lineWidth = 1;
    pen.beginPath();
    for (let i = 0; i < links.length; i += 2) {
      pen.moveTo(...view.screen(spread[2 * links[i]], spread[2 * links[i] + 1]));
      pen.lineTo(...view.screen(spread[2 * links[i + 1]], spread[2 * links[i + 1] + 1]));
    }
    pen.stroke();
    pen.globalAlpha = 1;
    const selected = model.index.get(state().selected) ?? -1;
    if (isNamed) for (let i = 0; i < count; i++) box(view, i, bag(i).includes(selected), colours);
    else dots(view, selected, colours);
  });

  /** Bags as dots, the largest above the others, then those with the selected variable and the chosen one. */
  function dots(view, selected, colours) {
    const grow = Math.min(growth(view, bounds, count) * 1.4, 1.3);
    const kinds = new Map();
    for (let i = 0; i < count; i++) {
      const kind = i === chosen ? Infinity : bag(i).includes(selected) ? largest + 1 : bag(i).length;
      if (!kinds.has(kind)) kinds.set(kind, []);
      kinds.get(kind).push(i);
    }
    for (const kind of [...kinds.keys()].sort((a, b) => a - b)) {
      pen.fillStyle = kind === Infinity ? colours.bagInk : kind > largest ? colours.accentInk : colours.bagFill(kind / largest);
      pen.beginPath();
      for (const i of kinds.get(kind)) {
        const [x, y] = view.screen(spread[2 * i], spread[2 * i + 1]);
        const radius = (2 + 3 * bag(i).length / largest) * grow + (kind === Infinity ? 3 : kind > largest ? 1.5 : 0);
        pen.moveTo(x + radius, y);
        pen.arc(x, y, radius, 0, 7);
      }
      pen.fill();
    }
  }

  function box(view, i, hasSelected, colours) {
    const [x, y] = view.screen(spread[2 * i], spread[2 * i + 1]);
    const scale = Math.min(view.scale, 1.4);
    const names = [...bag(i)];
    const [width, height] = boxSize(names, model).map((one) => one * scale);
    pen.fillStyle = colours.paper;
    pen.strokeStyle = i === chosen ? colours.bagInk : hasSelected ? colours.accentInk : colours.soft;
    pen.lineWidth = i === chosen || hasSelected ? 2.5 : 1;
    pen.beginPath();
    pen.roundRect(x - width / 2, y - height / 2, width, height, 7 * scale);
    pen.fill();
    pen.stroke();
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    names.forEach((v, k) => {
      pen.font = `${v === selectedIndex() ? 650 : 450} ${11.5 * scale}px system-ui, sans-serif`;
      pen.fillStyle = v === selectedIndex() ? colours.accentInk : colours.ink;
      pen.fillText(short(model.variables[v].name, 16), x, y + (k - (names.length - 1) / 2) * 15 * scale);
    });
    pen.textAlign = "left";
  }
  const selectedIndex = () => model.index.get(state().selected) ?? -1;

  describe();
  return {
    choose,
    draw,
    resize() {
      camera.resize();
      if (by("bags").hidden) return;
      if (!hasFit) {
        hasFit = true;
        camera.fit(bounds, isNamed ? 70 : 24, isNamed ? 1.1 : Infinity);
      }
      draw();
    },
  };
}

function boxSize(names, model) {
  const longest = Math.max(...names.map((v) => Math.min([...clean(model.variables[v].name)].length, 16)));
  return [longest * 7 + 18, names.length * 15 + 12];
}

/** Places of named bags in pixels: as far apart as their boxes need. */
function spreadOut(points, bag, count, model) {
  const sizes = Array.from({ length: count }, (_, i) => boxSize([...bag(i)], model));
  let scale = 30;
  for (let round = 0; round < 14 && overlaps(points, sizes, scale); round++) scale *= 1.25;
  return points.map((value) => value * scale);
}

function overlaps(points, sizes, scale) {
  for (let i = 0; i < sizes.length; i++) {
    for (let j = 0; j < i; j++) {
      const across = Math.abs(points[2 * i] - points[2 * j]) * scale;
      const down = Math.abs(points[2 * i + 1] - points[2 * j + 1]) * scale;
      if (across < (sizes[i][0] + sizes[j][0]) / 2 + 8 && down < (sizes[i][1] + sizes[j][1]) / 2 + 8) return true;
    }
  }
  return false;
}
