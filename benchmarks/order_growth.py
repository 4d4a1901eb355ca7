"""How the time of one construction grows with the variables and with the bound.

The caches are made here: every variable has as many sets, of up to six parents drawn from a dozen random
candidates, so that only n grows. Processor time of one thread without what is done once per search.

Apart from benchmarks.paper: it measures growth with the number of variables.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from _common import Expect, Row
from treebound import Budget, ParentSetCache, Progress
from treebound.solvers import CliquePolicy, KGreedy, KMax, OrderSampling, Solver, search

QUESTION = "How does the time of one construction grow with n = 500..10,000 and k = 2..8?"
EXPECTED = [
    # Above linear, because the lists and the k-tree leave the nearest caches as n grows.
    Expect("exponent_in_n", at_most=1.5),
    Expect("exponent_in_k", at_most=1.5),
]
NUM_VARIABLES = (500, 1_000, 2_000, 5_000, 10_000)
BOUNDS = (2, 3, 4, 6, 8)
SETS_PER_VARIABLE = 60
NUM_CANDIDATES = 12
SECONDS = 2.0
SOLVERS: dict[str, Solver] = {
    "k-G, uniform": KGreedy(CliquePolicy.RANDOM, OrderSampling.UNIFORM),
    "k-G": KGreedy(),
    "k-MAX, plain": KMax(CliquePolicy.RANDOM, vary_limit=False, refine=False),
}


def measure() -> Iterator[Row]:
    """One row per solver, n and bound, then the exponents."""
    times: dict[tuple[str, int, int], float] = {}
    for n in NUM_VARIABLES:
        cache = random_cache(n)
        for bound in BOUNDS:
            for name, solver in SOLVERS.items():
                seconds = times[name, n, bound] = seconds_per_construction(cache, bound, solver)
                yield {"solver": name, "n": n, "k": bound, "us_per_construction": 1e6 * seconds}
    for name in SOLVERS:
        for bound in BOUNDS:
            exponent = fitted(NUM_VARIABLES, [times[name, n, bound] for n in NUM_VARIABLES])
            yield {"solver": name, "k": bound, "exponent_in_n": exponent}
        for n in NUM_VARIABLES:
            exponent = fitted(BOUNDS, [times[name, n, bound] for bound in BOUNDS])
            yield {"solver": name, "n": n, "exponent_in_k": exponent}


def seconds_per_construction(cache: ParentSetCache, bound: int, solver: Solver) -> float:
    """Processor seconds of a step between the first report and the last, so without the preparation."""
    seen: list[tuple[float, int]] = []

    def note(progress: Progress) -> None:
        seen.append((time.process_time(), progress.steps))

    search(cache, bound, solver=solver, budget=Budget(seconds=SECONDS), seed=1, threads=1, progress=note)
    (began, first), (ended, last) = seen[0], seen[-1]
    return (ended - began) / (last - first)


def fitted(values: tuple[int, ...], seconds: list[float]) -> float:
    """The exponent of the power law through the points."""
    return float(np.polyfit(np.log(values), np.log(seconds), 1)[0])


def random_cache(num_variables: int) -> ParentSetCache:
    """Random sets with random gains; larger sets gain more, as in scored tables."""
    rng = np.random.default_rng(1)
    sets: dict[str, list[tuple[tuple[int, ...], float]]] = {}
    for v in range(num_variables):
        candidates = (v + rng.choice(num_variables - 1, NUM_CANDIDATES, replace=False) + 1) % num_variables
        drawn = {
            tuple(sorted(rng.choice(candidates, rng.integers(1, 7), replace=False).tolist()))
            for _ in range(SETS_PER_VARIABLE)
        }
        gains = rng.uniform(0, 100, len(drawn))
        scored = [
            (chosen, -1000.0 + gain * len(chosen)) for chosen, gain in zip(sorted(drawn), gains, strict=True)
        ]
        sets[f"x{v}"] = [((), -1000.0), *scored]
    return ParentSetCache.from_sets(sets)
