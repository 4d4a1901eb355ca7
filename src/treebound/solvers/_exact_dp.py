"""The best structure of bounded treewidth by dynamic programming, for a dozen variables or so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treebound import _core
from treebound._memory import half_of_memory
from treebound.solvers._task import Statistics, Task
from treebound.solvers._warm_start import warm_start

_MAX_VARIABLES = 24  # the tables of more fit nowhere


@dataclass(frozen=True)
class ExactDp:
    """Exact with a bound on the treewidth: dynamic programming over tree decompositions.

    Its tables grow as 2^n n^k; what does not fit in half of the machine's memory is rejected.
    """

    name: ClassVar[str] = "exact-dp"

    def run(self, task: Task) -> Statistics:
        """Fill the tables, which is one step, and read the best structure off them."""
        _reject_large(task.cache.num_variables, task.core.problem.width)
        incumbent = warm_start(task)
        run = task.run
        if task.core.is_optimal:
            return {}
        run.num_steps = 1
        if not run.should_stop and _core.search_tree_dp(task.core):
            run.bound = max(incumbent, run.score)
        elif run.stop_requested:
            run.end(_core.StopReason.INTERRUPTED)
        else:
            run.end(_core.StopReason.SECONDS)
        return {}


def _reject_large(num_variables: int, width: int) -> None:
    """Say what fits where the tables do not."""
    memory = half_of_memory()

    def fits(n: int) -> bool:
        return n <= _MAX_VARIABLES and _core.tree_dp_bytes(n, width) <= memory

    if not fits(num_variables):
        largest = max(n for n in range(1, _MAX_VARIABLES + 1) if fits(n))
        raise ValueError(
            f"With max_treewidth {width} the tables of exact-dp fit in half of the memory for up to {largest}"
            f" variables, got {num_variables}."
        )
