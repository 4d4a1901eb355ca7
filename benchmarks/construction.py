"""One construction of k-G and of k-MAX beside the Java reference: how quick, and how good.

Variants: `paper` has uniform orders and random cliques, like the reference and nothing else; `partners` only
chooses its cliques with more care; `default` is the solver as it comes, whose steps depend on each other.
Rates are per processor second of one thread; the reference's include its start and the reading of its cache,
which is under a second. Run it on a quiet machine: a crowded one slows the reference far more than us, to a
third per processor second, and makes the ratio too good.

The reference takes sets of up to k-1 parents, so at k = 2 it builds trees. It prints mean and variance of its
scores, and the scores of two constructions per run (see ReferenceRun), of which several short runs
make a median. The gaps to its mean and median are in standard errors of the difference, so that above -2
no difference can be seen. `best_share` is the share of our batches, each of as many constructions as the
reference's long run had, whose best is at least the reference's.

Apart from benchmarks.paper: it needs the Java reference, and counts constructions.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

from _common import Expect, Row, Skip, has_reference
from _searching import BOUNDS, ReferenceRun, checked, named_cache, reference_search
from treebound import Budget, ParentSetCache
from treebound.solvers import CliquePolicy, KGreedy, KMax, OrderSampling, Solver

QUESTION = "How many constructions per second does one thread do on munin, and how good are they?"
EXPECTED = [
    *(Expect("times_reference", 100, where={"method": "k-G", "variant": v}) for v in ("paper", "default")),
    *(Expect("times_reference", 300, where={"method": "k-MAX", "variant": v}) for v in ("paper", "default")),
    Expect("mean_gap", at_least=-2),
    Expect("median_gap", at_least=-2),
    Expect("best_share", at_least=0.05),
]
NAME = "munin"
VARIANTS: dict[str, dict[str, Solver]] = {
    "k-G": {
        "paper": KGreedy(CliquePolicy.RANDOM, OrderSampling.UNIFORM),
        "partners": KGreedy(CliquePolicy.PARTNERS, OrderSampling.UNIFORM),
        "default": KGreedy(),
    },
    "k-MAX": {
        "paper": KMax(CliquePolicy.RANDOM, vary_limit=False, refine=False),
        "partners": KMax(CliquePolicy.PARTNERS, vary_limit=False, refine=False),
        "default": KMax(),
    },
}
SECONDS = 3.0
NUM_SAMPLES = 150
NUM_BATCHES = 20
REFERENCE_SECONDS = 30
# Short runs, long enough for a few constructions.
SAMPLE_SECONDS = {"k-G": 2, "k-MAX": 5}
NUM_SHORT_RUNS = 12
ERROR_OF_MEDIAN = math.sqrt(math.pi / 2)  # over that of the mean, for scores that are about normal


def measure() -> Iterator[Row | Skip]:
    """One row per bound, method and variant."""
    cache = named_cache(NAME)
    if isinstance(cache, Skip):
        yield cache
        return
    for bound in BOUNDS:
        for method, variants in VARIANTS.items():
            reference = reference_runs(method, bound)
            for variant, solver in variants.items():
                row: Row = {"k": bound, "method": method, "variant": variant}
                row["per_cpu_s"] = rate(cache, bound, solver)
                if reference:
                    long = reference[0]
                    row["reference_per_cpu_s"] = long.constructions / long.cpu_s
                    row["times_reference"] = row["per_cpu_s"] / row["reference_per_cpu_s"]
                yield row | ({} if variant == "default" else quality(cache, bound, solver, reference))


def reference_runs(method: str, bound: int) -> list[ReferenceRun]:
    """A long run and several short ones; none where there is no reference."""
    if not has_reference():
        return []
    seconds = [REFERENCE_SECONDS, *[SAMPLE_SECONDS[method]] * NUM_SHORT_RUNS]
    runs = [reference_search(NAME, method, bound, time, seed) for seed, time in enumerate(seconds, start=1)]
    return [run for run in runs if run is not None]


def rate(cache: ParentSetCache, bound: int, solver: Solver) -> float:
    """Steps per processor second, the best of three runs."""
    runs = [checked(cache, bound, solver, Budget(seconds=SECONDS)) for _ in range(3)]
    return max(result.steps / cpu for result, cpu in runs)


def quality(cache: ParentSetCache, bound: int, solver: Solver, reference: list[ReferenceRun]) -> Row:
    """Scores of single constructions, beside those of the reference."""

    def best(steps: int, seed: int) -> float:
        return checked(cache, bound, solver, Budget(steps=steps), seed)[0].score

    ours = [best(1, seed) for seed in range(NUM_SAMPLES)]
    row: Row = {"mean": statistics.fmean(ours), "median": statistics.median(ours)}
    if not reference:
        return row
    long = reference[0]
    theirs = [score for run in reference for score in run.samples]
    error = statistics.stdev(ours) / math.sqrt(len(ours))
    error_of_mean = math.sqrt(long.variance / long.constructions)
    error_of_median = statistics.stdev(theirs) / math.sqrt(len(theirs))
    batches = [best(long.constructions, NUM_SAMPLES + batch) for batch in range(NUM_BATCHES)]
    return row | {
        "reference_mean": long.mean,
        "mean_gap": (row["mean"] - long.mean) / math.hypot(error, error_of_mean),
        "reference_median": statistics.median(theirs),
        "median_gap": (row["median"] - statistics.median(theirs))
        / (ERROR_OF_MEDIAN * math.hypot(error, error_of_median)),
        "constructions": long.constructions,
        "best": statistics.median(batches),
        "reference_best": long.best,
        "best_share": sum(score >= long.best for score in batches) / NUM_BATCHES,
    }
