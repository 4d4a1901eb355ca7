"""The method of Elidan and Gould beside the optimal forest that it begins with, and Regrow.

Apart from benchmarks.paper: the method is not in the experiments of the paper.
"""

from __future__ import annotations

from collections.abc import Iterator

from _common import Expect, Row, Skip
from _searching import NAMES, checked, for_each_bound
from treebound import Budget, ParentSetCache
from treebound.solvers import ChowLiu, ElidanGould, Regrow

QUESTION = "How far above the optimal forest does the method come, and how far below Regrow?"
EXPECTED = [Expect("above_forest", at_least=0)]
SECONDS = 2.0


def measure() -> Iterator[Row | Skip]:
    """One row per cache and bound."""
    return for_each_bound(NAMES, compared)


def compared(cache: ParentSetCache, bound: int) -> Iterator[Row]:
    """The scores of the three."""
    forest, ours, regrow = (
        checked(cache, bound, solver, Budget(seconds=SECONDS))[0]
        for solver in (ChowLiu(), ElidanGould(), Regrow())
    )
    yield {
        "forest": forest.score,
        "score": ours.score,
        "constructions": ours.steps,
        "treewidth": ours.structure.treewidth,
        "above_forest": ours.score - forest.score,
        "below_regrow": regrow.score - ours.score,
    }
