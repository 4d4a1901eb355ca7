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
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** A function that asks one question at a time: of those that come meanwhile, only the last is asked. */
export function latest(work) {
  let running = false;
  let waiting = null;
  return async function run(...inputs) {
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
  };
}

function bytes(text) {
  const signs = atob(text);
  const found = new Uint8Array(signs.length);
  for (let i = 0; i < signs.length; i++) found[i] = signs.charCodeAt(i);
  return found.buffer;
}

export const doubles = (text) => new Float64Array(bytes(text));
export const floats = (text) => new Float32Array(bytes(text));
export const integers = (text) => new Int32Array(bytes(text));
