"""Regrow and k-MAX over time at 2,000, 4,000 and 10,000 variables.

Random networks like the paper's R2, R4 and R10 (2 to 4 states, 0 to 6 parents, 5,000 rows), a cache of 15
seconds' scoring, bound 5, two threads. Regrow runs on the cache alone, as k-MAX does, and with the table to
score further families from. Moves per second must not fall with the number of variables.

Apart from benchmarks.paper: it measures growth with the number of variables.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator

from _common import Expect, Row
from treebound import Budget, check, random_network, score
from treebound.solvers import KMax, Regrow, SearchResult, search

QUESTION = "How do Regrow and k-MAX improve over time as the number of variables grows?"
EXPECTED = [
    Expect("gain_on_kmax", at_least=0),
    Expect("moves_per_s", at_least=5_000, where={"solver": "regrow"}),
]
SIZES = (2_000, 4_000, 10_000)
SECONDS = 15.0
SCORING_SECONDS = 15.0
BOUND = 5
MOVES_PER_STEP = 256


def measure() -> Iterator[Row]:
    """One row per size and solver."""
    curves: dict[int, dict[str, SearchResult]] = {}
    for size in SIZES:
        data = random_network(size, seed=1).sample(5_000, seed=1)
        cache = score(data, budget=Budget(seconds=SCORING_SECONDS)).cache
        runs = {
            "k-MAX": (KMax(), None),
            "regrow": (Regrow(), None),
            "regrow with the table": (Regrow(), data),
        }
        curves[size] = {}
        for name, (solver, rows) in runs.items():
            found = search(cache, BOUND, solver=solver, data=rows, budget=Budget(seconds=SECONDS), seed=1)
            verdict = check(found.structure, cache, BOUND, data=rows)
            if not verdict:
                raise SystemExit(f"{name} at {size}: {verdict}")
            curves[size][name] = found
            row = {"n": size, "solver": name, "score": found.score, "start": found.trace[0].score}
            if solver.name == "regrow":
                row["gain_on_kmax"] = found.score - curves[size]["k-MAX"].score
                row["moves_per_s"] = MOVES_PER_STEP * found.steps / found.seconds
            row["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            yield row
