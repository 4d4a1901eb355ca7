// Probabilities for what is set on the page. In large networks the bars on the screen come first, then all.

import { ask, latest } from "./api.js";

// From here on, to compute all marginals or to colour all dots takes longer than a second question.
const [MANY_CELLS, MANY_VARIABLES] = [2e6, 2000];

/** Take the marginals of some variables into the flat array of all. */
function take(model, names, found) {
  let first = 0;
  for (const name of names) {
    const v = model.index.get(name);
    const last = first + model.starts[v + 1] - model.starts[v];
    model.now.set(found.subarray(first, last), model.starts[v]);
    first = last;
  }
}

/** A function that asks for probabilities: `shown` names the bars on the screen, `on` is what to do then. */
export function answersOn(model, shown, on) {
  const isLarge = model.facts.cells > MANY_CELLS || model.count > MANY_VARIABLES;
  const run = latest(async (number, asked) => {
    try {
      const names = isLarge ? shown() : [];
      if (names.length) {
        const found = await ask("shown", { ...asked, names });
        take(model, names, found.posterior);
        model.answer.logProbability = found.log_probability;
        model.problem = null;
        on.bars(number);
        if (run.isWaiting()) return; // for a newer question
      }
      const found = await ask("posterior", asked);
      model.now = found.posterior;
      model.answer = { milliseconds: found.milliseconds, logProbability: found.log_probability, uncertain: found.uncertain_arcs };
      model.problem = null;
      on.all(number);
    } catch (error) {
      model.problem = error.message;
      on.failure(number);
    }
  });
  return run;
}
