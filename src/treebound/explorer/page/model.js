// The network as the server sends it once, with the probabilities of the last answer.

import { clean } from "./dom.js";

/** Turn what the server sent into arrays and look-ups. */
export function modelOf(sent) {
  const variables = sent.variables;
  const arcs = sent.arcs;
  const model = {
    name: sent.name,
    variables,
    count: variables.length,
    index: new Map(variables.map((variable, v) => [variable.name, v])),
    starts: sent.starts,
    prior: sent.prior,
    now: sent.prior.slice(),
    points: sent.points.map((value, i) => (i % 2 ? -value : value)), // down, as on the screen
    arcs,
    strengths: sent.strengths,
    communities: sent.communities,
    near: variables.map(() => []),
    latent: [...variables.keys()].filter((v) => variables[v].hidden),
    bags: {
      members: sent.bags.members,
      starts: sent.bags.starts,
      points: sent.bags.points.map((value, i) => (i % 2 ? -value : value)),
      links: sent.bags.links,
    },
    facts: sent.facts,
    rows: sent.rows,
    cards: sent.cards,
    problem: null, // why there are no probabilities for what is set
    answer: { milliseconds: null, logProbability: 0, uncertain: [] },
  };
  for (let i = 0; i < arcs.length; i += 2) {
    model.near[arcs[i]].push(arcs[i + 1]);
    model.near[arcs[i + 1]].push(arcs[i]);
  }
  return model;
}

/** The part of flat probabilities that belongs to a variable. */
export const of = (model, flat, v) => flat.subarray(model.starts[v], model.starts[v + 1]);

/** The name of a variable, and whether it is hidden: no column of the table shows it. */
export const titleOf = (variable) => clean(variable.name) + (variable.hidden ? " (hidden variable)" : "");

/** The most probable state. */
export function best(shares) {
  let found = 0;
  for (let i = 1; i < shares.length; i++) if (shares[i] > shares[found]) found = i;
  return found;
}

/** Entropy as a share of what as many states can have. */
export function entropy(shares) {
  let sum = 0;
  for (const share of shares) if (share > 0) sum -= share * Math.log(share);
  return shares.length > 1 ? sum / Math.log(shares.length) : 0;
}

/** How far evidence has moved a variable: KL(posterior || prior), in nats. */
export function moved(after, before) {
  let sum = 0;
  for (let i = 0; i < after.length; i++) if (after[i] > 0) sum += after[i] * Math.log(after[i] / before[i]);
  return Math.max(sum, 0);
}

export function percent(share) {
  const value = 100 * share;
  if (value === 0 || value === 100) return `${value}`;
  if (value < 0.05) return "<0.1";
  if (value > 99.95) return ">99.9";
  return value.toFixed(1);
}

/** A probability from its logarithm, also where it is too small for a number. */
export function spelled(log) {
  const ten = log / Math.LN10;
  if (ten > -4) return Math.exp(log).toPrecision(4);
  const exponent = Math.floor(ten);
  return `${(10 ** (ten - exponent)).toFixed(2)}e${exponent}`;
}

export function milliseconds(value) {
  return value < 10 ? value.toFixed(1) : Math.round(value).toString();
}
