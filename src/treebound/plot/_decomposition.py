"""The witness as a picture: a dot per bag, its area the size of its table, joined to the tree."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treebound.plot._forces import relax
from treebound.plot._frame import fit
from treebound.plot._layout import true_edges
from treebound.plot._palette import FAINT, INK, shades
from treebound.plot._radial import radial
from treebound.plot._require import axes_or_new
from treebound.structure import Structure, StructureLike, structure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RASTER_FROM = 1500  # bags from which dots and lines become pixels also in vector files
_MOST_KEYS = 6


def plot_tree_decomposition(structure: StructureLike, *, ax: Axes | None = None) -> Axes:
    """Draw the witness of a structure, result or network into ``ax``, or into a new figure; return the axes.

    A dot is a bag: its colour shows the number of variables, its area the number of cells of their table,
    or again the number of variables if their states are unknown.
    """
    structure, ax = structure_of(structure), axes_or_new(ax, (6, 6))
    bags, edges = structure.witness.bags, true_edges(structure.witness)
    links = np.array(edges, dtype=np.int64).reshape(-1, 2)
    points = relax(radial(len(bags), edges), links)
    frame = fit(ax, points, (14.0, 14.0))
    sizes = np.array([len(bag) for bag in bags], dtype=float)
    tables = _tables(structure)
    # Shares of the paper, unless the largest would then cover its neighbours.
    areas = np.maximum(tables * min(0.05 * frame.box.prod() / tables.sum(), 120.0 / tables.max()), 0.8)
    raster = len(bags) >= _RASTER_FROM
    _draw_edges(ax, points[links], raster)
    colours = shades(sizes)
    ax.scatter(
        points[:, 0],
        points[:, 1],
        s=areas,
        c=colours,
        linewidths=0.3,
        edgecolors="white",
        zorder=3,
        rasterized=raster,
    )
    area = "" if structure.cardinalities is None else "; area: cells of its table"
    _key(ax, sizes, colours, f"colour: variables in a bag{area}")
    return ax


def _tables(structure: Structure) -> NDArray[np.float64]:
    states = structure.cardinalities
    return np.array(
        [
            float(len(bag) if states is None else prod(states[v] for v in bag))
            for bag in structure.witness.bags
        ]
    )


def _draw_edges(ax: Axes, lines: NDArray[np.float64], raster: bool) -> None:
    from matplotlib.collections import LineCollection

    ax.add_collection(
        LineCollection(list(lines), colors=FAINT, linewidths=0.6, zorder=2, rasterized=raster), autolim=False
    )


def _key(ax: Axes, sizes: NDArray[np.float64], colours: NDArray[np.float64], title: str) -> None:
    """Explain the colours of the most frequent bag sizes."""
    from matplotlib.lines import Line2D

    values, first, counts = np.unique(sizes, return_index=True, return_counts=True)
    shown = np.sort(np.argsort(-counts, kind="stable")[:_MOST_KEYS])
    handles = [
        Line2D([], [], marker="o", linestyle="", color=colours[first[i]], label=f"{values[i]:.0f}")
        for i in shown
    ]
    ax.legend(
        handles=handles,
        title=title,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=_MOST_KEYS,
        frameon=False,
        fontsize=8,
        title_fontsize=8,
        labelcolor=INK,
        handletextpad=0.1,
        columnspacing=1.0,
        borderaxespad=0,
    )
