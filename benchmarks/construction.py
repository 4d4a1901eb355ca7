"""One construction of k-G and of k-MAX beside the Java reference: how quick, and how good.

Like is compared with like: uniform orders, random cliques, nothing that the papers do not have. As it comes
the solver does `default_per_cpu_s` steps. Rates are per processor second of one thread; the reference's
include its start and the reading of its cache, which is under a second. Medians are over independent
constructions: ours of many seeds, the reference's of the few that each of several short runs tells (see
ReferenceRun). The bests are those of equally many constructions. The reference takes sets of up to k-1
parents, so at k = 2 it builds trees.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from _common import Expect, Row, Skip, has_reference
from _searching import BOUNDS, judged, named_cache, reference_search
from treebound import Budget, KGreedy, KMax, ParentSetCache
from treebound.search import CliquePolicy, OrderSampling, Solver

QUESTION = "How many constructions per second does one thread do on munin, and how good are they?"
EXPECTED = [
    Expect("times_reference", at_least=100, where={"method": "k-G"}),
    Expect("times_reference", at_least=300, where={"method": "k-MAX"}),
    Expect("median_gain", at_least=0),
    Expect("best_gain", at_least=0),
]
NAME = "munin"
# Method: as in the papers, and as it comes.
SOLVERS: dict[str, tuple[Solver, Solver]] = {
    "k-G": (KGreedy(CliquePolicy.RANDOM, OrderSampling.UNIFORM), KGreedy()),
    "k-MAX": (KMax(CliquePolicy.RANDOM, vary_limit=False, refine=False), KMax()),
}
SECONDS = 3.0
REFERENCE_SECONDS = 20
SAMPLE_SECONDS = {"k-G": 2, "k-MAX": 5}
NUM_SAMPLES = 100
NUM_REFERENCE_RUNS = 12


def measure() -> Iterator[Row | Skip]:
    """One row per bound and method."""
    cache = named_cache(NAME)
    if isinstance(cache, Skip):
        yield cache
        return
    for bound in BOUNDS:
        for method, (plain, default) in SOLVERS.items():
            row: Row = {"cache": NAME, "k": bound, "method": method}
            row["per_cpu_s"] = rate(cache, bound, plain)
            row["default_per_cpu_s"] = rate(cache, bound, default)
            row["median"] = median(cache, bound, plain)
            if has_reference():
                row |= beside_reference(cache, bound, method, row)
            yield row


def rate(cache: ParentSetCache, bound: int, solver: Solver) -> float:
    """Steps per processor second, the best of three runs."""
    runs = [judged(cache, bound, solver, Budget(seconds=SECONDS)) for _ in range(3)]
    return max(result.steps / cpu for result, cpu in runs)


def median(cache: ParentSetCache, bound: int, solver: Solver) -> float:
    """Of the scores of single constructions."""
    runs = [judged(cache, bound, solver, Budget(steps=1), seed)[0] for seed in range(NUM_SAMPLES)]
    return statistics.median(result.score for result in runs)


def beside_reference(cache: ParentSetCache, bound: int, method: str, ours: Row) -> Row:
    """The same of the reference, and how far ours is above it."""
    run = reference_search(NAME, method, bound, REFERENCE_SECONDS)
    assert run is not None
    short = [
        reference_search(NAME, method, bound, SAMPLE_SECONDS[method], seed)
        for seed in range(2, 2 + NUM_REFERENCE_RUNS)
    ]
    samples = [score for found in [run, *short] if found is not None for score in found.samples]
    best, _ = judged(cache, bound, SOLVERS[method][0], Budget(steps=run.constructions))
    reference_rate = run.constructions / run.cpu_s
    return {
        "reference_per_cpu_s": reference_rate,
        "times_reference": ours["per_cpu_s"] / reference_rate,
        "reference_median": statistics.median(samples),
        "median_gain": ours["median"] - statistics.median(samples),
        "constructions": run.constructions,
        "best": best.score,
        "reference_best": run.best,
        "best_gain": best.score - run.best,
    }
