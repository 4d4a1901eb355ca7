"""BoxLayout of boxes of different sizes, parents above their children, and routes of the arcs around them.

The rows of boxes are the depths of the variables; within a row, boxes stand in the order of the middles of
their parents and children, which keeps arcs short (Sugiyama, Tagawa and Toda 1981). An arc that passes a row
has a seat of its own in it. Arcs are vertical within rows and slanted only between them, so none passes
behind a box.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from treebound.structure import Structure

Arc = tuple[int, int]

_GAP = (22.0, 40.0)  # between boxes and between rows, in typographic points
_SWEEPS = 8
_PAGE = 800.0  # typographic points
_STUB = 9.0  # the straight end of an arc with its arrowhead


@dataclass(frozen=True, eq=False)
class BoxLayout:
    """The middles of the boxes and the corners of each arc from its tail to its head, in points."""

    points: NDArray[np.float64]
    routes: dict[Arc, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class _Rows:
    """Boxes, then the passages of arcs through rows, as numbers; ``passages`` are those of each long arc."""

    members: list[list[int]]
    links: list[Collection[int]]
    passages: dict[Arc, list[int]] = field(default_factory=dict)


def box_layout(structure: Structure, sizes: NDArray[np.float64]) -> BoxLayout:
    """Place boxes without overlaps, and route the arcs around them."""
    rows = _rows_of(structure, sizes)
    sizes = np.vstack([sizes, np.zeros((len(rows.links) - len(sizes), 2))])
    points = np.zeros((len(sizes), 2))
    heights = [float(sizes[row, 1].max()) for row in rows.members]
    tops = -np.cumsum([0.0, *(height + _GAP[1] for height in heights[:-1])])
    for row, top, height in zip(rows.members, tops, heights, strict=True):
        points[row, 1] = top - height / 2
    for _ in range(_SWEEPS):
        for row in rows.members:
            row.sort(key=lambda v: _middle(points, rows.links[v], v))
            _spread(points, row, sizes)
    spans = np.zeros((len(sizes), 2))  # the top and the bottom of the row of each seat
    for row, top, height in zip(rows.members, tops, heights, strict=True):
        spans[row] = top, top - height
    routes = {
        arc: _route(arc, rows.passages.get(arc, []), points, sizes, spans) for arc in structure.arc_indices
    }
    return BoxLayout(points[: structure.num_variables], routes)


def _rows_of(structure: Structure, sizes: NDArray[np.float64]) -> _Rows:
    """The boxes row by row, with a passage for each arc through each row between its ends."""
    depth = [0] * structure.num_variables
    for v in structure.topological_order or ():
        depth[v] = max((depth[p] + 1 for p in structure.parent_indices[v]), default=0)
    levels = ([v for v, own in enumerate(depth) if own == level] for level in range(max(depth) + 1))
    rows = _Rows([row for level in levels for row in _wrapped(level, sizes)], list(structure.moral_graph))
    row_of = {v: index for index, row in enumerate(rows.members) for v in row}
    for tail, head in structure.arc_indices:
        between = range(row_of[tail] + 1, row_of[head])
        first = len(rows.links)
        passages = list(range(first, first + len(between)))
        chain = [tail, *passages, head]
        for position, (index, passage) in enumerate(zip(between, passages, strict=True), start=1):
            rows.members[index].append(passage)
            rows.links.append((chain[position - 1], chain[position + 1]))
        rows.passages[tail, head] = passages
    return rows


def _wrapped(level: list[int], sizes: NDArray[np.float64]) -> list[list[int]]:
    """The boxes of one depth in as many rows as the page is wide enough for."""
    rows: list[list[int]] = []
    room = 0.0
    for v in level:
        room -= sizes[v, 0] + _GAP[0]
        if not rows or room < 0:
            rows.append([])
            room = _PAGE - sizes[v, 0]
        rows[-1].append(v)
    return rows


def _middle(points: NDArray[np.float64], links: Collection[int], v: int) -> float:
    return float(np.mean(points[list(links), 0])) if links else float(points[v, 0])


def _spread(points: NDArray[np.float64], row: list[int], sizes: NDArray[np.float64]) -> None:
    """Put the boxes of a row side by side, the row in the middle."""
    widths = sizes[row, 0] + _GAP[0]
    ends = np.cumsum(widths)
    points[row, 0] = ends - widths / 2 - ends[-1] / 2


def _route(
    arc: Arc,
    passages: list[int],
    points: NDArray[np.float64],
    sizes: NDArray[np.float64],
    spans: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The corners of an arc: down to the end of its row, through each row between, down to the box below."""
    tail, head = arc
    corners = [(points[tail, 0], points[tail, 1] - sizes[tail, 1] / 2), (points[tail, 0], spans[tail, 1])]
    corners += [(points[passage, 0], end) for passage in passages for end in spans[passage]]
    corners += [
        (points[head, 0], spans[head, 0] + _STUB),
        (points[head, 0], points[head, 1] + sizes[head, 1] / 2),
    ]
    return np.array(corners)
