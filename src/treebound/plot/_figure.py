"""One page about a learned network: its graph, its tree decomposition, the search, and the guarantee."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from treebound._arguments import check_type
from treebound._files import atomic_write, check_folder
from treebound.plot._decomposition import plot_tree_decomposition
from treebound.plot._network import plot_structure
from treebound.plot._palette import INK
from treebound.plot._require import has_matplotlib, require_matplotlib
from treebound.plot._trace import Traced, plot_trace, search_of
from treebound.structure import Structure, StructureLike, structure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INCHES = (12.0, 8.0)
_DPI = 150
_WORDS_PER_LINE = 170  # letters
# No dates inside, so equal structures give equal files.
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}


def save_figure(
    structure: StructureLike | Axes, path: str | os.PathLike[str], *, trace: Traced | None = None
) -> None:
    """Draw a structure, its tree decomposition and the trace of its search on one page, and save it.

    The file appears complete or not at all; equal arguments give equal files.

    Parameters
    ----------
    structure : Structure, LearnResult, SearchResult, BayesianNetwork or matplotlib.axes.Axes
        What to draw. The figure of axes that a plot returned is saved as it is.
    path : str or path-like
        A file that ends in ``.png``, ``.svg`` or ``.pdf``.
    trace : SearchResult or sequence of Improvement, optional
        The trace to draw, if not that of the result.
    """
    page = _figure_of(structure)
    if page is not None:
        save_page(page, path)
        return
    drawn = structure_of(cast("StructureLike", structure))
    trace = search_of(structure) if trace is None else trace
    target = check_picture_path(path)
    require_matplotlib()
    save_page(_page(drawn, trace), target)


def _figure_of(drawn: object) -> Figure | None:
    """The figure of axes, None for all else."""
    if not has_matplotlib():
        return None
    from matplotlib.axes import Axes

    return drawn.get_figure(root=True) if isinstance(drawn, Axes) else None


def save_page(page: Figure, path: str | os.PathLike[str]) -> None:
    """Save any figure as ``save_figure`` does: complete or not at all, and equal figures as equal files."""
    target = check_picture_path(path)
    from matplotlib import rc_context

    ending = target.suffix.lower()
    with atomic_write(target) as file, rc_context({"svg.hashsalt": "treebound"}):
        page.savefig(file, format=ending[1:], metadata=_METADATA[ending])


def check_picture_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a picture that can be written; its ending says how."""
    check_type("path", path, str | os.PathLike, "the path of a file")
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in _METADATA:
        raise ValueError(f"{target}: expected a name that ends in {', '.join(_METADATA)}, got {ending!r}.")
    check_folder(target)
    return target


def _page(structure: Structure, trace: Traced | None) -> Figure:
    from matplotlib.figure import Figure

    page = Figure(figsize=_INCHES, dpi=_DPI, facecolor="white")
    page.text(0.02, 0.965, _title(structure), size=16, weight="bold", color=INK, va="center")
    message = textwrap.fill(str(structure.guarantee), _WORDS_PER_LINE, max_lines=2)
    page.text(0.02, 0.94, message, size=9.5, color=INK, va="top", parse_math=False, linespacing=1.4)
    network = plot_structure(structure, tables=False, ax=page.add_axes((0.01, 0.01, 0.62, 0.83)))
    _caption(network, "Arcs lead from dark to light; larger dots have more arcs")
    if trace is None:
        tree = page.add_axes((0.65, 0.07, 0.34, 0.77))
    else:
        tree = page.add_axes((0.65, 0.07, 0.34, 0.42))
        _caption(plot_trace(trace, ax=page.add_axes((0.74, 0.6, 0.24, 0.24))), "Improvement over time")
    _caption(plot_tree_decomposition(structure, ax=tree), "Tree decomposition, the witness of the treewidth")
    return page


def _title(structure: Structure) -> str:
    score = "" if structure.score is None else f", score {structure.score:,.1f}"
    return (
        f"{structure.num_variables:,} variables, {structure.num_arcs:,} arcs, "
        f"treewidth at most {structure.treewidth}{score}"
    )


def _caption(ax: Axes, message: str) -> None:
    ax.set_title(message, size=10, color=INK, pad=6)
