"""
Arc confidence by bootstrap
===========================

Which arcs of a learned network can you trust? Learn again from resampled rows and count how often each arc
comes back. The rows are sampled from a network that we write down, so we can see which arcs are true.
"""

# %%
import treebound as tb

PARENTS = {
    "season": [],
    "rain": ["season"],
    "sprinkler": ["season"],
    "wet grass": ["rain", "sprinkler"],
    "slippery": ["wet grass"],
    "bus late": ["rain"],
    "holiday": ["season"],
}
TABLES = {
    "season": {"dry": 0.5, "wet": 0.5},
    "rain": {"dry": {"yes": 0.1, "no": 0.9}, "wet": {"yes": 0.6, "no": 0.4}},
    "sprinkler": {"dry": {"on": 0.5, "off": 0.5}, "wet": {"on": 0.1, "off": 0.9}},
    "wet grass": {
        "yes": {"on": {"yes": 0.99, "no": 0.01}, "off": {"yes": 0.9, "no": 0.1}},
        "no": {"on": {"yes": 0.9, "no": 0.1}, "off": {"yes": 0.02, "no": 0.98}},
    },
    "slippery": {"yes": {"yes": 0.7, "no": 0.3}, "no": {"yes": 0.05, "no": 0.95}},
    "bus late": {"yes": {"yes": 0.35, "no": 0.65}, "no": {"yes": 0.2, "no": 0.8}},
    "holiday": {"dry": {"yes": 0.28, "no": 0.72}, "wet": {"yes": 0.22, "no": 0.78}},
}
truth = tb.BayesianNetwork.from_tables(TABLES, parents=PARENTS)
rows = truth.sample(600, seed=1)

# %%
# Forty networks from resampled rows. ``strength`` is the share of them in which two variables are adjacent,
# ``direction`` the share of these with the arc this way.

strength = tb.resampling.arc_strength(rows, 2, method=tb.resampling.Bootstrap(40), budget=tb.Budget(steps=10))
tb.plot.plot_arc_strength(strength)

# %%
# Strong arcs are true here, weak ones are a matter of chance. Directions near 50 % are those that no data
# determine.

adjacent = {frozenset(arc) for arc in truth.structure.arcs}
for arc in strength.arcs:
    is_true = "true" if frozenset((arc.parent, arc.child)) in adjacent else "not true"
    print(f"{arc.strength:4.0%}  direction {arc.direction:4.0%}  {arc.parent} -> {arc.child}: {is_true}")

# %%
# The consensus network keeps the strong arcs within the treewidth limit.

consensus = strength.consensus
print(consensus)
tb.plot.plot_structure(consensus)
