"""The best structure of bounded treewidth by integer programming, for a few dozen variables at most.

After Nie, Maua, de Campos and Ji (2014) and Parviainen, Farahani and Lagergren (2014): the program over
families, and next to it a triangulation of the moral graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treebound.solvers._scip import require_scip
from treebound.solvers._task import Statistics, Task
from treebound.solvers._warm_start import warm_start

_MAX_VARIABLES = 100  # the program has as many rows as there are triples of variables, and more


@dataclass(frozen=True)
class ExactIlp:
    """Exact with a bound on the treewidth: an integer program over families and elimination orders.

    A hundred variables are the most that it takes; how many it solves depends on the parent sets.
    """

    name: ClassVar[str] = "exact-ilp"

    def run(self, task: Task) -> Statistics:
        """Improve the incumbent and lower the upper bound until they meet."""
        require_scip(f"The solver {self.name}")
        if task.cache.num_variables > _MAX_VARIABLES:
            raise ValueError(
                f"exact-ilp takes up to {_MAX_VARIABLES} variables, got {task.cache.num_variables};"
                " gobnilp has no such limit, and its upper bound holds for any treewidth."
            )
        from pyscipopt.scip import Solution

        from treebound.solvers._elimination_program import EliminationProgram
        from treebound.solvers._family_program import Chosen, FamilyProgram

        incumbent = warm_start(task)
        if task.core.is_optimal:
            return {"num_cuts": 0}
        problem, run = task.core.problem, task.run
        # With thousands of rows general cuts cost more than they bring.
        program = FamilyProgram(problem, run, task.core.seed, with_general_cuts=False)
        program.exclude_small_cycles()
        elimination = EliminationProgram(program, problem.width)

        def offer(chosen: Chosen, solution: Solution) -> None:
            parents = [problem.parents(entry) for entry in chosen.tolist()]
            scores = program.scores[chosen].tolist()
            task.offer(parents, scores, elimination.order_of(solution), run.num_steps)

        program.solve(incumbent, offer)
        return {"num_cuts": program.num_cuts}
