// What leaves the page: a picture, the query as code, the posterior as a table, the link.

import { ask, latest } from "./api.js";
import { by, el, save, say, short, svg } from "./dom.js";
import { writeLink } from "./link.js";

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "font-size", "font-family", "font-weight", "opacity", "text-anchor", "width"];

/** The panel; `graph` is what is drawn. */
export function exportPanel(model, caseOf, graph) {
  const pane = by("pane-export");
  const [python, command] = ["Python", "Command"].map((name) => el("textarea", { readonly: true, rows: 4, spellcheck: "false", "aria-label": `The query in ${name}` }));
  let table = "";
  const button = (id, text, work) => el("button", { id, text, onclick: work });
  const problem = el("p", { class: "note warn", hidden: true });
  const stem = () => model.name.replace(/^.*[\\/]/, "").replace(/[^\w-]+.*$/, "") || "network";
  pane.append(el("h2", { text: "Picture" }),
    el("div", { class: "buttons" },
      button("save-svg", "SVG", () => save(`${stem()}.svg`, new Blob([svgText(graph)], { type: "image/svg+xml" }))),
      button("save-png", "PNG", async () => save(`${stem()}.png`, await pngOf(graph)))),
    el("h2", { text: "Posterior" }), el("p", { class: "quiet", text: "Pinned targets, or all variables if none is pinned." }),
    el("div", { class: "buttons" }, button("save-csv", "CSV", () => save(`${stem()}-posterior.csv`, new Blob([table], { type: "text/csv" })))),
    el("h2", { text: "This query" }), problem, labelled("Python", python), labelled("Command", command),
    el("h2", { text: "This view" }), el("div", { class: "buttons" }, button("copy-link", "Copy the link", () => {
      writeLink();
      copy(location.href, "the link");
    })));
  const refresh = latest(async (now) => {
    try {
      const found = await ask("export", { ...caseOf(now), selected: now.selected });
      problem.hidden = true;
      [python.value, command.value, table] = [found.python, found.command, found.csv];
    } catch (error) {
      problem.hidden = false;
      problem.textContent = error.message;
    }
  });
  return { paint: (now) => now.tab === "export" && refresh(now) };
}

function labelled(name, box) {
  return el("div", { class: "code" }, el("div", { class: "code-head" }, el("span", { text: name }),
    el("button", { class: "plain", text: "Copy", "aria-label": `Copy the line of ${name}`, onclick: () => copy(box.value, name) })), box);
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Frames may not write to the clipboard; a selection can.
    const box = el("textarea", {});
    box.value = text;
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
  say(`Copied ${what}`);
}

/** The drawing as a file of its own: looks become attributes, since the page's styles stay behind. */
function svgText(graph) {
  const copyOf = graph.isCards() ? cardsCopy(by("cards")) : dotsCopy(graph);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copyOf)}`;
}

function cardsCopy(root) {
  const copyOf = root.cloneNode(true);
  const [from, to] = [root.querySelectorAll("*"), copyOf.querySelectorAll("*")];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value && !(name === "width" && node.tagName !== "rect")) to[i].setAttribute(name, value);
    }
    for (const name of ["class", "tabindex", "role", "data-drag"]) to[i].removeAttribute(name);
  });
  framed(copyOf, root.clientWidth, root.clientHeight);
  return copyOf;
}

function framed(root, width, height) {
  root.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  root.prepend(svg("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor }));
}

/** Large networks: what the window shows, as lines, dots and names. */
function dotsCopy(graph) {
  const { model, camera, colour } = graph.scene();
  const root = svg("svg");
  const isSeen = (x, y) => x > -50 && y > -50 && x < camera.width + 50 && y < camera.height + 50;
  const place = (v) => camera.screen(model.points[2 * v], model.points[2 * v + 1]);
  const lines = svg("g", { stroke: "#8896a5", "stroke-opacity": 0.5, "stroke-width": 0.8 });
  for (let i = 0; i < model.arcs.length; i += 2) {
    const [[ax, ay], [bx, by2]] = [place(model.arcs[i]), place(model.arcs[i + 1])];
    if (isSeen(ax, ay) || isSeen(bx, by2)) lines.append(svg("path", { d: `M${ax.toFixed(1)} ${ay.toFixed(1)}L${bx.toFixed(1)} ${by2.toFixed(1)}` }));
  }
  const dots = svg("g");
  const names = svg("g", { "font-family": "sans-serif", "font-size": 11, fill: getComputedStyle(document.body).color });
  for (let v = 0; v < model.count; v++) {
    const [x, y] = place(v);
    if (!isSeen(x, y)) continue;
    const rim = model.variables[v].hidden ? { stroke: getComputedStyle(document.body).color, "stroke-dasharray": "2 1.5" } : {};
    dots.append(svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3, fill: colour(v), ...rim }));
    if (camera.scale > 30) names.append(svg("text", { x: (x + 6).toFixed(1), y: (y + 4).toFixed(1), text: short(model.variables[v].name, 28) }));
  }
  root.append(lines, dots, names);
  framed(root, camera.width, camera.height);
  return root;
}

async function pngOf(graph) {
  const { camera } = graph.scene();
  const ratio = 2;
  const canvas = el("canvas", { width: camera.width * ratio, height: camera.height * ratio });
  const pen = canvas.getContext("2d");
  if (graph.isCards()) {
    const address = URL.createObjectURL(new Blob([svgText(graph)], { type: "image/svg+xml" }));
    const image = new Image();
    image.src = address;
    await image.decode();
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
  } else {
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    const beyond = graph.drawForCopy();
    for (const id of ["gl", "labels"]) {
      const [width, height] = [by(id).width - 2 * beyond, by(id).height - 2 * beyond];
      pen.drawImage(by(id), beyond, beyond, width, height, 0, 0, canvas.width, canvas.height);
    }
  }
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
