// What the page shows, in one place: changed only by `change`, kept in the link, with undo and redo.

import { keep, linked } from "./link.js";

const EMPTY = {
  evidence: {}, // name -> number of a state, or a list of likelihoods
  do: {}, // name -> number of a state
  targets: [], // names that are pinned
  row: null, // a row of the table whose cells are known
  view: { kind: "auto", names: [], distance: 1 },
  selected: null,
  colour: "auto",
  tree: false,
  tab: "evidence",
};
// What undo takes back; all else is a matter of looking.
const UNDONE = ["evidence", "do", "targets", "row", "view"];

let now = structuredClone(EMPTY);
let past = [];
let future = [];
const listeners = [];

export const state = () => now;
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/** Call with (state, names of the fields that changed) after every change. */
export function listen(listener) {
  listeners.push(listener);
}

const core = (one) => JSON.stringify(UNDONE.map((field) => one[field]));

function set(next) {
  const changed = Object.keys(next).filter((field) => JSON.stringify(next[field]) !== JSON.stringify(now[field]));
  if (!changed.length) return;
  now = next;
  keep(now);
  for (const listener of listeners) listener(now, new Set(changed));
}

/** Change some fields. A passing change, such as a step of a drag, leaves no trace for undo. */
export function change(fields, { passing = false } = {}) {
  const next = { ...now, ...structuredClone(fields) };
  if (!passing && core(next) !== core(now)) push(now);
  set(next);
}

function push(one) {
  past.push(structuredClone(one));
  past = past.slice(-500);
  future = [];
}

/** Let undo come back to a state from which passing changes led to this one. */
export function remember(one) {
  if (core(one) === core(now)) return;
  push(one);
  for (const listener of listeners) listener(now, new Set());
}

function travel(from, to) {
  if (!from.length) return;
  to.push(structuredClone(now));
  const target = from.pop();
  set({ ...now, ...Object.fromEntries(UNDONE.map((field) => [field, target[field]])) });
}

export const undo = () => travel(past, future);
export const redo = () => travel(future, past);

/** Begin with what the link says, as far as it fits the network. */
export function begin(fits) {
  now = fits({ ...structuredClone(EMPTY), ...(linked() ?? {}) });
  keep(now);
  for (const listener of listeners) listener(now, new Set(Object.keys(now)));
}
