"""
Add prior knowledge
===================

Data cannot tell causes from effects, but people can: nothing causes age, and a treatment comes after the
diagnosis. Constraints state what you know, and every network that is learned obeys them.
"""

# %%
# A small clinic, sampled from a network that we write down, so the truth is known.

import treebound as tb

clinic = tb.BayesianNetwork.from_tables(
    {
        "age": {"young": 0.4, "middle": 0.35, "old": 0.25},
        "smoker": {
            "young": {"yes": 0.35, "no": 0.65},
            "middle": {"yes": 0.25, "no": 0.75},
            "old": {"yes": 0.1, "no": 0.9},
        },
        "bronchitis": {"yes": {"yes": 0.45, "no": 0.55}, "no": {"yes": 0.1, "no": 0.9}},
        "cough": {"yes": {"yes": 0.8, "no": 0.2}, "no": {"yes": 0.15, "no": 0.85}},
        "treatment": {"yes": {"yes": 0.7, "no": 0.3}, "no": {"yes": 0.05, "no": 0.95}},
    },
    parents={
        "age": [],
        "smoker": ["age"],
        "bronchitis": ["smoker"],
        "cough": ["bronchitis"],
        "treatment": ["bronchitis"],
    },
)
patients = clinic.sample(1500, seed=1)

# %%
# Without knowledge the search may direct arcs either way, since the data do not determine the direction.

budget = tb.Budget(steps=50)
free = tb.learn(patients, max_treewidth=2, budget=budget)
print("without:", ", ".join(f"{parent} -> {child}" for parent, child in free.structure.arcs))

# %%
# Tiers order the variables in time: no arc leads back to an earlier tier. One arc is also required.

known = tb.Constraints(
    tiers=[["age"], ["smoker"], ["bronchitis"], ["cough", "treatment"]],
    required=["smoker -> bronchitis"],
)
print(known)
result = tb.learn(patients, max_treewidth=2, constraints=known, budget=budget)
print("with:   ", ", ".join(f"{parent} -> {child}" for parent, child in result.structure.arcs))

# %%
# Required arcs are drawn thick.

tb.plot.plot_structure(result.structure)

# %%
# With directions that are known, you can compute effects: how many would cough if no one smoked?

network = result.network
print(f"now:               {network.posterior('cough')['yes']:.1%}")
print(f"if no one smoked:  {network.do({'smoker': 'no'}).posterior('cough')['yes']:.1%}")

# %%
# Contradictions are found before anything is scored, with the shortest reason.

try:
    tb.learn(patients, max_treewidth=2, constraints=known | tb.Constraints(required=["cough -> age"]))
except tb.constraints.ContradictionError as error:
    print(error)
