"""The part of an integer program that keeps the treewidth within a bound: an elimination with its fill-in.

An arc from i to j says that i is eliminated before j and is its neighbour then. Families make their members
neighbours; what i meets when it is eliminated becomes a clique; and i meets at most k others. Arcs agree with
a linear order of the variables, of which only the relaxation is needed: an order that puts fractions on both
directions of a pair allows no cycle of integral arcs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

from pyscipopt import quicksum
from pyscipopt.scip import Solution

from treebound.solvers._density_cuts import DensityCuts
from treebound.solvers._family_program import FamilyProgram


class EliminationProgram:
    """Arcs and order, with all constraints, added to the program over families."""

    def __init__(self, program: FamilyProgram, max_treewidth: int) -> None:
        self._program, self._k, self._n = program, max_treewidth, program.num_variables
        model = program.model
        self._arcs = {pair: model.addVar(vtype="B") for pair in permutations(range(self._n), 2)}
        self._before = {pair: model.addVar(vtype="C", ub=1.0) for pair in combinations(range(self._n), 2)}
        cuts = DensityCuts(self._arcs, self._n, max_treewidth)
        model.includeSepa(cuts, "density", "parts of the graph with too many edges", freq=1)
        for part in (self._families_are_cliques, self._width_is_bounded, self._order, self._fill_in):
            for constraint, is_initial in part():
                if program.run.should_stop:
                    return
                program.demand(constraint, is_initial)

    def _edge(self, i: int, j: int) -> Any:
        return self._arcs[i, j] + self._arcs[j, i]

    def _is_before(self, i: int, j: int) -> Any:
        return self._before[i, j] if i < j else 1 - self._before[j, i]

    def _families_are_cliques(self) -> Iterator[tuple[Any, bool]]:
        # At most one of three variables has both others as parents, so all who could do share an edge.
        for members, entries in self._program.askers.items():
            for i, j in combinations(members, 2):
                yield self._program.sum_of(entries) <= self._edge(i, j), True

    def _width_is_bounded(self) -> Iterator[tuple[Any, bool]]:
        n, k = self._n, self._k
        for i in range(n):
            yield quicksum(self._arcs[i, j] for j in range(n) if j != i) <= k, True
        # The last to be eliminated meet fewer: a graph of treewidth k has no more edges than a k-tree.
        yield quicksum(self._arcs.values()) <= k * n - k * (k + 1) // 2, True

    def _order(self) -> Iterator[tuple[Any, bool]]:
        for i, j in permutations(range(self._n), 2):
            yield self._arcs[i, j] <= self._is_before(i, j), True
        for i, j, m in combinations(range(self._n), 3):
            round_trip = self._is_before(i, j) + self._is_before(j, m) + self._is_before(m, i)
            yield round_trip <= 2, False
            yield round_trip >= 1, False

    def _fill_in(self) -> Iterator[tuple[Any, bool]]:
        for i in range(self._n):
            for j, m in combinations([u for u in range(self._n) if u != i], 2):
                yield self._arcs[i, j] + self._arcs[i, m] <= 1 + self._edge(j, m), False

    def order_of(self, solution: Solution) -> list[int]:
        """Return an elimination order that agrees with all arcs of a solution."""
        value = self._program.model.getSolVal
        later: list[set[int]] = [set() for _ in range(self._n)]
        for (i, j), arc in self._arcs.items():
            if value(solution, arc) > 0.5:
                later[i].add(j)
        backwards: list[int] = []
        while len(backwards) < self._n:
            placed = set(backwards)
            backwards += [i for i in range(self._n) if i not in placed and later[i] <= placed]
        return backwards[::-1]
