"""The outcome of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from treebound import _core
from treebound._run import StopReason
from treebound._visible import counted
from treebound.solvers._task import Solver, Statistics
from treebound.solvers._upper_bound import BoundSource
from treebound.structure import KTree, Structure


class Improvement(NamedTuple):
    """A structure better than all before it, as it was found."""

    seconds: float
    step: int
    score: float


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult:
    """The best structure found and how it was found.

    ``ktree`` is the k-tree in which the structure was grown, if it was grown in one; its decomposition is
    then the structure's witness. ``statistics`` are figures of the solver by name, listed in
    ``docs/concepts/solvers.md``.

    ``bound`` is a score that no structure exceeds, and ``bound_source`` says which structures: those over the
    parent sets of the ``cache``, or all of the table, the ``rows``, where the solver may score families that
    the cache does not have. Both are None for a single order that was decoded.
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
    bound: float | None
    bound_source: BoundSource | None

    @property
    def score(self) -> float:
        """Score of the structure."""
        assert self.structure.score is not None
        return self.structure.score

    @property
    def gap(self) -> float | None:
        """How far the optimum may be, as a share of the score; None without a bound."""
        if self.bound is None:
            return None
        return max(0.0, self.bound - self.score) / max(abs(self.score), 1e-300)

    @property
    def is_optimal(self) -> bool | None:
        """Whether the score reaches the bound, up to 1e-9 of it, so nothing is better."""
        if self.bound is None:
            return None
        return self.score >= self.bound - _core.OPTIMALITY_TOLERANCE * abs(self.bound)

    @property
    def summary(self) -> str:
        """What was found and how the search ended, on one line."""
        found = self.structure
        ended = "optimal" if self.is_optimal else self.ended
        work = f"{counted(self.steps, 'step')} in {self.seconds:.2f} s"
        return (
            f"{counted(found.num_variables, 'variable')}, {counted(found.num_arcs, 'arc')}, "
            f"treewidth at most {found.treewidth}, score {self.score:.4f}; "
            f"{self.solver.name}, {work}, {ended}"
        )

    @property
    def ended(self) -> str:
        """Why the search ended, and for how long nothing had improved where it stalled."""
        if self.stopped is not StopReason.STALLED:
            return str(self.stopped)
        last = self.trace[-1] if self.trace else Improvement(0.0, 0, self.score)
        stall = f"{counted(self.steps - last.step, 'step')} ({self.seconds - last.seconds:.1f} s)"
        return f"stalled: no improvement for {stall}"

    def __repr__(self) -> str:
        return f"<SearchResult: {self.summary}>"
