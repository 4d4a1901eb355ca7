// WebGL 2: ten thousand dots and twenty thousand arcs in two draw calls. Each arc is a quad of its own rather than
// an instance: drivers that draw by software take as long for an instance as for a draw call.

const ARC_VERTEX = `#version 300 es
in vec2 corner; in vec2 tail; in vec2 head; in vec4 shade; in float width;
uniform vec3 camera; uniform vec2 window; uniform vec2 grow;
out vec4 colour; out float along; out float across; out float half_width;
void main() {
  vec2 a = (tail - camera.xy) * camera.z, b = (head - camera.xy) * camera.z;
  vec2 way = b - a;
  half_width = max(width * min(grow.x + 0.3, 1.0), 0.5); // thinner from afar, where there are many
  across = corner.y * (half_width + 0.5);
  vec2 side = normalize(vec2(-way.y, way.x) + 1e-6) * across;
  vec2 place = (mix(a, b, corner.x) + side) / (window * 0.5);
  gl_Position = vec4(place.x, -place.y, 0, 1);
  colour = shade; along = corner.x;
}`;
// Arcs fade from parent to child. Edges are smoothed here: much cheaper than multisampling.
const ARC_FRAGMENT = `#version 300 es
precision mediump float;
in vec4 colour; in float along; in float across; in float half_width; out vec4 pixel;
void main() {
  float a = colour.a * mix(1.0, 0.3, along) * clamp(half_width + 0.5 - abs(across), 0.0, 1.0);
  pixel = vec4(colour.rgb * a, a);
}`;
const DOT_VERTEX = `#version 300 es
in vec2 middle; in vec4 shade; in float radius;
uniform vec3 camera; uniform vec2 window; uniform vec2 grow;
out vec4 colour; out float pixels;
void main() {
  pixels = radius * grow.x + 1.0;
  vec2 place = (middle - camera.xy) * camera.z / (window * 0.5);
  gl_Position = vec4(place.x, -place.y, 0, 1);
  gl_PointSize = 2.0 * pixels * grow.y;
  colour = shade;
}`;
const DOT_FRAGMENT = `#version 300 es
precision mediump float;
in vec4 colour; in float pixels; out vec4 pixel;
uniform vec3 rim;
void main() {
  float inside = (1.0 - length(2.0 * gl_PointCoord - 1.0)) * pixels;
  float a = clamp(inside, 0.0, 1.0) * colour.a;
  float edge = clamp(inside - 1.2, 0.0, 1.0) * 0.9 + 0.1;
  vec3 shown = mix(rim, colour.rgb, max(edge, clamp(5.0 - pixels, 0.0, 1.0))); // small dots have no rim
  pixel = vec4(shown * a, a);
}`;
const CORNERS = [0, -1, 0, 1, 1, -1, 1, 1];
const TRIANGLES = [0, 1, 2, 2, 1, 3];

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return made;
}

/** A layer of things with attributes of given sizes, each thing a number of vertices. */
function layer(gl, vertex, fragment, attributes, vertices, drawArray) {
  const made = program(gl, vertex, fragment);
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  const buffers = {};
  for (const [name, size] of Object.entries(attributes)) {
    const isShade = name === "shade";
    buffers[name] = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
    const place = gl.getAttribLocation(made, name);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, isShade ? gl.UNSIGNED_BYTE : gl.FLOAT, isShade, 0, 0);
  }
  const places = new Map();
  return {
    array,
    /** Values for each thing, repeated for its vertices. */
    set(name, values, isRepeated = vertices > 1) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
      gl.bufferData(gl.ARRAY_BUFFER, isRepeated ? repeated(values, attributes[name], vertices) : values, gl.DYNAMIC_DRAW);
    },
    draw(uniforms) {
      gl.useProgram(made);
      for (const [name, value] of Object.entries(uniforms)) {
        if (!places.has(name)) places.set(name, gl.getUniformLocation(made, name));
        gl[`uniform${value.length}fv`](places.get(name), value);
      }
      gl.bindVertexArray(array);
      drawArray();
    },
  };
}

function repeated(values, size, times) {
  const result = new values.constructor(values.length * times);
  for (let i = 0, at = 0; i < values.length; i += size) {
    for (let t = 0; t < times; t++) for (let k = 0; k < size; k++) result[at++] = values[i + k];
  }
  return result;
}

function arcLayer(gl, count) {
  const corners = new Float32Array(8 * count).map((_, i) => CORNERS[i % 8]);
  const order = new Uint32Array(6 * count).map((_, i) => 4 * Math.floor(i / 6) + TRIANGLES[i % 6]);
  const made = layer(gl, ARC_VERTEX, ARC_FRAGMENT, { corner: 2, tail: 2, head: 2, shade: 4, width: 1 }, 4,
    () => gl.drawElements(gl.TRIANGLES, order.length, gl.UNSIGNED_INT, 0));
  gl.bindVertexArray(made.array);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.STATIC_DRAW);
  made.set("corner", corners, false);
  return made;
}

/** A picture that is kept until its key changes, and copied to the canvas. */
function keptPicture(gl) {
  const [frame, pixels] = [gl.createFramebuffer(), gl.createRenderbuffer()];
  let [kept, size] = ["", ""];
  return (key, width, height, draw) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    if (size !== `${width} ${height}`) {
      size = `${width} ${height}`;
      gl.bindRenderbuffer(gl.RENDERBUFFER, pixels);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, pixels);
    }
    if (kept !== key) {
      kept = key;
      gl.clear(gl.COLOR_BUFFER_BIT);
      draw();
    }
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.clear(gl.COLOR_BUFFER_BIT); // without it, browsers clear the canvas after the copy
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  };
}

/** Call back with the milliseconds until everything that was drawn so far is done, without waiting for it. */
function timed(gl, report) {
  const [start, fence] = [performance.now(), gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)];
  gl.flush();
  const look = () => {
    if (gl.isContextLost()) return;
    if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
      setTimeout(look, 4);
      return;
    }
    gl.deleteSync(fence);
    report(performance.now() - start);
  };
  setTimeout(look, 0);
}

/** A renderer of so many dots and arcs on a canvas, or null where there is no WebGL 2. */
export function rendererOn(canvas, numDots, numArcs) {
  const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, premultipliedAlpha: true });
  if (!gl) return null;
  const arcs = arcLayer(gl, numArcs);
  const dots = layer(gl, DOT_VERTEX, DOT_FRAGMENT, { middle: 2, shade: 4, radius: 1 }, 1, () => gl.drawArrays(gl.POINTS, 0, numDots));
  const keep = keptPicture(gl);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.clearColor(0, 0, 0, 0);
  const renderer = {
    arcs,
    dots,
    milliseconds: 0, // that the last drawing of arcs took
    /** Draw what a view shows; arcs anew only if the view or `look` has changed. */
    draw(view, ratio, look, rim, grow) {
      gl.viewport(0, 0, canvas.width, canvas.height);
      const shared = { camera: [view.x, view.y, view.scale], window: [view.width, view.height] };
      keep(`${look} ${ratio} ${Object.values(shared)}`, canvas.width, canvas.height, () => {
        if (numArcs) arcs.draw({ ...shared, grow: [grow, ratio] });
        timed(gl, (milliseconds) => {
          renderer.milliseconds = milliseconds;
        });
      });
      dots.draw({ ...shared, rim, grow: [grow, ratio] });
    },
  };
  return renderer;
}
