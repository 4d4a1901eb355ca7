"""How much a bound costs: boxes of W-scores, as in the last figure of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treebound._arguments import check_type
from treebound.plot._palette import INK, line_styles, style_axes, write_empty
from treebound.plot._require import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LOG_FROM = 20.0  # largest over smallest from which equal steps would hide the small ones
_GAP = 0.8  # between the groups of two methods, in boxes


def plot_w_scores(values: Mapping[str, Mapping[int, Sequence[float]]], *, ax: Axes | None = None) -> Axes:
    """Draw W-scores by method and by treewidth limit, in percent.

    A box reaches from the first to the third quartile, with a line at the median; whiskers reach to the ends,
    and dots are single values. The axis is logarithmic if all are positive and span a factor of 20.

    Parameters
    ----------
    values : mapping of str to mapping of int to sequence of float
        The W-scores of each method and limit.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; notebooks show them, and :func:`treebound.plot.save_figure` saves them.
    """
    check_type("values", values, Mapping, "W-scores by label and by bound")
    for label, bounds in values.items():
        check_type(f"the values of {label!r}", bounds, Mapping, "W-scores by bound")
    boxes = [
        (label, bound, found) for label, bounds in values.items() for bound, found in bounds.items() if found
    ]
    ax = axes_or_new(ax, (1.5 + 0.55 * max(len(boxes), 4), 4.2), (0.13, 0.16, 0.84, 0.76))
    style_axes(ax, "", "W-score, percent")
    ax.tick_params(axis="x", length=0)
    if not boxes:
        write_empty(ax, "no W-scores")
        return ax
    colours = {label: style["color"] for label, style in zip(values, line_styles(len(values)), strict=True)}
    places, middles = _places([label for label, _, _ in boxes])
    for place, (label, _, found) in zip(places, boxes, strict=True):
        _box(ax, place, 100 * np.asarray(found, dtype=float), colours[label])
    ax.set_xticks(places, [str(bound) for _, bound, _ in boxes])
    ax.annotate(
        "bound",
        (0, 0),
        (-8, -10),
        "axes fraction",
        "offset points",
        ha="right",
        va="center",
        size=8,
        color=INK,
    )
    for label, middle in middles.items():
        ax.text(
            middle,
            -0.1,
            label,
            transform=ax.get_xaxis_transform(),
            ha="center",
            va="top",
            size=10,
            color=colours[label],
            weight="bold",
            parse_math=False,
        )
    from matplotlib.ticker import FuncFormatter

    every = np.concatenate([np.asarray(found, dtype=float) for _, _, found in boxes])
    if every.min() > 0 and every.max() / every.min() > _LOG_FROM:
        ax.set_yscale("log")
    elif every.min() >= 0:
        ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    return ax


def _places(labels: Sequence[str]) -> tuple[list[float], dict[str, float]]:
    """Where the boxes stand, with a gap between methods; and the middle of each method."""
    places: list[float] = []
    for number, label in enumerate(labels):
        step = 0.0 if number == 0 else 1.0 if labels[number - 1] == label else 1.0 + _GAP
        places.append((places[-1] if places else 0.0) + step)
    middles = {
        label: float(np.mean([p for p, other in zip(places, labels, strict=True) if other == label]))
        for label in dict.fromkeys(labels)
    }
    return places, middles


def _box(ax: Axes, place: float, percent: np.ndarray, colour: str) -> None:
    drawn = ax.boxplot(
        percent,
        positions=[place],
        widths=0.62,
        whis=(0, 100),
        patch_artist=True,
        manage_ticks=False,
        medianprops={"color": colour, "linewidth": 2.2},
        boxprops={"edgecolor": colour, "linewidth": 1.2},
        whiskerprops={"color": colour},
        capprops={"color": colour},
    )
    for patch in drawn["boxes"]:
        patch.set_facecolor((*_rgb(colour), 0.2))
    # Dots next to each other, so few values are seen for what they are.
    aside = place + 0.18 * np.sin(2.4 * np.arange(len(percent)))
    ax.plot(aside, percent, "o", color=colour, markersize=3, alpha=0.6, markeredgewidth=0)


def _rgb(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return red, green, blue
