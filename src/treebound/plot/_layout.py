"""Where the variables of a structure stand in its picture: the same arcs, the same places.

The moral graph is taken apart in min-degree order; the tree of its bags is drawn radially, each variable
in the middle of the bags that hold it; force steps along the arcs make room. Only the arcs count, not the
witness, so two searches that found the same network show the same picture.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treebound.plot._forces import Points, relax
from treebound.plot._radial import GOLDEN_ANGLE, radial
from treebound.structure import (
    Neighbours,
    Structure,
    TreeDecomposition,
    connected_components,
    induced_subgraph,
    min_degree_order,
)

_ASIDE = 0.02
_SMALL_PART_WEIGHT = 3.0
_SEAT = (0.6, 2.0)  # least and most space between variables without arcs
_ROW_GAP = 1.2
_ASPECT = 1.25  # width over height of the usual paper
_MOST_STRETCH = 1.5


def layout(structure: Structure) -> Points:
    """Return a row (x, y) per variable; the usual length of an arc is about one.

    Variables without arcs stand in rows below the others.
    """
    arcs = np.array(structure.arc_indices, dtype=np.int64).reshape(-1, 2)
    linked = np.zeros(structure.num_variables, dtype=np.bool_)
    linked[arcs.ravel()] = True
    points = np.empty((structure.num_variables, 2))
    if linked.any():
        number = np.cumsum(linked) - 1
        graph = induced_subgraph(structure.moral_graph, np.flatnonzero(linked).tolist())
        points[linked] = levelled(relax(_start(graph), number[arcs], _weights(graph)))
    points[~linked] = _rows(int((~linked).sum()), points[linked])
    return points


def true_edges(tree: TreeDecomposition) -> list[tuple[int, int]]:
    """Return the edges whose bags share a variable; the others only make one tree of several."""
    return [edge for edge, shared in zip(tree.edges, tree.separators, strict=True) if shared]


def _rows(count: int, above: Points) -> Points:
    """Return seats in centred rows below the points given, about as wide as they are."""
    low, high = (above.min(axis=0), above.max(axis=0)) if len(above) else (np.zeros(2), np.zeros(2))
    wide = max(high[0] - low[0], _SEAT[0] * np.sqrt(_ASPECT * count))
    space = float(np.clip(wide / max(count, 1), *_SEAT))
    columns = min(max(int(wide / space), 1), max(count, 1))
    row, column = np.divmod(np.arange(count), columns)
    filled = np.where(row == row.max(initial=0), count - row * columns, columns)
    x = (low[0] + high[0]) / 2 + (column - (filled - 1) / 2) * space
    return np.column_stack([x, low[1] - _ROW_GAP - row * space])


def _weights(graph: Neighbours) -> NDArray[np.float64]:
    """Return how strongly each is drawn to the middle: small parts more, so they stay near."""
    weights = np.ones(len(graph))
    for part in connected_components(graph):
        if 2 * len(part) < len(graph):
            weights[part] = _SMALL_PART_WEIGHT
    return weights


def _start(graph: Neighbours) -> Points:
    tree = TreeDecomposition.from_elimination_order(graph, min_degree_order(graph))
    places = radial(len(tree.bags), true_edges(tree))
    member = np.concatenate([np.array(bag, dtype=np.int64) for bag in tree.bags])
    home = np.repeat(np.arange(len(tree.bags)), [len(bag) for bag in tree.bags])
    times = np.bincount(member, minlength=len(graph))
    middle = [np.bincount(member, places[home, axis], len(graph)) / times for axis in (0, 1)]
    # Variables of the same bags would coincide; the seeds of a sunflower never do.
    seat = np.arange(len(graph)) + 1.0
    aside = np.column_stack([np.cos(seat * GOLDEN_ANGLE), np.sin(seat * GOLDEN_ANGLE)])
    return np.asarray(np.column_stack(middle) + _ASIDE * np.sqrt(seat / len(graph))[:, None] * aside)


def levelled(points: Points) -> Points:
    """Turn the longest extent to the horizontal; stretch the other somewhat where paper would stay empty."""
    points = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(points.T @ points)
    # The sign of an eigenvector is arbitrary; fix it, so every machine shows the same side.
    along: NDArray[np.float64] = axes[:, 1] * (1 if axes[np.abs(axes[:, 1]).argmax(), 1] > 0 else -1)
    points = points @ np.array([[along[0], -along[1]], [along[1], along[0]]])
    wide, high = np.ptp(points, axis=0)
    stretch = float(np.clip(wide / _ASPECT / max(high, 1e-9), 1.0, _MOST_STRETCH))
    return np.asarray(points * np.array([1.0, stretch]))
