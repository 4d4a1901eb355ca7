"""The optimal forest of ten thousand variables, from rows: all pairs counted.

Apart from benchmarks.paper: the method is not in the experiments of the paper.
"""

from __future__ import annotations

from collections.abc import Iterator

from _common import Expect, Row, clocked, generated
from treebound import Budget, check, score
from treebound.solvers import ChowLiu, search

QUESTION = "How long does the optimal forest take at 10,000 variables and 5,000 rows?"
EXPECTED = [Expect("wall_s", at_most=60)]
NUM_VARIABLES = 10_000
NUM_ROWS = 5_000


def measure() -> Iterator[Row]:
    """One row per number of threads and range of states."""
    for states in ((2, 2), (2, 4)):
        data = generated(NUM_VARIABLES, NUM_ROWS, states)
        # A short look at the parent sets, so that there is a cache: the forest counts for itself.
        cache = score(data, budget=Budget(steps=NUM_VARIABLES)).cache
        for threads in (1, 2):
            result, wall, cpu = clocked(
                lambda data=data, cache=cache, threads=threads: search(
                    cache, 1, data=data, solver=ChowLiu(), budget=Budget(seconds=600), threads=threads
                )
            )
            verdict = check(result.structure, cache, 1, data=data)
            if not verdict:
                raise SystemExit(f"The checker refuses the forest: {verdict}")
            yield {
                "states": f"{states[0]} to {states[1]}",
                "threads": threads,
                "wall_s": wall,
                "cpu_s": cpu,
                "arcs": result.structure.num_arcs,
                "score": result.score,
                "all_pairs": result.statistics["has_counted_all_pairs"],
            }
