"""The least allowed parent sets: without rules the empty graph, the score of independence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treebound.solvers._task import Statistics, Task


@dataclass(frozen=True)
class Empty:
    """No arcs but those that are required."""

    name: ClassVar[str] = "empty"

    def run(self, task: Task) -> Statistics:
        """Offer the one structure that there is."""
        problem = task.core.problem
        least = problem.least_entries
        order = problem.least_order.tolist() or range(task.cache.num_variables)
        task.offer([problem.parents(entry) for entry in least], problem.scores[least].tolist(), order, step=0)
        task.run.num_steps = 1
        return {}
