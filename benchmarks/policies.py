"""Which clique policy, order sampler and additions to k-MAX find the best scores in the same time?

`first_places` counts the pairs of cache and bound where no solver of the same family is better; the gaps are
distances to the best of the family in 0.01 % of its score.

Apart from benchmarks.paper: it chooses the defaults of k-G and k-MAX; there k-G is as printed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from _common import Expect, Row, Skip
from _searching import checked, for_each_bound
from treebound import Budget, ParentSetCache
from treebound.solvers import CliquePolicy, KGreedy, KMax, OrderSampling, Solver

QUESTION = "Which policies of k-G and k-MAX find the best scores in the same time?"
EXPECTED = [Expect("mean_gap", at_most=10, where={"is_default": True})]
NAMES = ("child", "alarm", "hepar2", "water", "mildew", "barley", "munin1", "diabetes", "pigs", "munin")
SECONDS = 1.0
# Family: name of the variant, and the solver for each policy.
FAMILIES = {
    "k-G": {str(orders): lambda policy, orders=orders: KGreedy(policy, orders) for orders in OrderSampling},
    "k-MAX": {
        "plain": lambda policy: KMax(policy, vary_limit=False, refine=False),
        "vary_limit": lambda policy: KMax(policy, refine=False),
        "vary_limit, refine": KMax,
    },
}


def measure() -> Iterator[Row | Skip]:
    """One row per solver, over all caches and bounds."""
    gaps: dict[Solver, list[float]] = defaultdict(list)

    def add_gaps(cache: ParentSetCache, bound: int) -> list[Row]:
        for variants in FAMILIES.values():
            solvers = [make(policy) for make in variants.values() for policy in CliquePolicy]
            scores = [checked(cache, bound, solver, Budget(seconds=SECONDS))[0].score for solver in solvers]
            for solver, score in zip(solvers, scores, strict=True):
                gaps[solver].append(1e4 * (max(scores) - score) / abs(max(scores)))
        return []

    yield from for_each_bound(NAMES, add_gaps)
    if not gaps:
        return
    for family, variants in FAMILIES.items():
        for variant, make in variants.items():
            for policy in CliquePolicy:
                found = gaps[make(policy)]
                yield {
                    "family": family,
                    "variant": variant,
                    "cliques": str(policy),
                    "is_default": make(policy) in (KGreedy(), KMax()),
                    "of": len(found),
                    "first_places": sum(gap < 1e-6 for gap in found),
                    "mean_gap": sum(found) / len(found),
                    "largest_gap": max(found),
                }
