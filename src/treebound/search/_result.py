"""The outcome of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from treebound._run import StopReason
from treebound.search._task import Solver, Statistics
from treebound.structure import KTree, Structure


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
