"""Cuts for integer programs with a bound on the treewidth: no part of the graph has too many edges.

A graph of treewidth k on m > k vertices has at most k m - k (k + 1) / 2 edges, those of a k-tree, and so has
each of its parts. Integral solutions keep to this by their elimination order; solutions of the linear program
do not, since fractions of arcs need no fill-in. Dense parts are grown greedily from every vertex.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyscipopt import Sepa, Variable
from pyscipopt.scip import PY_SCIP_RESULT as RESULT

_TOLERANCE = 1e-2
Arcs = Mapping[tuple[int, int], Variable]


class DensityCuts(Sepa):
    """Cuts off solutions of the linear program in which a part of the graph is too dense."""

    def __init__(self, arcs: Arcs, num_variables: int, max_treewidth: int) -> None:
        self._arcs, self._n, self._k = arcs, num_variables, max_treewidth

    def sepaexeclp(self) -> dict[str, Any]:
        """Add a row for each part that is too dense."""
        edges = np.zeros((self._n, self._n))
        for (i, j), arc in self._arcs.items():
            edges[i, j] += self.model.getSolVal(None, arc)
        parts = dense_parts(edges + edges.T, self._k)
        for part in parts:
            self._add_row(part)
        return {"result": RESULT.SEPARATED if parts else RESULT.DIDNOTFIND}

    def _add_row(self, part: tuple[int, ...]) -> None:
        high = float(max_edges(len(part), self._k))
        row = self.model.createEmptyRowUnspec("density", None, high, local=False)
        self.model.cacheRowExtensions(row)
        for i, j in combinations(part, 2):
            self.model.addVarToRow(row, self._arcs[i, j], 1.0)
            self.model.addVarToRow(row, self._arcs[j, i], 1.0)
        self.model.flushRowExtensions(row)
        self.model.addCut(row)
        self.model.releaseRow(row)


def max_edges(num_vertices: int, k: int) -> int:
    """The edges of a k-tree, or of a clique where there are no more vertices than it has in one."""
    size = min(num_vertices, k)
    return k * num_vertices - k * (k + 1) // 2 if num_vertices > k else size * (size - 1) // 2


def dense_parts(edges: NDArray[np.float64], k: int) -> list[tuple[int, ...]]:
    """Return sets of vertices with more edges, by these symmetric weights, than treewidth k allows."""
    n = len(edges)
    starts = np.arange(n)
    is_member = np.eye(n, dtype=np.bool_)  # one part per row
    linked = edges.copy()
    weights = np.zeros(n)
    found: dict[tuple[int, ...], None] = {}
    for size in range(2, n + 1):
        candidates = np.where(is_member, -np.inf, linked)
        best = candidates.argmax(axis=1)
        weights += linked[starts, best]
        is_member[starts, best] = True
        linked += edges[best]
        for row in np.flatnonzero(weights > max_edges(size, k) + _TOLERANCE):
            found[tuple(np.flatnonzero(is_member[row]).tolist())] = None
    return list(found)
