"""Who beats whom: a heat map of victories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treebound._arguments import check_integer, check_rows, check_type
from treebound.plot._palette import INK, tints
from treebound.plot._require import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DARK_FROM = 0.5  # on tints from this share on, white letters are easier to read


def plot_victories(
    labels: Sequence[str],
    wins: Sequence[Sequence[int]],
    significant: Sequence[Sequence[bool]],
    *,
    total: int,
    ax: Axes | None = None,
) -> Axes:
    """Draw how often each method beat each other.

    Parameters
    ----------
    labels : sequence of str
        The methods.
    wins : sequence of sequence of int
        How often the method of the row beat that of the column; the darker, the more often.
    significant : sequence of sequence of bool
        Which numbers are bold and underlined.
    total : int
        Number of experiments.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; notebooks show them, and :func:`treebound.plot.save_figure` saves them.
    """
    check_type("labels", labels, Sequence, "a list of labels")
    check_integer("total", total, 0)
    size = len(labels)
    for name, rows in (
        ("wins", check_rows("wins", wins)),
        ("significant", check_rows("significant", significant)),
    ):
        if [len(row) for row in rows] != [size] * size:
            raise ValueError(f"{name} must have {size} rows of {size}, one per label.")
    ax = axes_or_new(ax, (1.6 + 0.7 * size, 1.4 + 0.6 * size), (0.25, 0.05, 0.7, 0.7))
    shares = np.array(wins, dtype=float).reshape(size, size) / max(total, 1)
    np.fill_diagonal(shares, np.nan)
    ax.imshow(np.ma.masked_invalid(shares), cmap=tints(), vmin=0, vmax=1, aspect="equal")
    for row in range(size):
        for column in range(size):
            if row != column:
                _write(ax, column, row, wins[row][column], significant[row][column], shares[row, column])
    _style(ax, labels)
    return ax


def _write(ax: Axes, x: int, y: int, wins: int, is_significant: bool, share: float) -> None:
    colour = "white" if share >= _DARK_FROM else INK
    weight = "bold" if is_significant else "normal"
    ax.text(x, y, str(wins), ha="center", va="center", size=11, weight=weight, color=colour)
    if is_significant:
        ax.plot(
            [x - 0.17, x + 0.17], [y + 0.26, y + 0.26], color=colour, linewidth=1.4, solid_capstyle="round"
        )


def _style(ax: Axes, labels: Sequence[str]) -> None:
    ticks = range(len(labels))
    # Long labels lean, since they would run into each other.
    leans = max(map(len, labels), default=0) > 5
    ax.set_xticks(ticks, labels, rotation=40 if leans else 0, ha="left" if leans else "center")
    ax.set_yticks(ticks, labels)
    ax.tick_params(length=0, colors=INK, labelsize=9, top=False, labeltop=True, labelbottom=False)
    ax.set_xticks([tick - 0.5 for tick in ticks][1:], minor=True)
    ax.set_yticks([tick - 0.5 for tick in ticks][1:], minor=True)
    ax.grid(which="minor", color="white", linewidth=2)
    ax.tick_params(which="minor", length=0)
    ax.spines[:].set_visible(False)
