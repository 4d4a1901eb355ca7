"""The bags of a small tree decomposition as boxes that name their variables, one per line."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treebound.plot._frame import Frame
from treebound.plot._labels import shortened, text_halves
from treebound.plot._palette import INK
from treebound.structure import Structure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BOXES = 24
_FONT = 8.0
_PAD = 5.0  # typographic points
_MARGIN = 2.0  # between a box and the edge of the paper
_TINT = 0.08


def bag_texts(structure: Structure) -> list[str]:
    """Return the names in each bag, one per line; no texts where there are too many bags to name them."""
    bags, names = structure.witness.bags, structure.names
    if len(bags) > _MOST_BOXES:
        return []
    return ["\n".join(shortened(names[v]) for v in bag) for bag in bags]


def half_sizes(texts: list[str]) -> NDArray[np.float64]:
    """Return half the width and height of the box around each text, in typographic points."""
    return text_halves(texts, _FONT) + _PAD


def margin_for(halves: NDArray[np.float64]) -> tuple[float, float]:
    """Return the space that the paper must leave around the centres of the boxes."""
    across, up = halves.max(axis=0) + _MARGIN
    return float(across), float(up)


def have_room(centres: NDArray[np.float64], halves: NDArray[np.float64]) -> bool:
    """Whether no two boxes touch."""
    return all(
        (np.abs(centres[a] - centres[b]) > halves[a] + halves[b]).any()
        for a, b in combinations(range(len(centres)), 2)
    )


def draw_bags(
    ax: Axes,
    texts: list[str],
    points: NDArray[np.float64],
    halves: NDArray[np.float64],
    colours: NDArray[np.float64],
    frame: Frame,
) -> None:
    """Draw a box with its text at each point."""
    from matplotlib.patches import FancyBboxPatch

    for text, point, half, colour in zip(texts, points, halves / frame.scale, colours, strict=True):
        (left, bottom), (width, height) = (point - half).tolist(), (2 * half).tolist()
        ax.add_patch(
            FancyBboxPatch(
                (left, bottom),
                width,
                height,
                boxstyle=f"round,pad=0,rounding_size={_PAD / frame.scale}",
                facecolor=1 - _TINT * (1 - colour[:3]),
                edgecolor=colour,
                linewidth=1.0,
                zorder=3,
            )
        )
        x, y = point.tolist()
        ax.text(x, y, text, size=_FONT, color=INK, ha="center", va="center", parse_math=False, zorder=4)
