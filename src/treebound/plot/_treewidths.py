"""How much a bound on the treewidth is worth: held-out log-likelihood over bounds, and the size of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from treebound._arguments import check_type
from treebound.plot._palette import ACCENT, FAINT, INK, style_axes
from treebound.plot._require import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@runtime_checkable
class BoundRow(Protocol):
    """A row of the table of ``choose_treewidth``."""

    @property
    def max_treewidth(self) -> int:
        """The bound."""

    @property
    def log_likelihood(self) -> float:
        """Mean over the rows held out."""

    @property
    def behind_error(self) -> float:
        """Standard error of how far it is behind the best bound, row by row."""

    @property
    def largest_cells(self) -> int:
        """Joint states of the largest bag."""


def plot_treewidths(
    rows: Sequence[BoundRow], *, recommended: int | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the held-out log-likelihood over treewidth limits.

    Bars are one standard error of the difference from the best limit to each side: a limit whose bar reaches
    the dotted line of the best is near enough. Below each limit stands the size of its largest table.

    Parameters
    ----------
    rows : sequence of TreewidthRow
        The ``table`` of what :func:`treebound.resampling.choose_treewidth` returned.
    recommended : int, optional
        The limit to mark.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; notebooks show them, and :func:`treebound.plot.save_figure` saves them.
    """
    check_type("rows", rows, Sequence, "the table of what choose_treewidth() returned")
    for row in rows:
        check_type("each of rows", row, BoundRow, "a row of what choose_treewidth() returned")
    ax = axes_or_new(ax, (6, 4), (0.16, 0.19, 0.8, 0.76))
    bounds = [row.max_treewidth for row in rows]
    ax.errorbar(
        bounds,
        [row.log_likelihood for row in rows],
        yerr=[row.behind_error for row in rows],
        color=INK,
        ecolor=FAINT,
        marker="o",
        markersize=5,
        capsize=3,
        linewidth=1.5,
    )
    if rows:
        best = max(row.log_likelihood for row in rows)
        ax.axhline(best, color=FAINT, linewidth=1, linestyle=":", zorder=0)
    chosen = [row for row in rows if row.max_treewidth == recommended]
    if chosen:
        place = (chosen[0].max_treewidth, chosen[0].log_likelihood)
        ax.plot(*place, "o", color=ACCENT, markersize=10, zorder=3, label="recommended")
        ax.legend(frameon=False, fontsize=8, loc="lower right", labelcolor=INK)
    ax.set_xticks(bounds, [f"{row.max_treewidth}\n{_short(row.largest_cells)}" for row in rows])
    across = "treewidth limit, and cells of the largest table"
    style_axes(ax, across, "held-out log-likelihood, nats per row")
    return ax


def _short(count: int) -> str:
    for unit in ("", "k", "M", "G"):
        if count < 1000:
            return f"{count:.3g}{unit}"
        count /= 1000  # type: ignore[assignment]
    return f"{count:.3g}T"
