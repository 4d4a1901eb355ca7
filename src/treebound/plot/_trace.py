"""How a search improved: the best score so far over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from treebound._arguments import shown
from treebound.plot._palette import ACCENT, style_axes, write_empty
from treebound.plot._require import axes_or_new
from treebound.solvers import Improvement, SearchResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOG_FROM = 50.0  # last over first moment from which equal steps of a clock would hide the beginning
EARLIEST = 1e-3  # seconds; a logarithm knows no zero


class HasSearch(Protocol):
    """A ``LearnResult``."""

    @property
    def search(self) -> SearchResult:
        """The search that led to it."""


Traced: TypeAlias = SearchResult | HasSearch | Sequence[Improvement]


def plot_trace(result: Traced, *, ax: Axes | None = None) -> Axes:
    """Draw the best score over time.

    Parameters
    ----------
    result : LearnResult, SearchResult or sequence of Improvement
        With a result, the line goes on to the end of the search.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; notebooks show them, and :func:`treebound.plot.save_figure` saves them.
    """
    trace, end = _trace_of(result)
    ax = axes_or_new(ax, (6, 4), (0.17, 0.15, 0.79, 0.79))
    style_scores(ax)
    if not trace:
        write_empty(ax, "no structure found")
        return ax
    seconds = np.maximum([entry.seconds for entry in trace], EARLIEST)
    scores = np.array([entry.score for entry in trace])
    end = max(end, seconds[-1])
    if end / seconds[0] > LOG_FROM:
        make_time_logarithmic(ax)
    ax.step([*seconds, end], [*scores, scores[-1]], where="post", color=ACCENT, linewidth=1.5)
    ax.plot(seconds[-1], scores[-1], "o", color=ACCENT, markersize=4)
    return ax


def search_of(source: object) -> SearchResult | None:
    """The search of what ``learn`` or ``search`` returned; None for all else, such as a structure."""
    found = getattr(source, "search", source)
    return found if isinstance(found, SearchResult) else None


def _trace_of(result: Traced) -> tuple[Sequence[Improvement], float]:
    """The improvements, and the second in which the search ended if that is known."""
    search = search_of(result)
    if search is not None:
        return search.trace, search.seconds
    if isinstance(result, Sequence) and all(isinstance(entry, Improvement) for entry in result):
        return result, 0.0
    raise TypeError(f"result must be what learn() or search() returned, or a trace, got {shown(result)}.")


def style_scores(ax: Axes) -> None:
    """Style axes of a score over time."""
    from matplotlib.ticker import FuncFormatter

    style_axes(ax, "seconds", "best score")
    ax.yaxis.set_major_formatter(FuncFormatter(lambda score, _: f"{score:,.10g}"))


def make_time_logarithmic(ax: Axes) -> None:
    """Use a logarithmic axis of time, with plain numbers."""
    from matplotlib.ticker import FuncFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda second, _: f"{second:g}"))
