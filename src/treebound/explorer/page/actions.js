// What a user can do to the evidence, by mouse or keyboard.

import { ask } from "./api.js";
import { change, remember, state } from "./state.js";

let before = null;

function without(mapping, name) {
  const { [name]: _, ...rest } = mapping;
  return rest;
}

/** The actions on a model; `isDoing` says whether clicks intervene instead of observe. */
export function actionsOn(model, notify) {
  const act = {
    isDoing: false,
    set(name, code) {
      const now = state();
      const field = act.isDoing ? "do" : "evidence";
      const other = act.isDoing ? "evidence" : "do";
      const isSet = now[field][name] === code;
      change({ [field]: isSet ? without(now[field], name) : { ...now[field], [name]: code }, [other]: without(now[other], name), selected: name });
    },
    clear(name) {
      change({ evidence: without(state().evidence, name), do: without(state().do, name) });
    },
    clearAll() {
      change({ evidence: {}, do: {}, row: null });
    },
    begin(name) {
      before = state();
      act.spreads = !Array.isArray(before.evidence[name]);
    },
    /** Give a state a likelihood; the first time, all others get the rest of one. */
    soft(name, code, value) {
      const rest = Number((1 - value).toFixed(3));
      const states = model.variables[model.index.get(name)].states;
      const likelihoods = act.spreads ? states.map(() => rest) : [...state().evidence[name]];
      likelihoods[code] = Number(value.toFixed(3));
      if (likelihoods.every((one) => one === 0)) likelihoods[code] = 0.001;
      change({ evidence: { ...state().evidence, [name]: likelihoods }, do: without(state().do, name), selected: name }, { passing: true });
    },
    end() {
      remember(before);
      before = null;
      notify(null);
    },
    nudge(name, code, way) {
      const known = state().evidence[name];
      const value = Array.isArray(known) ? known[code] : 0.5;
      act.begin(name);
      act.soft(name, code, Math.min(Math.max(value + way, 0), 1));
      act.end();
    },
    select(name) {
      const last = state().selected;
      if (last !== null && last !== name) act.last = last;
      change({ selected: name });
    },
    around: (name) => act.view("neighbourhood", name),
    /** Draw a part of the network around a variable. */
    view(kind, name = state().selected) {
      const now = state();
      if (kind === "whole") {
        change({ view: { kind: "whole", names: [], distance: 1 } });
      } else if (name === null) {
        notify("Select a variable first: click it, or search for it.");
      } else if (kind === "path") {
        if (!act.last || act.last === name) notify("Select two variables, one after the other; the path joins them.");
        else change({ view: { kind, names: [act.last, name], distance: 1 }, selected: name });
      } else {
        const isMore = kind === "neighbourhood" && now.view.kind === kind && now.view.names[0] === name;
        change({ view: { kind, names: [name], distance: isMore ? (now.view.distance % 4) + 1 : 1 }, selected: name });
      }
    },
    pin(name) {
      const targets = state().targets;
      change({ targets: targets.includes(name) ? targets.filter((one) => one !== name) : [...targets, name] });
    },
    /** Set evidence from what was typed: a state, a number, a list, a range or likelihoods. */
    async type(name, text) {
      try {
        const { finding, note } = await ask("find", { variable: name, text });
        notify(note);
        if (act.isDoing && Array.isArray(finding)) throw new Error("An intervention sets a single state.");
        const [field, other] = act.isDoing ? ["do", "evidence"] : ["evidence", "do"];
        change({ [field]: { ...state()[field], [name]: finding }, [other]: without(state()[other], name), selected: name });
      } catch (error) {
        notify(error.message);
      }
    },
  };
  return act;
}
