"""A small network with its numbers: each variable a box with its table, parents above their children.

Sizes are estimated from the letters of a monospaced font, which needs no renderer.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound.network import BayesianNetwork
from treebound.plot._box_layout import BoxLayout
from treebound.plot._labels import shortened
from treebound.plot._palette import ACCENT, FAINT, INK, shades

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FONT = 8.0
_LETTER, _LINE = 0.602, 1.3  # of the font size
_PAD = 6.0
_MOST_ROWS, _MOST_STATES = 8, 6


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
    drawn = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
    hidden = len(rows) + 1 - len(lines)
    return drawn + ([f"… {hidden:,} more rows"] if hidden else [])


def box_sizes(titles: list[str], texts: list[list[str]]) -> NDArray[np.float64]:
    """Width and height of each box in typographic points."""
    sizes = []
    for title, lines in zip(titles, texts, strict=True):
        longest = max(len(title) + 1, *map(len, lines))
        sizes.append((_LETTER * FONT * longest + 2 * _PAD, _LINE * FONT * (len(lines) + 1.2) + 2 * _PAD))
    return np.array(sizes)


def inches_for(layout: BoxLayout, sizes: NDArray[np.float64]) -> tuple[float, float]:
    """How large a figure must be for all boxes and arcs."""
    low, high = _extent(layout, sizes)
    width, height = (high - low + 2 * _PAD) / 72
    return float(width), float(height)


def draw_boxes(
    ax: Axes,
    titles: list[str],
    texts: list[list[str]],
    layout: BoxLayout,
    centres: list[int],
    marked: Collection[tuple[int, int]],
    hidden: Collection[int] = (),
) -> None:
    """Draw boxes and arcs, some of them marked; where the axes are too small, all of it is smaller."""
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
    from matplotlib.path import Path

    sizes, points = box_sizes(titles, texts), layout.points
    low, high = _extent(layout, sizes)
    low, high = low - _PAD, high + _PAD
    box = np.array([ax.bbox.width, ax.bbox.height]) * 72 / ax.figure.dpi
    scale = float(min(1.0, *(box / (high - low))))
    middle, half = (low + high) / 2, box / scale / 2
    ax.set_xlim(middle[0] - half[0], middle[0] + half[0])
    ax.set_ylim(middle[1] - half[1], middle[1] + half[1])
    ax.set_axis_off()
    colours = shades(-points[:, 1])
    for v, (title, lines) in enumerate(zip(titles, texts, strict=True)):
        left, bottom = points[v] - sizes[v] / 2
        edge = ACCENT if v in centres else colours[v]
        ax.add_patch(
            FancyBboxPatch(
                (left, bottom),
                float(sizes[v][0]),
                float(sizes[v][1]),
                boxstyle="round,pad=0,rounding_size=4",
                facecolor="white",
                edgecolor=edge,
                linewidth=(2.0 if v in centres else 1.2) * scale,
                linestyle="--" if v in hidden else "-",
                zorder=3,
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
    for (tail, head), corners in layout.routes.items():
        is_marked = (tail, head) in marked
        ax.add_patch(
            FancyArrowPatch(
                path=Path(corners),
                arrowstyle="-|>,head_length=5,head_width=2.5",
                color=ACCENT if is_marked else colours[tail],
                linewidth=(2.4 if is_marked else 1.2) * scale,
                zorder=2,
            )
        )


def _extent(layout: BoxLayout, sizes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    ends = np.vstack([layout.points - sizes / 2, layout.points + sizes / 2, *layout.routes.values()])
    return ends.min(axis=0), ends.max(axis=0)
