"""What each pruning rule is worth: the "further analyses of the bounds" that the paper leaves open.

`removed` is the share of all possible sets that were never scored because a rule closed them or a subset of
them. The rule `dominated` closes nothing: it drops sets after they were scored. One thread; times are
processor seconds of the quicker of two runs, `saved` the share of the time without any closing rule
(`dominated` on in both).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks._common import exhaustive, num_sets
from benchmarks.paper._data import instances
from benchmarks.paper._definitions import SourceDefinition
from benchmarks.paper._lemma import lemma_row
from benchmarks.paper._measure import Row

from treebound import Dataset

# A second run tells nothing of what takes this long.
LONG_SECONDS = 2.0


def measure(asked: Mapping[str, Any]) -> Iterator[Row]:
    """A row per choice of rules: none that closes, each alone, pairs, all. Then one for their lemma."""
    source, rules = SourceDefinition(**asked["source"]), tuple(asked["rules"])
    data = instances(source)[0].open()
    assert isinstance(data, Dataset)
    max_parents = int(source.max_parents or 0)
    total = data.num_variables * num_sets(data.num_variables, max_parents)
    plain = None
    singles = tuple(rule for rule in rules if "+" not in rule)
    for label, chosen in [
        ("none", ()),
        *((rule, tuple(rule.split("+"))) for rule in rules),
        ("all", singles),
    ]:
        run = quicker(data, max_parents, (*chosen, "dominated"))
        plain = plain or run
        report = run["report"]
        yield {
            "source": source.name,
            "variables": data.num_variables,
            "rows": data.num_rows,
            "max_parents": max_parents,
            "total_sets": total,
            "rules": label,
            "scored": report.sets_scored,
            "removed": 1 - report.sets_scored / total,
            "kept": report.sets_kept,
            "cpu_s": run["cpu_s"],
            "saved": 1 - run["cpu_s"] / plain["cpu_s"],
            "same_best": abs(report.sum_of_best - plain["report"].sum_of_best) < 1e-6,
        }
    yield {"source": source.name, **lemma_row(data, max_parents)}


def quicker(data: Dataset, max_parents: int, rules: tuple[str, ...]) -> Row:
    """The quicker of two runs."""
    first = exhaustive(data, max_parents, rules)
    if first["cpu_s"] > LONG_SECONDS:
        return first
    return min(first, exhaustive(data, max_parents, rules), key=lambda run: run["cpu_s"])
