"""The task of a solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound.scoring.cache import ParentSetCache
from treebound.solvers._bounds import Bounds
from treebound.solvers._upper_bound import Optimum
from treebound.structure import flat_rows

Statistics: TypeAlias = Mapping[str, bool | int | float]


@dataclass(frozen=True)
class Task:
    """Search until the run ends, or decode the one insertion order ``given``.

    ``core`` has the problem: parent sets, bounds, rows and rules. It keeps the best structure that a solver
    has offered, and the trace of all. ``optimum`` is the best of all structures, where it was soon found.
    """

    core: _core.SearchTask
    run: _core.Run
    cache: ParentSetCache
    bounds: Bounds
    given: NDArray[np.uint32]
    optimum: Optimum | None = None

    def offer(
        self,
        parents: Sequence[Sequence[int]],
        local_scores: Sequence[float],
        elimination_order: Sequence[int],
        step: int,
    ) -> None:
        """Take a structure if it beats all before: for solvers written in Python."""
        self.core.offer(
            *flat_rows(parents),
            np.array(local_scores, dtype=np.float64),
            np.array(elimination_order, dtype=np.uint32),
            sum(local_scores),
            step,
        )


class Solver(Protocol):
    """A record of options. What it needs and gives stands in the registry."""

    name: ClassVar[str]

    def run(self, task: Task) -> Statistics:
        """Do the task, offering structures to it, and return figures by name."""
