"""A small network with its numbers: each variable a box with its table, parents above their children.

The rows of boxes are the depths of the variables; within a row, boxes stand in the order of the middles of
their parents and children, which keeps arcs short (Sugiyama, Tagawa and Toda 1981). Sizes are estimated from
the letters of a monospaced font, so that no renderer is needed.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound.network import BayesianNetwork
from treebound.plot._labels import shortened
from treebound.plot._palette import ACCENT, FAINT, INK, shades
from treebound.structure import Structure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FONT = 8.0
_LETTER, _LINE = 0.602, 1.3  # of the font size
_PAD = 6.0
_GAP = (22.0, 40.0)  # between boxes and between rows, in typographic points
_MOST_ROWS, _MOST_STATES = 8, 6
_SWEEPS = 8
_PAGE = 800.0  # typographic points


def table_text(network: BayesianNetwork, v: int) -> list[str]:
    """The lines of a table: the states of the parents, then a column for each state; long ones are cut."""
    variable, parents = network.schema[v], [network.schema[p] for p in network.parent_indices[v]]
    rows = network.tables[v].reshape(-1, variable.cardinality)
    shown = min(variable.cardinality, _MOST_STATES)
    head = [shortened(parent.name) for parent in parents]
    head += [shortened(state) for state in variable.states[:shown]]
    lines = [head]
    for joint, row in zip(product(*(parent.states for parent in parents)), rows, strict=True):
        if len(lines) > _MOST_ROWS:
            break
        lines.append([shortened(state) for state in joint] + [f"{value:.2f}" for value in row[:shown]])
    if shown < variable.cardinality:
        lines = [[*line, "…"] for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    told = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
    hidden = len(rows) + 1 - len(lines)
    return told + ([f"… {hidden:,} more rows"] if hidden else [])


def box_sizes(titles: list[str], texts: list[list[str]]) -> NDArray[np.float64]:
    """Width and height of each box in typographic points."""
    sizes = []
    for title, lines in zip(titles, texts, strict=True):
        longest = max(len(title) + 1, *map(len, lines))
        sizes.append((_LETTER * FONT * longest + 2 * _PAD, _LINE * FONT * (len(lines) + 1.2) + 2 * _PAD))
    return np.array(sizes)


def seats(structure: Structure, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The middles of the boxes, in points; no two overlap."""
    depth = [0] * structure.num_variables
    for v in structure.topological_order or ():
        depth[v] = max((depth[p] + 1 for p in structure.parent_indices[v]), default=0)
    levels = ([v for v, own in enumerate(depth) if own == level] for level in range(max(depth) + 1))
    rows = [row for level in levels for row in _wrapped(level, sizes)]
    points = np.zeros((structure.num_variables, 2))
    top = 0.0
    for row in rows:
        points[row, 1] = top - sizes[row, 1].max() / 2
        top -= sizes[row, 1].max() + _GAP[1]
    links = structure.moral_graph
    for _ in range(_SWEEPS):
        for row in rows:
            row.sort(key=lambda v: float(np.mean(points[list(links[v]), 0])) if links[v] else points[v, 0])
            _spread(points, row, sizes)
    return points


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


def _spread(points: NDArray[np.float64], row: list[int], sizes: NDArray[np.float64]) -> None:
    """Put the boxes of a row side by side, the row in the middle."""
    widths = sizes[row, 0] + _GAP[0]
    ends = np.cumsum(widths)
    points[row, 0] = ends - widths / 2 - ends[-1] / 2


def inches_for(points: NDArray[np.float64], sizes: NDArray[np.float64]) -> tuple[float, float]:
    """How large a figure must be for all boxes."""
    low, high = _extent(points, sizes)
    width, height = (high - low + 2 * _PAD) / 72
    return float(width), float(height)


def draw_boxes(
    ax: Axes,
    structure: Structure,
    titles: list[str],
    texts: list[list[str]],
    points: NDArray[np.float64],
    centres: list[int],
) -> None:
    """Draw boxes and arcs; where the axes are smaller than the boxes ask for, all of it is smaller."""
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

    sizes = box_sizes(titles, texts)
    low, high = _extent(points, sizes)
    low, high = low - _PAD, high + _PAD
    box = np.array([ax.bbox.width, ax.bbox.height]) * 72 / ax.figure.dpi
    scale = float(min(1.0, *(box / (high - low))))
    middle, half = (low + high) / 2, box / scale / 2
    ax.set_xlim(middle[0] - half[0], middle[0] + half[0])
    ax.set_ylim(middle[1] - half[1], middle[1] + half[1])
    ax.set_axis_off()
    colours = shades(-points[:, 1])
    boxes = []
    for v, (title, lines) in enumerate(zip(titles, texts, strict=True)):
        left, bottom = points[v] - sizes[v] / 2
        edge = ACCENT if v in centres else colours[v]
        boxes.append(
            ax.add_patch(
                FancyBboxPatch(
                    (left, bottom),
                    float(sizes[v][0]),
                    float(sizes[v][1]),
                    boxstyle="round,pad=0,rounding_size=4",
                    facecolor="white",
                    edgecolor=edge,
                    linewidth=(2.0 if v in centres else 1.2) * scale,
                    zorder=3,
                )
            )
        )
        at: dict[str, Any] = {
            "family": "monospace",
            "ha": "left",
            "va": "top",
            "parse_math": False,
            "zorder": 4,
        }
        size, x, y = FONT * scale, left + _PAD, points[v][1] + sizes[v][1] / 2 - _PAD
        ax.text(x, y, title, size=size, weight="bold", color=INK, **at)
        for line, text in enumerate(lines):
            colour = FAINT if line == 0 or text.startswith("…") else INK
            ax.text(x, y - _LINE * FONT * (line + 1.2), text, size=size, color=colour, **at)
    for tail, head in structure.arc_indices:
        ax.add_patch(
            FancyArrowPatch(
                tuple(points[tail]),
                tuple(points[head]),
                patchA=boxes[tail],
                patchB=boxes[head],
                arrowstyle="-|>,head_length=5,head_width=2.5",
                color=colours[tail],
                linewidth=1.2 * scale,
                zorder=2,
            )
        )


def _extent(
    points: NDArray[np.float64], sizes: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return (points - sizes / 2).min(axis=0), (points + sizes / 2).max(axis=0)
