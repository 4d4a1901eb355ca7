"""The best structure of any treewidth, by integer programming as GOBNILP does (Cussens 2011; Bartlett and
Cussens 2017).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treebound.solvers._scip import require_scip
from treebound.solvers._task import Statistics, Task
from treebound.solvers._warm_start import warm_start
from treebound.structure import min_fill_order, moral_graph


@dataclass(frozen=True)
class Gobnilp:
    """Exact without a bound on the treewidth: an integer program over families with cluster cuts."""

    name: ClassVar[str] = "gobnilp"

    def run(self, task: Task) -> Statistics:
        """Improve the incumbent and lower the upper bound until they meet."""
        require_scip(f"The solver {self.name}")
        from treebound.solvers._family_program import Chosen, FamilyProgram

        incumbent = warm_start(task)
        if task.core.is_optimal:
            return {"num_cuts": 0}
        problem, run = task.core.problem, task.run
        program = FamilyProgram(problem, run, task.core.seed)
        program.exclude_small_cycles()
        program.round_solutions()

        def offer(chosen: Chosen, _: object) -> None:
            parents = [problem.parents(entry) for entry in chosen.tolist()]
            scores = program.scores[chosen].tolist()
            task.offer(parents, scores, min_fill_order(moral_graph(parents)), run.num_steps)

        program.solve(incumbent, offer)
        return {"num_cuts": program.num_cuts}
