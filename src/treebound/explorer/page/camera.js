// Pan and zoom: what part of the drawing the window shows. One finger or the mouse pans, two fingers zoom.

/** A view with the ways from the drawing to the screen and back. */
export function lens(view) {
  view.screen = (x, y) => [(x - view.x) * view.scale + view.width / 2, (y - view.y) * view.scale + view.height / 2];
  view.world = (x, y) => [(x - view.width / 2) / view.scale + view.x, (y - view.height / 2) / view.scale + view.y];
  return view;
}

/** A camera over an element; `onmove` is called after every change. */
export function cameraOn(element, onmove) {
  const camera = lens({ x: 0, y: 0, scale: 1, width: 1, height: 1, least: 0.001, most: 400 });
  const fingers = new Map();

  camera.zoom = (factor, x = camera.width / 2, y = camera.height / 2) => {
    const [wx, wy] = camera.world(x, y);
    camera.scale = Math.min(Math.max(camera.scale * factor, camera.least), camera.most);
    camera.x = wx - (x - camera.width / 2) / camera.scale;
    camera.y = wy - (y - camera.height / 2) / camera.scale;
    camera.isFitted = false;
    onmove();
  };

  /** Show a box of the drawing, with a margin in pixels, and some more `below` for the legend. */
  camera.fit = ([left, top, right, bottom], margin = 40, closest = Infinity, below = 0) => {
    camera.x = (left + right) / 2;
    camera.y = (top + bottom) / 2;
    const across = Math.max(camera.width - 2 * margin, 50) / Math.max(right - left, 1e-6);
    const down = Math.max(camera.height - 2 * margin - below, 50) / Math.max(bottom - top, 1e-6);
    const scale = Math.min(across, down, closest);
    camera.least = scale / 20;
    camera.most = Math.max(scale * 400, 4);
    camera.scale = scale;
    camera.y += below / 2 / scale;
    camera.isFitted = true;
    onmove();
  };

  camera.resize = () => {
    camera.width = element.clientWidth || 1;
    camera.height = element.clientHeight || 1;
  };

  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = element.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 16 : 1;
    camera.zoom(Math.exp(-event.deltaY * lines * 0.0018), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });

  element.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button, [data-drag], [role=toolbar]")) return;
    fingers.set(event.pointerId, event);
    camera.hasPanned = false;
  });
  element.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (!camera.hasPanned && Math.hypot(dx, dy) < 4) return;
    if (!camera.hasPanned) element.setPointerCapture(event.pointerId);
    camera.hasPanned = true;
    const others = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
    fingers.set(event.pointerId, event);
    if (others.length) {
      const apart = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY);
      camera.zoom(apart(event) / Math.max(apart(before), 1));
      return;
    }
    camera.x -= dx / camera.scale;
    camera.y -= dy / camera.scale;
    camera.isFitted = false;
    onmove();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    element.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  return camera;
}
