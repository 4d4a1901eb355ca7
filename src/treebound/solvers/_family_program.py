"""The integer program over families (Cussens 2011): one family per variable, no cycle, the least loss.

The columns of the program are the entries of the problem; the loss of an entry is what it scores below the
best of its variable. Of two variables, or of three, at most one has all others as parents: this is stated
from the start. All other cycles are cut off when they appear.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyscipopt import Eventhdlr, Heur, quicksum
from pyscipopt.scip import PY_SCIP_EVENTTYPE as EVENT
from pyscipopt.scip import PY_SCIP_HEURTIMING as TIMING
from pyscipopt.scip import PY_SCIP_RESULT as RESULT
from pyscipopt.scip import Solution

from treebound import _core
from treebound.solvers import _scip
from treebound.solvers._acyclicity import Acyclicity, chosen_by, values_of

Chosen = NDArray[np.uint32]  # one entry per variable
OnBetter = Callable[[Chosen, Solution], None]
# SCIP cannot distinguish losses that differ by less than its tolerances, so small ones are scaled up.
_LARGEST_LOSS = 1e4


class FamilyProgram:
    """The program. Where the run should stop, it is left unfinished, and ``solve`` does nothing."""

    def __init__(
        self, problem: _core.SearchProblem, run: _core.Run, seed: int, *, with_general_cuts: bool = True
    ) -> None:
        self.problem, self.run = problem, run
        self.model = _scip.new_model(seed, with_general_cuts=with_general_cuts)
        self._first, self.scores = problem.first_entries, problem.scores
        best = np.repeat(self.scores[self._first[:-1]], np.diff(self._first))
        # A hole stands behind the least allowed set of a variable that requires parents: it is never chosen.
        self._is_hole = np.zeros(len(self.scores), dtype=np.bool_)
        self._is_hole[self._first[1:] - 1] = problem.least_entries != self._first[1:] - 1
        self._losses = np.where(self._is_hole, 0.0, best - self.scores)
        self._scale = max(1.0, _LARGEST_LOSS / max(self._losses.max(), 1e-300))
        self.columns: list[Any] = []
        self.best = -np.inf
        # Who asks for a set of two or three variables, as a family that holds them all.
        self.askers: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
        for v in range(self.num_variables):
            if not run.should_stop:
                self._add_variable(v)
        self._acyclicity = Acyclicity(problem, self.columns)
        self._acyclicity.include_in(self.model)

    @property
    def num_variables(self) -> int:
        """Number of variables of the network."""
        return len(self._first) - 1

    @property
    def num_cuts(self) -> int:
        """Number of clusters that were cut off."""
        return self._acyclicity.num_cuts

    def _add_variable(self, v: int) -> None:
        entries = range(self._first[v], self._first[v + 1])
        for entry in entries:
            most = 0.0 if self._is_hole[entry] else 1.0
            self.columns.append(self.model.addVar(vtype="B", ub=most, obj=self._scale * self._losses[entry]))
            parents = self.problem.parents(entry)
            for size in (1, 2):
                for part in combinations(parents, size):
                    self.askers[tuple(sorted((v, *part)))].append(entry)
        self.demand(self.sum_of(entries) == 1)

    def exclude_small_cycles(self) -> None:
        """Of two or three variables, let at most one have all others as parents."""
        owners = np.repeat(np.arange(self.num_variables), np.diff(self._first))
        for members, entries in self.askers.items():
            if self.run.should_stop:
                return
            if len(set(owners[entries])) > 1:
                self.demand(self.sum_of(entries) <= 1, is_initial=len(members) == 2)

    def sum_of(self, entries: Any) -> Any:
        """The number of these entries that are chosen."""
        return quicksum(self.columns[entry] for entry in entries)

    def demand(self, constraint: Any, is_initial: bool = True) -> None:
        """Add a constraint; one that is not initial enters the linear program when it is violated."""
        self.model.addCons(constraint, initial=is_initial)

    def round_solutions(self) -> None:
        """Look for networks near the solutions of the linear program."""
        timing = TIMING.DURINGLPLOOP | TIMING.AFTERLPNODE
        self.model.includeHeur(_SinkFinding(self), "sinks", "sink finding", "S", timingmask=timing)

    def solve(self, incumbent: float, on_better: OnBetter) -> float:
        """Look for networks that score above the incumbent until the run ends; return an upper bound.

        ``on_better`` is called with each one that is found.
        """
        self.best = incumbent
        self.model.includeEventhdlr(_Watch(self, on_better), "watch", "reports better solutions and bounds")
        self.model.setObjlimit(self._scale * (self.problem.sum_of_best - incumbent))
        self.run.bound = min(self.run.bound, self.problem.sum_of_best)
        if _scip.solve(self.model, self.run):
            self.run.bound = self.best
        return self.run.bound

    def report(self) -> None:
        """Report the progress to the run."""
        self.run.num_steps = _scip.num_steps(self.model, self.run)
        # Where nothing better is left, the bound of SCIP is beyond the incumbent.
        bound = max(self.best, self.problem.sum_of_best - self.model.getDualbound() / self._scale)
        self.run.bound = min(self.run.bound, bound)


class _Watch(Eventhdlr):
    """Report better solutions, nodes and bounds."""

    def __init__(self, program: FamilyProgram, on_better: OnBetter) -> None:
        self._program, self._on_better = program, on_better

    def eventinit(self) -> None:
        """Name the events to handle."""
        for event in (EVENT.BESTSOLFOUND, EVENT.NODESOLVED, EVENT.DUALBOUNDIMPROVED):
            self.model.catchEvent(event, self)

    def eventexec(self, event: Any) -> None:
        """Hand the news on."""
        self._program.report()
        if event.getType() != EVENT.BESTSOLFOUND:
            return
        solution = self.model.getBestSol()
        chosen = chosen_by(values_of(self.model, self._program.columns, solution))
        self._program.best = sum(self._program.scores[chosen].tolist())
        self._on_better(chosen, solution)


class _SinkFinding(Heur):
    """A heuristic: the network that a solution of the linear program is rounded to."""

    def __init__(self, program: FamilyProgram) -> None:
        self._program = program

    def heurexec(self, heurtiming: int, nodeinfeasible: bool) -> dict[str, Any]:
        """Round, and propose the network if it is better."""
        program = self._program
        values = values_of(self.model, program.columns)
        chosen = _core.round_to_acyclic(program.problem, values)
        if program.scores[chosen].sum() <= program.best:
            return {"result": RESULT.DIDNOTFIND}
        solution = self.model.createSol(self)
        for entry in chosen.tolist():
            self.model.setSolVal(solution, program.columns[entry], 1.0)
        is_accepted = self.model.trySol(solution)
        return {"result": RESULT.FOUNDSOL if is_accepted else RESULT.DIDNOTFIND}
