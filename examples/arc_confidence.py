"""Arc confidence by bootstrap
===========================

How sure are the arcs? Learn again and again from resampled rows, and count.

    python examples/arc_confidence.py

The rows come from a network that is written by hand, so that we can see which of the arcs are true. With 600
rows some are sure, some are not, and few of the unsure ones are true.
"""

from __future__ import annotations

import treebound as tb

CAUSES = {
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


def main() -> None:
    truth = tb.BayesianNetwork.from_tables(TABLES, parents=CAUSES)
    table = truth.sample(600, seed=1)
    joined = {frozenset(arc) for arc in truth.structure.arcs}

    strength = tb.resampling.arc_strength(
        table, 2, method=tb.resampling.Bootstrap(40), budget=tb.Budget(steps=10)
    )
    print(f"{len(strength.networks)} networks from resampled rows:\n")
    print("strength                         direction  true?")
    for arc in strength.arcs:
        bar = "#" * round(20 * arc.strength)
        is_true = "yes" if frozenset((arc.parent, arc.child)) in joined else "-"
        names = f"{arc.parent} -> {arc.child}"
        print(f"{arc.strength:4.0%} {bar:20}  {arc.direction:14.0%}  {is_true:5} {names}")

    consensus = strength.consensus
    print(f"\nOne network for all of them, of treewidth {consensus.treewidth}:")
    for parent, child in consensus.arcs:
        print(f"  {parent} -> {child}")
    found = {frozenset(arc) for arc in consensus.arcs}
    print(f"It has {len(found & joined)} of the {len(joined)} true pairs, and {len(found - joined)} others.")
    print("Half-sure directions are those that no rows can tell: both ways explain them equally well.")


if __name__ == "__main__":
    main()
