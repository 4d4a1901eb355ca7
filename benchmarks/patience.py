"""How long a search finds nothing and then something better after all.

Regrow runs on every cache without patience, with the time and the seed given. `longest_stall` is the largest
share of the budget between two improvements of which the second came, `last_at` the share at which the last
one came, and `lost` what the default patience would have lost, in per cent of the score. A search that ends
at the upper bound never stalls.

Apart from benchmarks.paper: it chooses a default, the patience of searches.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from _common import Expect, Row, Skip
from _searching import NAMES, checked, for_each_bound
from treebound import Budget, ParentSetCache
from treebound._budget import DEFAULT_PATIENCE
from treebound.solvers import Regrow, SearchResult

QUESTION = "Does anything better come after a stall of the default patience?"
EXPECTED = [Expect("lost", at_most=0.001)]
SECONDS = (10.0, 30.0)
SEEDS = (1, 2)
STEPS_PER_VARIABLE = 1000  # as in core/search/incumbent.hpp


def measure() -> Iterator[Row | Skip]:
    """One row per cache, bound, budget and seed."""
    return for_each_bound(NAMES, runs)


def runs(cache: ParentSetCache, bound: int) -> Iterator[Row]:
    """One row per budget and seed."""
    for seconds in SECONDS:
        for seed in SEEDS:
            yield {"seconds": seconds, "seed": seed, **rested(cache, bound, seconds, seed)}


def rested(cache: ParentSetCache, bound: int, seconds: float, seed: int) -> Row:
    """The rests of one run."""
    found, _ = checked(cache, bound, Regrow(exact=False), Budget(seconds=seconds, patience=None), seed)
    shares = [improvement.seconds / seconds for improvement in found.trace]
    return {
        "stopped": str(found.stopped),
        "longest_stall": max((b - a for a, b in pairwise(shares)), default=0.0),
        "last_at": shares[-1],
        "lost": 100 * (found.score - patient_score(found, seconds, cache.num_variables)) / abs(found.score),
    }


def patient_score(found: SearchResult, seconds: float, num_variables: int) -> float:
    """What the run would have ended with."""
    for one, following in pairwise(found.trace):
        is_long = following.seconds - one.seconds >= DEFAULT_PATIENCE * seconds
        if is_long and following.step - one.step >= STEPS_PER_VARIABLE * num_variables:
            return one.score
    return found.score
