"""The witness as a picture: a box or a dot per bag, joined to the tree."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treebound.plot._bag_boxes import bag_texts, draw_bags, half_sizes, have_room, margin_for
from treebound.plot._forces import relax
from treebound.plot._frame import fit
from treebound.plot._layout import levelled, true_edges
from treebound.plot._palette import FAINT, INK, shades
from treebound.plot._radial import radial
from treebound.plot._require import axes_or_new
from treebound.structure import Structure, StructureLike, TreeDecomposition, structure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RASTER_FROM = 1500  # bags from which dots and lines become pixels also in vector files
_MOST_KEYS = 6


def plot_tree_decomposition(structure: StructureLike, *, ax: Axes | None = None) -> Axes:
    """Draw the tree decomposition that proves the treewidth of a structure, result or network.

    A few bags are boxes that name their variables, where these have room. Otherwise a dot is a bag: its
    colour shows the number of variables, its area the number of cells of their table, or again the number of
    variables if their states are unknown.

    Parameters
    ----------
    structure : Structure, LearnResult, SearchResult or BayesianNetwork
        What to draw.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; notebooks show them, and :func:`treebound.plot.save_figure` saves them.
    """
    structure, ax = structure_of(structure), axes_or_new(ax, (6, 6))
    bags = structure.witness.bags
    points, links = decomposition_layout(structure.witness)
    sizes = np.array([len(bag) for bag in bags], dtype=float)
    if texts := bag_texts(structure):
        halves = half_sizes(texts)
        frame = fit(ax, points, margin_for(halves))
        if have_room(frame.to_paper(points), halves):
            _draw_edges(ax, points[links], 1.0)
            draw_bags(ax, texts, points, halves, shades(sizes), frame)
            return ax
    _draw_dots(ax, structure, points, links, sizes)
    return ax


def decomposition_layout(tree: TreeDecomposition) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return a row (x, y) per bag, and the edges between bags that share a variable."""
    edges = true_edges(tree)
    links = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return levelled(relax(radial(len(tree.bags), edges), links)), links


def _draw_dots(
    ax: Axes,
    structure: Structure,
    points: NDArray[np.float64],
    links: NDArray[np.int64],
    sizes: NDArray[np.float64],
) -> None:
    frame = fit(ax, points, (14.0, 14.0))
    tables = _tables(structure)
    # Shares of the paper, unless the largest would then cover its neighbours.
    areas = np.maximum(tables * min(0.05 * frame.box.prod() / tables.sum(), 120.0 / tables.max()), 0.8)
    raster = len(points) >= _RASTER_FROM
    _draw_edges(ax, points[links], 0.6, raster)
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


def _tables(structure: Structure) -> NDArray[np.float64]:
    states = structure.cardinalities
    return np.array(
        [
            float(len(bag) if states is None else prod(states[v] for v in bag))
            for bag in structure.witness.bags
        ]
    )


def _draw_edges(ax: Axes, lines: NDArray[np.float64], width: float, raster: bool = False) -> None:
    from matplotlib.collections import LineCollection

    ax.add_collection(
        LineCollection(list(lines), colors=FAINT, linewidths=width, zorder=2, rasterized=raster),
        autolim=False,
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
