"""Regrow, the default solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treebound import _core
from treebound._arguments import check_integer
from treebound._budget import MAX_THREADS
from treebound.solvers._task import Statistics, Task

# With one network alone there is nothing to take over from another.
FEWEST_ISLANDS = 2


@dataclass(frozen=True)
class Regrow:
    """Large-neighbourhood search: remove the parents of a few variables and choose them again.

    Parameters
    ----------
    islands : int, optional
        Number of networks that are improved side by side and exchange families from time to time. By default
        there is one for each thread, and two at least. With a budget of steps there are always two, so the
        result does not depend on the number of threads.
    hill_climb : bool
        Begin from the network of hc-ET where the table is given, and take at most half of the time for it.
    exact : bool
        End at once where dynamic programming soon finds the optimum, as for a dozen variables.
    """

    name: ClassVar[str] = "regrow"
    islands: int | None = None
    hill_climb: bool = True
    exact: bool = True

    def __post_init__(self) -> None:
        if self.islands is not None:
            object.__setattr__(self, "islands", check_integer("islands", self.islands, 1, MAX_THREADS))

    def num_islands(self, run: _core.Run) -> int:
        """How many there are in a run."""
        if self.islands is not None:
            return self.islands
        has_steps = run.max_steps < _core.Run.NO_LIMIT
        return FEWEST_ISLANDS if has_steps else max(FEWEST_ISLANDS, run.num_threads)

    def run(self, task: Task) -> Statistics:
        """Improve the islands batch by batch, unless the optimum is known."""
        if self.exact and task.optimum is not None:
            task.offer(*task.optimum, step=0)
            task.run.num_steps = 1
            task.run.end(_core.StopReason.OPTIMAL)
            return {}
        options = _core.RegrowOptions(self.num_islands(task.run), self.hill_climb)
        return dict(_core.search_regrow(task.core, options))
