"""The constraint that families make no cycle, as a constraint handler of SCIP with cluster cuts.

A solution of the linear program is cut off by clusters that it violates (``_core.ClusterCuts``), and an
integral one with cycles by the clusters of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyscipopt import Conshdlr, Model, Variable
from pyscipopt.scip import PY_SCIP_RESULT as RESULT
from pyscipopt.scip import Solution

from treebound import _core

# What an inequality must be violated by: less is lost again to the tolerances of the linear program.
_TOLERANCE = 1e-3
_Answer = dict[str, Any]


class Acyclicity(Conshdlr):
    """No cycles among the families that the columns choose; there is one column per entry."""

    def __init__(self, problem: _core.SearchProblem, columns: Sequence[Variable]) -> None:
        self._cuts = _core.ClusterCuts(problem)
        self._columns = columns
        self.num_cuts = 0

    def include_in(self, model: Model) -> None:
        """Add the constraint to a model; integrality comes before it, other cuts after it."""
        model.includeConshdlr(
            self,
            "acyclicity",
            "families make no cycle",
            sepapriority=100,
            enfopriority=-10,
            chckpriority=-10,
            sepafreq=1,
            needscons=False,
        )

    def conssepalp(self, constraints: list[Any], nusefulconss: int) -> _Answer:
        """Cut off the solution of the linear program."""
        clusters = self._cuts.violated(values_of(self.model, self._columns), _TOLERANCE)
        return {"result": self._cut(clusters, RESULT.DIDNOTFIND)}

    def consenfolp(self, constraints: list[Any], nusefulconss: int, solinfeasible: bool) -> _Answer:
        """Cut off an integral solution that has cycles."""
        return {"result": self._cut(self._cycles(None), RESULT.FEASIBLE)}

    def consenfops(
        self, constraints: list[Any], nusefulconss: int, solinfeasible: bool, objinfeasible: bool
    ) -> _Answer:
        """Reject cycles where no linear program was solved, so SCIP branches."""
        return self._verdict(None)

    def conscheck(
        self,
        constraints: list[Any],
        solution: Solution,
        checkintegrality: bool,
        checklprows: bool,
        printreason: bool,
        completely: bool,
    ) -> _Answer:
        """Accept a solution without cycles."""
        return self._verdict(solution)

    def conslock(self, constraint: Any, locktype: int, nlockspos: int, nlocksneg: int) -> None:
        """Declare what may break the constraint: to choose a family, never to leave one."""
        for column in self._columns:
            self.model.addVarLocksType(column, locktype, nlocksneg, nlockspos)

    def _cycles(self, solution: Solution | None) -> list[list[int]]:
        return self._cuts.cycles(chosen_by(values_of(self.model, self._columns, solution)))

    def _verdict(self, solution: Solution | None) -> _Answer:
        return {"result": RESULT.INFEASIBLE if self._cycles(solution) else RESULT.FEASIBLE}

    def _cut(self, clusters: list[list[int]], otherwise: Any) -> Any:
        for cluster in clusters:
            self._add_row(cluster)
        self.num_cuts += len(clusters)
        return RESULT.SEPARATED if clusters else otherwise

    def _add_row(self, cluster: list[int]) -> None:
        inside, outside = (self._cuts.entries(cluster, is_inside) for is_inside in (True, False))
        # Two forms of the same cut, since each member has one family: the shorter one is cheaper.
        low, high, entries = (
            (None, len(cluster) - 1.0, inside) if len(inside) <= len(outside) else (1.0, None, outside)
        )
        row = self.model.createEmptyRowUnspec("cluster", low, high, local=False)
        self.model.cacheRowExtensions(row)
        for entry in entries:
            self.model.addVarToRow(row, self._columns[entry], 1.0)
        self.model.flushRowExtensions(row)
        self.model.addCut(row, forcecut=True)
        self.model.releaseRow(row)


def values_of(
    model: Model, columns: Sequence[Variable], solution: Solution | None = None
) -> NDArray[np.float64]:
    """Return the values of columns in a solution, or in that of the linear program."""
    value = model.getSolVal
    return np.fromiter((value(solution, column) for column in columns), np.float64, len(columns))


def chosen_by(values: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Return the entries that an integral solution chooses, one per variable."""
    return np.flatnonzero(values > 0.5).astype(np.uint32)
