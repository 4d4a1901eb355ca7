"""A learned network as a picture: variables as dots, arcs as thin bows.

Colour is depth: roots are dark, and each arc leads from dark to light, so directions can be read where
arrowheads would be too many. A dot grows with the number of its arcs. Arcs that constraints require are
thicker and have a colour of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeGuard

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound.network import BayesianNetwork
from treebound.plot._box_layout import box_layout
from treebound.plot._frame import Frame, fit
from treebound.plot._labels import place, shortened
from treebound.plot._layout import layout
from treebound.plot._neighbourhood import arcs_outside, around_of, part_of
from treebound.plot._palette import ACCENT, INK, shades
from treebound.plot._require import axes_or_new
from treebound.plot._table_boxes import box_sizes, draw_boxes, inches_for, table_text
from treebound.structure import Structure, StructureLike, structure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME_ALL = 40  # variables up to which all are named and arcs have heads
_NAME_SOME = 3000  # up to which the best connected are named
_MOST_NAMES = 12
_BOXES_BY_DEFAULT = 8  # variables of a network up to which their tables are drawn
_MOST_BOXES = 40
_RASTER_FROM = 1500  # variables from which dots and arcs become pixels also in vector files
_BEND = 0.12  # of an arc's length
_FONT = 8.0


def plot_structure(
    structure: StructureLike,
    *,
    around: str | Iterable[str] | None = None,
    distance: int = 2,
    tables: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a structure, or that of a result or network.

    Arcs that the constraints require are thick and orange; hidden variables have dashed outlines. All
    variables are named up to 40 of them, above that the best connected. The layout is deterministic.

    Parameters
    ----------
    structure : Structure, LearnResult, SearchResult or BayesianNetwork
        What to draw.
    around : str or iterable of str, optional
        Draw only what is at most ``distance`` arcs away from these variables; ``+3`` behind a name says that
        three more arcs lead out of the picture.
    distance : int
        How far to go from ``around``.
    tables : bool, optional
        Draw each variable as a box with its CPT, which needs a network; by default up to eight are.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; notebooks show them, and :func:`treebound.plot.save_figure` saves them.
    """
    whole = structure_of(structure)
    centres, chosen = ([], []) if around is None else around_of(whole, around, distance)
    drawn, names = whole, list(whole.names)
    if around is not None:
        drawn = part_of(whole, chosen)
        more = arcs_outside(whole, chosen)
        names = [f"{name} +{count}" if count else name for name, count in zip(drawn.names, more, strict=True)]
        centres = [chosen.index(v) for v in centres]
    if _has_tables(structure, drawn.num_variables, tables):
        return _boxes(structure, drawn, chosen or range(drawn.num_variables), names, centres, ax)
    side = min(8.0, 3.5 + 0.3 * drawn.num_variables)
    return _dots(drawn, names, centres, whole.required_arcs, axes_or_new(ax, (side, side)))


def _has_tables(source: StructureLike, num_drawn: int, tables: bool | None) -> TypeGuard[BayesianNetwork]:
    check_type("tables", tables, bool | None, "True, False or None")
    if not isinstance(source, BayesianNetwork):
        if tables:
            raise TypeError("tables are those of a network; fit(structure, table) makes one.")
        return False
    if tables and num_drawn > _MOST_BOXES:
        raise ValueError(
            f"tables of at most {_MOST_BOXES} variables are drawn, got {num_drawn}; around= names a part."
        )
    return num_drawn <= _BOXES_BY_DEFAULT if tables is None else tables


def _boxes(
    network: BayesianNetwork,
    drawn: Structure,
    chosen: Sequence[int],
    names: list[str],
    centres: list[int],
    ax: Axes | None,
) -> Axes:
    titles, texts = [*map(shortened, names)], [table_text(network, v) for v in chosen]
    sizes = box_sizes(titles, texts)
    placed = box_layout(drawn, sizes)
    ax = axes_or_new(ax, inches_for(placed, sizes))
    required = network.structure.required_arcs
    marked = {arc for arc, named in zip(drawn.arc_indices, drawn.arcs, strict=True) if named in required}
    draw_boxes(ax, titles, texts, placed, centres, marked, _hidden(drawn))
    return ax


def _dots(
    structure: Structure,
    names: list[str],
    centres: list[int],
    required: frozenset[tuple[str, str]],
    ax: Axes,
) -> Axes:
    points = layout(structure)
    all_named = structure.num_variables <= _NAME_ALL
    frame = fit(ax, points, (48.0, 20.0) if all_named else (10.0, 10.0))
    arcs = np.array(structure.arc_indices, dtype=np.int64).reshape(-1, 2)
    degrees = np.bincount(arcs.ravel(), minlength=structure.num_variables)
    areas = _areas(degrees, frame)
    colours = shades(depths(structure))
    is_required = np.array([arc in required for arc in structure.arcs], dtype=np.bool_)
    bows = _bows(points, arcs, 33 if all_named else 9)
    raster = structure.num_variables >= _RASTER_FROM
    if all_named:
        _arrows(ax, points, arcs, areas, colours, is_required)
    else:
        _lines(ax, bows, colours[arcs[:, 0]], is_required, raster)
    edge = 0.0 if raster else 0.5
    hidden = _hidden(structure)
    ax.scatter(
        points[:, 0],
        points[:, 1],
        s=areas,
        c=["white" if v in hidden else colour for v, colour in enumerate(colours)] if hidden else colours,
        linewidths=[2.0 if v in centres else 1.2 if v in hidden else edge for v in range(len(points))],
        edgecolors=[ACCENT if v in centres else INK if v in hidden else "white" for v in range(len(points))],
        linestyles=["--" if v in hidden else "-" for v in range(len(points))],
        zorder=3,
        rasterized=raster,
    )
    _names(ax, names, centres, points, degrees, areas, bows, frame)
    return ax


def _hidden(structure: Structure) -> frozenset[int]:
    """Indices of the hidden variables."""
    schema = structure.schema
    return frozenset(() if schema is None else map(structure.names.index, schema.hidden))


def depths(structure: Structure) -> NDArray[np.float64]:
    """Return the number of arcs on the longest way from a root; all 0 if there is a cycle."""
    result = np.zeros(structure.num_variables)
    for v in structure.topological_order or ():
        result[v] = max((result[p] + 1 for p in structure.parent_indices[v]), default=0)
    return result


def _areas(degrees: NDArray[np.int64], frame: Frame) -> NDArray[np.float64]:
    """Return the areas of the dots in square points: a share of the paper, divided by the arcs."""
    usual = np.clip(0.035 * frame.box.prod() / len(degrees), 0.8, 160.0)
    return np.asarray(usual * (0.4 + 0.6 * degrees / max(degrees.mean(), 1.0)))


def _bows(points: NDArray[np.float64], arcs: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """Return points on each arc, a parabola that bends to the right of its direction."""
    along = np.linspace(0, 1, count)[:, None]
    tail, head = points[arcs[:, 0]], points[arcs[:, 1]]
    aside = (head - tail)[:, ::-1] * np.array([1.0, -1.0])
    bend = _BEND * 4 * along * (1 - along)
    return np.asarray(tail[:, None] * (1 - along) + head[:, None] * along + aside[:, None] * bend)


def _lines(
    ax: Axes,
    bows: NDArray[np.float64],
    colours: NDArray[np.float64],
    is_required: NDArray[np.bool_],
    raster: bool,
) -> None:
    from matplotlib.collections import LineCollection

    width = float(np.clip(20 / np.sqrt(max(len(bows), 1)), 0.25, 0.9))
    plain, how = ~is_required, {"zorder": 2, "rasterized": raster}
    ax.add_collection(
        LineCollection(list(bows[plain]), colors=colours[plain], linewidths=width, alpha=0.45, **how),
        autolim=False,
    )
    if is_required.any():
        ax.add_collection(
            LineCollection(list(bows[is_required]), colors=ACCENT, linewidths=2 * width, alpha=0.8, **how),
            autolim=False,
        )


def _arrows(
    ax: Axes,
    points: NDArray[np.float64],
    arcs: NDArray[np.int64],
    areas: NDArray[np.float64],
    colours: NDArray[np.float64],
    is_required: NDArray[np.bool_],
) -> None:
    from matplotlib.patches import FancyArrowPatch

    radii = np.sqrt(areas / np.pi)
    for (tail, head), is_marked in zip(arcs.tolist(), is_required.tolist(), strict=True):
        ax.add_patch(
            FancyArrowPatch(
                tuple(points[tail]),
                tuple(points[head]),
                connectionstyle=f"arc3,rad={2 * _BEND}",
                arrowstyle="-|>,head_length=4,head_width=2",
                shrinkA=float(radii[tail]),
                shrinkB=float(radii[head]) + 1,
                color=ACCENT if is_marked else colours[tail],
                linewidth=2.0 if is_marked else 1.0,
                alpha=0.8,
                zorder=2,
            )
        )


def _names(
    ax: Axes,
    names: list[str],
    centres: list[int],
    points: NDArray[np.float64],
    degrees: NDArray[np.int64],
    areas: NDArray[np.float64],
    bows: NDArray[np.float64],
    frame: Frame,
) -> None:
    from matplotlib.patheffects import withStroke

    named = _named(degrees)
    named = np.concatenate([np.array(centres, dtype=named.dtype), named[~np.isin(named, centres)]])
    texts = [shortened(names[v]) for v in named]
    paper = frame.to_paper(points)
    middles = place(
        texts,
        paper[named],
        np.sqrt(areas[named] / np.pi) + 1.5,
        size=_FONT,
        nodes=paper,
        lines=frame.to_paper(bows.reshape(-1, 2)),
        frame=np.array([[0.0, 0.0], frame.box]),
    )
    for text, (x, y) in zip(texts, frame.to_data(middles), strict=True):
        halo = [withStroke(linewidth=2, foreground="white", alpha=0.85)]
        ax.text(
            x,
            y,
            text,
            size=_FONT,
            color=INK,
            ha="center",
            va="center",
            path_effects=halo,
            parse_math=False,
            zorder=4,
        )


def _named(degrees: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return who is named, best connected first."""
    best = np.argsort(-degrees, kind="stable")
    if len(degrees) <= _NAME_ALL:
        return best
    return best[:_MOST_NAMES] if len(degrees) <= _NAME_SOME else best[:0]
