"""How several searches improved side by side: for each method the median over its runs, and a band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound.plot._palette import FAINT, INK, line_styles, write_empty
from treebound.plot._require import axes_or_new
from treebound.plot._trace import EARLIEST, LOG_FROM, make_time_logarithmic, style_scores
from treebound.solvers import Improvement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# First structures are far worse than all later ones: so many times the spread of the last scores is shown.
_SHOWN_BELOW = 1.0
_FAR = 8.0  # so many times the spread of the better ones: drawn, they would hide all differences
_NAMED = 3  # below the edge: more would not fit in a line
_GAIN_SHOWN = 0.2  # of the smallest gain over time
_REFERENCE = "best without a bound"
_LEAST_SPREAD = 1e-5  # of the score; finer differences need no room of their own


# By label: moments, and the lowest, the median and the highest score from each moment on.
Curves: TypeAlias = Mapping[str, tuple[NDArray[np.float64], ...]]


@runtime_checkable
class Traced(Protocol):
    """A run with its improvements: a ``SearchResult`` or a ``RunRecord``."""

    @property
    def trace(self) -> tuple[Improvement, ...]:
        """The improvements."""

    @property
    def seconds(self) -> float | None:
        """When the run ended."""


def plot_curves(
    runs: Mapping[str, Sequence[Traced]],
    *,
    reference: float | None = None,
    log_time: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the best score over time of several methods.

    Each method may have several runs: the line is their median, the band reaches from the worst to the best.
    Both begin when every run has found something, and each ends with its last run.

    Parameters
    ----------
    runs : mapping of str to sequence of SearchResult
        The runs of each method, by its label.
    reference : float, optional
        A dashed line across, such as the best score without a treewidth limit.
    log_time : bool, optional
        Whether time is logarithmic; by default, if it spans a factor of 50.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; notebooks show them, and :func:`treebound.plot.save_figure` saves them.
    """
    check_type("runs", runs, Mapping, "lists of runs by label")
    for label, found in runs.items():
        check_type(f"the runs of {label!r}", found, Sequence, "a list of results of search")
        for run in found:
            check_type(f"each run of {label!r}", run, Traced, "a SearchResult or a RunRecord")
    ax = axes_or_new(ax, (7, 4.5), (0.17, 0.13, 0.8, 0.8))
    style_scores(ax)
    drawn = {label: band(found) for label, found in runs.items()}
    for style, (label, curve) in zip(line_styles(len(drawn)), drawn.items(), strict=True):
        if curve is None:
            continue
        times, low, middle, high = curve
        ax.plot(times, middle, label=label, drawstyle="steps-post", linewidth=1.8, **style)
        ax.plot(times[-1], middle[-1], "o", color=style["color"], markersize=4)
        if len(runs[label]) > 1:
            ax.fill_between(times, low, high, step="post", color=style["color"], alpha=0.18, linewidth=0)
    known = {label: curve for label, curve in drawn.items() if curve is not None}
    if not known:
        write_empty(ax, "no structure found")
        return ax
    _scale_time(ax, known, log_time)
    _scale_scores(ax, known, reference)
    return ax


def band(runs: Sequence[Traced]) -> tuple[NDArray[np.float64], ...] | None:
    """Moments, and the lowest, the median and the highest score of all runs from each moment on."""
    found = [run for run in runs if run.trace]
    if not found:
        return None
    moments = [np.maximum([entry.seconds for entry in run.trace], EARLIEST) for run in found]
    begin = max(times[0] for times in moments)
    end = max([begin, *(run.seconds or 0.0 for run in found), *(times[-1] for times in moments)])
    every = np.unique(np.concatenate([*moments, [begin, end]]))
    every = every[every >= begin]
    scores = np.array([_score_at(run, times, every) for run, times in zip(found, moments, strict=True)])
    return every, scores.min(axis=0), np.median(scores, axis=0), scores.max(axis=0)


def _score_at(run: Traced, times: NDArray[np.float64], every: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = np.array([entry.score for entry in run.trace])
    return np.asarray(scores[np.searchsorted(times, every, side="right") - 1])


def _scale_time(ax: Axes, curves: Curves, log_time: bool | None) -> None:
    first = min(curve[0][0] for curve in curves.values())
    last = max(curve[0][-1] for curve in curves.values())
    if last / first > LOG_FROM if log_time is None else log_time:
        make_time_logarithmic(ax)


def _scale_scores(ax: Axes, curves: Curves, reference: float | None) -> None:
    """Choose a scale on which the best methods differ visibly; name what is far away at the edge."""
    least = _least_spread(list(curves.values()))
    top, bottom = shown_range([curve[2][-1] for curve in curves.values()], least)
    highest = max(curve[3].max() for curve in curves.values())
    lowest = min(curve[1].min() for curve in curves.values())
    spread = max(top - bottom, least)
    if reference is not None and top < reference <= top + _FAR * spread:
        highest = max(highest, reference)
    margin = 0.08 * max(highest - bottom, spread)
    ax.set_ylim(max(bottom - _SHOWN_BELOW * spread, lowest - margin), highest + margin)
    if reference is not None:
        ax.axhline(reference, color=FAINT, linewidth=1.2, linestyle=(0, (6, 3)), zorder=1)
    below = [f"{label} {c[2][-1]:,.0f}" for label, c in curves.items() if c[3].max() < ax.get_ylim()[0]]
    if len(below) > _NAMED:
        below[_NAMED - 1 :] = [f"{len(below) - _NAMED + 1} more"]
    if below:
        _note(ax, 0.03, f"below: {', '.join(below)}")
    if reference is not None and reference > ax.get_ylim()[1]:
        _note(ax, 0.96, f"{_REFERENCE}: {reference:,.0f}")
    elif reference is not None:
        across = ax.get_yaxis_transform()
        # At the left, where scores are far below: at the right the best curves would cross it.
        ax.text(0.02, reference, _REFERENCE, transform=across, ha="left", va="bottom", size=7.5, color=INK)


def shown_range(finals: Sequence[float], least: float) -> tuple[float, float]:
    """The best of the last scores, and the worst that is shown.

    Two, and half of all, are always shown; after them, none that is much farther from the best than the one
    before. Distances below ``least`` count as that.
    """
    ordered = sorted(finals, reverse=True)
    shown = max(2, (len(ordered) + 1) // 2)
    while shown < len(ordered):
        if ordered[0] - ordered[shown] > _FAR * max(ordered[0] - ordered[shown - 1], least):
            break
        shown += 1
    return ordered[0], ordered[:shown][-1]


def _least_spread(curves: Sequence[tuple[NDArray[np.float64], ...]]) -> float:
    """A part of what the methods gained over time, so methods with equal ends are seen to get there."""
    gains = [float(curve[2][-1] - curve[2][0]) for curve in curves if curve[2][-1] > curve[2][0]]
    size = max(abs(float(curve[2][-1])) for curve in curves)
    return max(_GAIN_SHOWN * min(gains, default=0.0), _LEAST_SPREAD * size)


def _note(ax: Axes, height: float, message: str) -> None:
    text = ax.text(
        0.98, height, message, transform=ax.transAxes, ha="right", va="center", size=7.5, color=INK
    )
    text.set_parse_math(False)
    text.set_in_layout(False)  # a long line must not squeeze the axes
    text.set_bbox({"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1.5})
