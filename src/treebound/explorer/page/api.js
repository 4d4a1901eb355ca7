// Questions to the server. The token comes with the link and goes out in a header.

import { token } from "./link.js";

/** Ask the server; throws an error with its message if there is no answer. */
export async function ask(question, body = {}) {
  let response;
  try {
    response = await fetch(`api/${question}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Treebound-Token": token() },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error("The explorer has stopped. Start it again with: treebound explore");
  }
  if (!response.ok) throw new Error((await response.json()).error);
  return unpacked(await response.arrayBuffer());
}

/** A function that asks one question at a time: of those that come meanwhile, only the last is asked. */
export function latest(work) {
  let running = false;
  let waiting = null;
  run.isWaiting = () => waiting !== null;
  return run;

  async function run(...inputs) {
    if (running) {
      waiting = inputs;
      return;
    }
    running = true;
    try {
      await work(...inputs);
    } finally {
      running = false;
      if (waiting) {
        const next = waiting;
        waiting = null;
        run(...next);
      }
    }
  }
}

const KINDS = { f8: Float64Array, f4: Float32Array, i4: Int32Array };

/** A message of the server: the length of its JSON, the JSON, and the arrays that the JSON names. */
function unpacked(message) {
  const length = new DataView(message).getUint32(0, true);
  const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(message, 4, length)));
  return withArrays(answer, message, 4 + length);
}

function withArrays(value, message, start) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  if (value.$array) {
    const [kind, first, length] = value.$array;
    return new KINDS[kind](message, start + first, length);
  }
  for (const key of Object.keys(value)) value[key] = withArrays(value[key], message, start);
  return value;
}
