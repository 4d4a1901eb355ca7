"""What S2, S2+, k-G and k-A* propose: iterations, and the median and the best of their solutions.

S2 draws more k-trees than it accepts, and leaves unsolved those that cannot beat the best; k-G gives up such
orders. Neither changes the maximum, and both are counted. So medians come from runs of their own: one of S2
and S2+ that solves every k-tree, and of k-G and k-A* a hundred orders, or as many as the same time allows.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from benchmarks.paper._data import instances
from benchmarks.paper._definitions import SourceDefinition, load_methods
from benchmarks.paper._measure import Row

from treebound import Budget, Dataset, Independence, Local, ParentSetCache, check, score
from treebound.solvers import S2, S2Plus, Solver, Takes, entry_of, search

NUM_SAMPLES = 100
LEAST_SAMPLES = 5
COUNTED = ("num_proved", "num_skipped", "num_out_of_memory", "num_exact")


def measure(asked: Mapping[str, Any]) -> Iterator[Row]:
    """A row per method."""
    source = SourceDefinition(**asked["source"])
    data = instances(source)[0].open()
    assert isinstance(data, Dataset)
    sets = Independence(int(source.max_parents or 0))
    budget = Budget(seconds=asked["scoring_seconds"], patience=None)
    cache = score(data, parent_sets=sets, budget=budget, where=Local(threads=1)).cache
    for label in source.methods:
        method = load_methods()[label]
        solver = method.record
        yield {
            "source": source.name,
            "method": label,
            "k": source.treewidth,
            "budget_seconds": asked["seconds"],
            "printed_seconds": asked["printed_seconds"],
            **proposed(cache, data, solver, int(source.treewidth or 0), asked["seconds"]),
            "printed": list(source.printed[method.counts_as or label]),
        }


def proposed(cache: ParentSetCache, data: Dataset, solver: Solver, bound: int, seconds: float) -> Row:
    """Iterations, median and maximum of one method, and how many solutions it drew, accepted or not."""
    budget = Budget(seconds=seconds, patience=None)
    rows = data if Takes.ROWS in entry_of(solver).takes else None
    found = search(cache, bound, data=rows, solver=solver, budget=budget, threads=1)
    verdict = check(found.structure, cache, bound)
    if not verdict:
        raise ValueError(f"the checker says: {verdict}")
    if isinstance(solver, S2 | S2Plus):
        every = replace(solver, skip_beaten=False)
        again = search(cache, bound, data=rows, solver=every, budget=budget, threads=1)
        middle = float(again.statistics["median_score"])
    else:
        middle = statistics.median(samples(cache, bound, solver, seconds))
    drawn = found.statistics.get("num_drawn", found.steps)
    figures = {"iterations": found.steps, "drawn": drawn, "seconds": found.seconds}
    counted = {name: found.statistics[name] for name in COUNTED if name in found.statistics}
    return {**figures, **counted, "median": middle, "maximum": found.score}


def samples(cache: ParentSetCache, bound: int, solver: Solver, seconds: float) -> list[float]:
    """Scores of single orders."""
    end, scores = time.monotonic() + seconds, list[float]()
    while len(scores) < LEAST_SAMPLES or (len(scores) < NUM_SAMPLES and time.monotonic() < end):
        one = search(cache, bound, solver=solver, budget=Budget(steps=1), seed=len(scores) + 1, threads=1)
        scores.append(one.score)
    return scores
