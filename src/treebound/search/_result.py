"""The outcome of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from treebound._run import StopReason
from treebound.search._task import Solver, Statistics
from treebound.structure import KTree, Structure

# Sums of scores in another order differ by rounding; integer programs prove no more than this.
OPTIMALITY_TOLERANCE = 1e-9


class Improvement(NamedTuple):
    """A structure better than all before it, as it was found."""

    seconds: float
    step: int
    score: float


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The best structure found and how it was found.

    ``ktree`` is the k-tree in which the structure was grown, if it was grown in one; its decomposition is
    then the structure's witness. ``statistics`` are figures of the solver by name; ``docs/search.md`` lists
    those of each solver.
    """

    structure: Structure
    ktree: KTree | None
    trace: tuple[Improvement, ...]
    steps: int
    seconds: float
    stopped: StopReason
    solver: Solver
    seed: int
    statistics: Statistics

    @property
    def score(self) -> float:
        """Score of the structure."""
        assert self.structure.score is not None
        return self.structure.score

    @property
    def bound(self) -> float | None:
        """What no structure of its kind can exceed, if the solver knows."""
        bound = self.statistics.get("upper_bound")
        return None if bound is None else float(bound)

    @property
    def gap(self) -> float | None:
        """How far the optimum may be, as a share of the score; None if the solver cannot say."""
        if self.bound is None:
            return None
        return max(0.0, self.bound - self.score) / max(abs(self.score), 1e-300)

    @property
    def is_optimal(self) -> bool | None:
        """Whether the solver has proved that nothing is better; None if it never does."""
        return None if self.gap is None else self.gap <= OPTIMALITY_TOLERANCE
