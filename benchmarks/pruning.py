"""What each pruning rule is worth: the "further analyses of the bounds" that the paper leaves open.

`removed` is the share of all possible sets that were never scored because a rule closed them or a subset of
them. The rule `dominated` closes nothing: it drops sets after they were scored, in a column of its own.
`entropy` may also close a set once it is scored, which spares what contains it. One thread; times are
processor seconds, `saved` the share of the time without any closing rule (`dominated` on in both).
"""

from __future__ import annotations

from collections.abc import Iterator

import treebound
from _common import Expect, Row, Skip, dataset, exhaustive, generated, num_sets

QUESTION = "How many sets does each rule remove, alone and with all others, and what time does that save?"
EXPECTED = [
    Expect("removed", at_least=0.0, at_most=1.0),
    Expect("same_best", at_least=1, at_most=1),
]

CASES = [
    ("zoo", 3),
    ("nltcs.train", 3),
    ("adult", 3),
    ("zoo", 5),
    ("child-5000", 3),
    ("child-5000", 5),
    ("mushroom", 3),
    ("water-5000", 3),
    ("alarm-5000", 3),
    ("hepar2-5000", 3),
    ("munin1-5000", 2),
    ("generated n=50", 3),
]
CLOSING = ("in_degree", "theorem1", "de_campos_ji", "entropy")


def measure() -> Iterator[Row | Skip]:
    """One row per data set and choice of rules."""
    for name, max_parents in CASES:
        data = generated(50, 5000, (2, 5)) if name.startswith("generated") else dataset(name)
        if isinstance(data, Skip):
            yield data
        else:
            yield from rows_of(name, data, max_parents)


def rows_of(name: str, data: treebound.Dataset, max_parents: int) -> Iterator[Row]:
    """The rows of one data set: no closing rule, each alone, all."""
    total = data.num_variables * num_sets(data.num_variables, max_parents)
    plain = None
    for label, rules in [("none", ()), *((rule, (rule,)) for rule in CLOSING), ("all", CLOSING)]:
        run = best_of(data, max_parents, (*rules, "dominated"))
        plain = plain or run
        report = run["report"]
        yield {
            "data": name,
            "variables": data.num_variables,
            "rows": data.num_rows,
            "max_parents": max_parents,
            "total_sets": total,
            "rules": label,
            "scored": report.sets_scored,
            "removed": 1 - report.sets_scored / total,
            "dominated": report.pruned["dominated"],
            "kept": report.sets_kept,
            "cpu_s": run["cpu_s"],
            "saved": 1 - run["cpu_s"] / plain["cpu_s"],
            "same_best": int(abs(report.sum_of_best - plain["report"].sum_of_best) < 1e-6),
        }


def best_of(data: treebound.Dataset, max_parents: int, rules: tuple[str, ...]) -> Row:
    """The quickest of three to twenty runs, for about two seconds."""
    runs = [exhaustive(data, max_parents, rules)]
    while len(runs) < 3 or (len(runs) < 20 and sum(run["cpu_s"] for run in runs) < 2):
        runs.append(exhaustive(data, max_parents, rules))
    return min(runs, key=lambda run: run["cpu_s"])
