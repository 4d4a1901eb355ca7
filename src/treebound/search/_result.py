"""The outcome of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from treebound._run import StopReason
from treebound.search._solvers import Solver
from treebound.structure import KTree, Structure

__all__ = ["Improvement", "Progress", "SearchResult", "StopReason"]


class Improvement(NamedTuple):
    """A structure better than all before it, as it was found."""

    seconds: float
    step: int
    score: float


class Progress(NamedTuple):
    """How far a search has come; ``score`` is -inf until the first structure is complete."""

    seconds: float
    steps: int
    score: float


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The best structure found and how it was found.

    ``ktree`` is the k-tree in which the structure was grown; its decomposition is the structure's witness. It
    is None if the structure is the one that the search started from, and for Regrow, which grows none.
    ``is_optimal_for_order`` says that k-A* proved the structure the best one for its insertion order.
    ``num_proved`` counts the steps with such a proof, ``num_skipped`` those given up because their order
    could not beat the best.
    """

    structure: Structure
    ktree: KTree | None
    trace: tuple[Improvement, ...]
    steps: int
    seconds: float
    stopped: StopReason
    solver: Solver
    seed: int
    is_optimal_for_order: bool
    num_proved: int
    num_skipped: int

    @property
    def score(self) -> float:
        """Score of the structure."""
        assert self.structure.score is not None
        return self.structure.score
