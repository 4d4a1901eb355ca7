// The drawing: dots for many variables, cards for few. It redraws when something changed, once per frame.

import { ask, latest } from "./api.js";
import { cameraOn } from "./camera.js";
import { cardsOn } from "./cards.js";
import { colouring, css, legend } from "./colours.js";
import { by } from "./dom.js";
import { dotsOn } from "./dots.js";
import { state } from "./state.js";
import { palette } from "./theme.js";

const READABLE = 0.5; // scale of cards

/** The drawing of a model. */
export function graphOn(model, act, notify) {
  const stage = by("stage");
  const camera = cameraOn(stage, () => request());
  const dots = dotsOn(by("gl"), by("labels"), model, camera);
  const cards = cardsOn(by("cards"), model, act);
  let bounds = dots.bounds;
  let isCards = false;
  let drawing = null;
  let bag = [];
  let frame = 0;
  let isChanged = false; // more than the camera

  /** Draw in the next frame. */
  function request() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (isCards) cards.draw(camera);
      else if (isChanged) dots.draw();
      else dots.follow();
      isChanged = false;
    });
  }
  function requestAll() {
    isChanged = true;
    request();
  }

  function paint(now) {
    if (isCards) cards.paint(now, bag);
    else dots.paint(now, palette(), bag);
    legend(model, now);
    requestAll();
  }

  /** Show everything; of many cards as many as can be read, around the selected one. */
  function fit() {
    camera.fit(bounds, isCards ? 26 : 22, isCards ? 1.6 : Infinity, 26);
    const centre = places().find(([v]) => model.variables[v].name === state().selected);
    if (!isCards || !centre || camera.scale >= READABLE) return;
    camera.scale = READABLE;
    camera.x = within(centre[1], bounds[0], bounds[2], camera.width / READABLE);
    camera.y = within(centre[2], bounds[1], bounds[3], camera.height / READABLE);
  }

  function showCards(sent) {
    drawing = sent;
    bounds = cards.show(drawing);
    switchTo(true);
    if (drawing.left_out) notify(`${drawing.left_out} more variables are not drawn.`);
  }

  function switchTo(toCards) {
    isCards = toCards;
    by("cards").toggleAttribute("hidden", !toCards);
    by("labels").hidden = by("gl").hidden = toCards;
    if (!toCards) {
      bounds = dots.bounds;
      drawing = null;
      if (!dots.hasGl) notify("This browser does not support WebGL 2, which drawing the whole network needs. Search for a variable and draw its neighbours.");
    }
    fit();
    paint(state());
  }

  /** Draw what the view says; parts come from the server, placed in layers. */
  const view = latest(async (now) => {
    const { kind, names, distance } = now.view;
    for (const button of by("views").children) {
      button.setAttribute("aria-pressed", String(button.dataset.view === (kind === "auto" ? "whole" : kind)));
    }
    if (kind === "auto" || kind === "whole") {
      if (model.cards) showCards(model.cards);
      else switchTo(false);
      return;
    }
    try {
      showCards(await ask("part", { kind, names, distance }));
      if (kind === "neighbourhood" && distance > 1) notify(`Variables up to ${distance} arcs away`);
    } catch (error) {
      notify(error.message);
    }
  });

  const places = () => (drawing
    ? [...drawing.variables].map((v, i) => [v, ...drawing.points[i]])
    : Array.from({ length: model.count }, (_, v) => [v, model.points[2 * v], model.points[2 * v + 1]]));

  /** Select the nearest variable in a direction. */
  function go(dx, dy) {
    const all = places();
    const from = all.find(([v]) => model.variables[v].name === state().selected) ?? [-1, camera.x, camera.y];
    let [found, closest] = [null, Infinity];
    for (const [v, x, y] of all) {
      const [ahead, aside] = [(x - from[1]) * dx + (y - from[2]) * dy, Math.abs((x - from[1]) * dy) + Math.abs((y - from[2]) * dx)];
      const cost = ahead + 2 * aside;
      if (v !== from[0] && ahead > 1e-9 && aside <= 1.5 * ahead && cost < closest) [found, closest] = [v, cost];
    }
    if (found === null) return;
    act.select(model.variables[found].name);
    reveal(model.variables[found].name);
  }

  /** Bring a variable into sight. */
  function reveal(name, isClose = false) {
    const found = places().find(([v]) => model.variables[v].name === name);
    if (!found) return;
    const [x, y] = camera.screen(found[1], found[2]);
    const isNearer = isClose && !isCards;
    if (isNearer) camera.scale = Math.max(camera.scale, 26);
    if (isNearer || x < 60 || y < 60 || x > camera.width - 60 || y > camera.height - 60) {
      [camera.x, camera.y] = [found[1], found[2]];
      camera.isFitted = false;
    }
    request();
  }

  mouse(model, dots, camera, act, () => isCards, requestAll);
  return {
    view,
    paint,
    fit,
    go,
    reveal,
    drawForCopy: dots.drawForCopy,
    zoom: (factor) => camera.zoom(factor),
    isCards: () => isCards,
    cardNames: () => (drawing ? [...drawing.variables].map((v) => model.variables[v].name) : []),
    scene: () => ({ model, camera, colour: (v) => css(colouring(model, state())(v)) }),
    showBag(variables) {
      bag = variables;
      paint(state());
    },
    resize() {
      camera.resize();
      if (camera.isFitted) fit();
      requestAll();
    },
  };
}

/** The middle of a window of some size, near a wanted one, that shows little beyond a range. */
function within(wanted, low, high, size) {
  const [least, most] = [low + size / 2 - 60, high - size / 2 + 60];
  return least < most ? Math.min(Math.max(wanted, least), most) : (low + high) / 2;
}

function mouse(model, dots, camera, act, isCards, request) {
  const canvas = by("labels");
  const at = (event) => {
    const box = by("stage").getBoundingClientRect();
    return dots.pick(event.clientX - box.left, event.clientY - box.top);
  };
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) return;
    const v = at(event);
    canvas.classList.toggle("over", v >= 0);
    if (dots.hover(v)) request();
  });
  canvas.addEventListener("click", (event) => {
    if (camera.hasPanned || isCards()) return;
    const v = at(event);
    if (v >= 0) act.select(model.variables[v].name);
  });
  canvas.addEventListener("dblclick", (event) => {
    const v = at(event);
    if (v >= 0) act.around(model.variables[v].name);
  });
}
