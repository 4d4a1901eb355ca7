"""Treewidth of any graph: between two bounds, and exactly where they meet or the graph is small.

Connected parts are treated apart, since the treewidth is that of the widest. In each, the better of the
min-fill and min-degree orders bounds from above and minor-min-width from below; a gap in a part of up to 20
vertices is closed by dynamic programming.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treebound import _core
from treebound.structure._graph import (
    Neighbours,
    check_neighbours,
    connected_components,
    flat_rows,
    induced_subgraph,
)


@dataclass(frozen=True)
class TreewidthBounds:
    """The treewidth is at least ``lower`` and at most ``upper``, which ``elimination_order`` reaches."""

    lower: int
    upper: int
    elimination_order: tuple[int, ...]

    @property
    def is_exact(self) -> bool:
        """Whether the treewidth is known."""
        return self.lower == self.upper

    def __str__(self) -> str:
        return f"treewidth {self.upper}" if self.is_exact else f"treewidth from {self.lower} to {self.upper}"


def treewidth_bounds(neighbours: Neighbours) -> TreewidthBounds:
    """Bound the treewidth of an undirected graph.

    Parameters
    ----------
    neighbours : sequence of collection of int
        The neighbours of each vertex, such as ``structure.moral_graph``.

    Returns
    -------
    TreewidthBounds
        Lower and upper bound, and the elimination order that reaches the upper one.
    """
    check_neighbours(neighbours)
    lower, upper = 0, 0
    order: list[int] = []
    for part in connected_components(neighbours):
        bounds = _connected(induced_subgraph(neighbours, part))
        lower, upper = max(lower, bounds.lower), max(upper, bounds.upper)
        order += [part[v] for v in bounds.elimination_order]
    return TreewidthBounds(lower, upper, tuple(order))


def min_degree_order(neighbours: Neighbours) -> tuple[int, ...]:
    """Return the elimination order in which next goes a vertex of least degree."""
    return tuple(_core.min_degree_order(*flat_rows(neighbours)).tolist())


def min_fill_order(neighbours: Neighbours) -> tuple[int, ...]:
    """Return the elimination order in which next goes a vertex whose removal adds fewest edges."""
    return tuple(_core.min_fill_order(*flat_rows(neighbours)).tolist())


def width_of_order(neighbours: Neighbours, order: tuple[int, ...]) -> int:
    """Return the largest number of neighbours met when the vertices leave in this order."""
    offsets, _ = _core.eliminate(*flat_rows(neighbours), np.array(order, dtype=np.uint32))
    return int(np.diff(offsets).max(initial=0))


def _connected(neighbours: Neighbours) -> TreewidthBounds:
    orders = [min_fill_order(neighbours), min_degree_order(neighbours)]
    widths = [width_of_order(neighbours, order) for order in orders]
    upper, order = min(zip(widths, orders, strict=True), key=lambda pair: pair[0])
    lower = int(_core.treewidth_lower_bound(*flat_rows(neighbours)))
    if lower < upper and len(neighbours) <= _core.MOST_VERTICES_FOR_EXACT_TREEWIDTH:
        order = tuple(_core.best_elimination_order(*flat_rows(neighbours)).tolist())
        lower = upper = width_of_order(neighbours, order)
    return TreewidthBounds(lower, upper, order)
