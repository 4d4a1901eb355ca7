// Canvases under a camera. Where a drawing takes long, as without a graphics card, the picture is moved and scaled with
// the camera, and drawn anew when the camera rests or leaves what was drawn. Where it is quick, each frame is drawn.

import { lens } from "./camera.js";

const MARGIN = 240; // pixels drawn beyond each edge, to move into
const REST = 110; // milliseconds
const MOST_SCALED = 2;

/** A picture on canvases; `work(view, ratio)` draws what a view shows. */
export function pictureOn(canvases, camera, bounds, isQuick, work) {
  let drawn = null;
  let timer = 0;

  function move() {
    const [x, y] = camera.screen(...drawn.world(0, 0));
    const factor = camera.scale / drawn.scale;
    for (const canvas of canvases) canvas.style.transform = `translate(${x}px, ${y}px) scale(${factor})`;
  }

  /** Draw what the camera sees; returns the pixels of the canvas beyond each edge of the window. */
  function draw() {
    clearTimeout(timer);
    const ratio = window.devicePixelRatio || 1;
    const margin = isQuick() ? 0 : MARGIN;
    drawn = lens({ ...camera, width: camera.width + 2 * margin, height: camera.height + 2 * margin });
    const size = [Math.round(drawn.width * ratio), Math.round(drawn.height * ratio)];
    for (const canvas of canvases) {
      if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
      canvas.style.width = `${drawn.width}px`;
      canvas.style.height = `${drawn.height}px`;
    }
    move();
    work(drawn, ratio);
    return margin * ratio;
  }

  /** Whether the picture still shows everything that the window does. */
  function covers() {
    const factor = camera.scale / drawn.scale;
    if (factor > MOST_SCALED || factor < 1 / MOST_SCALED) return false;
    const [left, top] = drawn.world(0, 0);
    const [right, bottom] = drawn.world(drawn.width, drawn.height);
    const [x0, y0] = camera.world(0, 0);
    const [x1, y1] = camera.world(camera.width, camera.height);
    const all = bounds();
    return left <= Math.max(x0, all[0]) && top <= Math.max(y0, all[1]) && right >= Math.min(x1, all[2]) && bottom >= Math.min(y1, all[3]);
  }

  /** Show where the camera is now. */
  function follow() {
    if (drawn === null || isQuick() || !covers()) {
      draw();
      return;
    }
    move();
    clearTimeout(timer);
    timer = setTimeout(draw, REST);
  }
  return { draw, follow };
}
