"""How close upper bounds come to the scores that Regrow finds.

The trivial bound is the sum of the best scores of sets within the treewidth; the other also counts what
conflicts between the sets cost. Gaps are shares of the score in per cent; `closed` is the share of the
trivial gap that the conflicts close.

Apart from benchmarks.paper: it measures upper bounds on scores, not those that prune parent sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from _common import Expect, Row, Skip, clocked
from _searching import NAMES, checked, for_each_bound
from treebound import Budget, ParentSetCache, _core
from treebound.solvers import Regrow, searchable

QUESTION = "How far can the best structures be from what Regrow finds, and what does it cost to know?"
EXPECTED = [
    Expect("gap_percent", at_least=0),
    Expect("closed", at_least=0, at_most=1),
    Expect("bound_cpu_s", at_most=1),
]
SECONDS = 5.0


def measure() -> Iterator[Row | Skip]:
    """One row per cache and bound."""
    return for_each_bound(NAMES, compared)


def compared(cache: ParentSetCache, bound: int) -> Iterator[Row]:
    """The score of a few seconds beside both bounds."""
    problem = searchable(cache, bound)
    run = _core.Run(math.inf, _core.Run.NO_LIMIT, 1)
    tight, _, cpu = clocked(lambda: _core.upper_bound(problem, run))
    found, _ = checked(cache, bound, Regrow(), Budget(seconds=SECONDS))
    trivial_gap, gap = problem.sum_of_best - found.score, tight - found.score
    yield {
        "n": cache.num_variables,
        "sets": len(problem.scores),
        "score": found.score,
        "trivial_gap_percent": 100 * trivial_gap / abs(found.score),
        "gap_percent": 100 * max(0.0, gap) / abs(found.score),
        "closed": 1 - gap / trivial_gap if trivial_gap > 0 else 1.0,
        "bound_cpu_s": cpu,
        "stopped": str(found.stopped),
        "seconds": found.seconds,
    }
