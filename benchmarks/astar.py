"""How many orders per minute k-A* solves to optimality, and what each addition to the paper gains.

Uniform orders, at most 10,000 states per order; orders that need more count as not solved. `times_plain` is
against the paper's own bound with nothing added, where that solves any.

Apart from benchmarks.paper: it takes our additions to k-A* apart; there k-A* is as printed.
"""

from __future__ import annotations

from collections.abc import Iterator

from _common import Expect, Row, Skip
from _searching import checked, for_each_bound
from treebound import Budget, ParentSetCache
from treebound.solvers import KAStar, OrderSampling

QUESTION = "How many orders does k-A* prove per processor minute, and what do the additions buy?"
EXPECTED = [Expect("times_plain", at_least=2, where={"additions": "all"})]
NAMES = ("sachs", "child", "water", "mildew", "alarm")
NUM_NODES = 10_000
SECONDS = 2.0
SWITCHES = ("incumbent", "tight_bound", "conflicts", "dominance")
ADDITIONS = {
    "none": (),
    "tight bound": ("tight_bound",),
    "tight bound, conflicts": ("tight_bound", "conflicts"),
    "incumbent, dominance": ("incumbent", "dominance"),
    "all": SWITCHES,
}


def measure() -> Iterator[Row | Skip]:
    """One row per cache, bound and choice of additions."""
    return for_each_bound(NAMES, with_additions, bounds=(2, 5))


def with_additions(cache: ParentSetCache, bound: int) -> Iterator[Row]:
    """One row per choice of additions."""
    plain = 0.0
    for label, chosen in ADDITIONS.items():
        switches = {switch: switch in chosen for switch in SWITCHES}
        solver = KAStar(orders=OrderSampling.UNIFORM, skip_beaten=False, max_nodes=NUM_NODES, **switches)
        result, cpu = checked(cache, bound, solver, Budget(seconds=SECONDS))
        proved = 60 * result.statistics["num_proved"] / cpu
        plain = proved if label == "none" else plain
        row: Row = {
            "additions": label,
            "proved_per_cpu_min": proved,
            "share": result.statistics["num_proved"] / result.steps,
        }
        yield row | ({"times_plain": proved / plain} if plain else {})
