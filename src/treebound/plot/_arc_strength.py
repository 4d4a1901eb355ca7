"""How sure the arcs are: a bar for each of the strongest, split by direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from treebound._arguments import check_integer, check_type
from treebound.plot._labels import shortened
from treebound.plot._palette import ACCENT, FAINT, INK
from treebound.plot._require import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INCHES_PER_ARC = 0.22


@runtime_checkable
class StrongArc(Protocol):
    """A row of the table of ``arc_strength``."""

    @property
    def parent(self) -> str:
        """Where the arc begins."""

    @property
    def child(self) -> str:
        """Where the arc ends."""

    @property
    def strength(self) -> float:
        """Share of networks that join the two."""

    @property
    def direction(self) -> float:
        """Share of these in which the arc points this way."""


class HasArcs(Protocol):
    """What ``arc_strength`` returns."""

    @property
    def arcs(self) -> Sequence[StrongArc]:
        """Its arcs, the strongest first."""


def plot_arc_strength(arcs: HasArcs | Sequence[StrongArc], *, most: int = 40, ax: Axes | None = None) -> Axes:
    """Draw the strongest arcs.

    A bar is as long as the arc is strong; its dark part is the share of networks in which it points as the
    label says.

    Parameters
    ----------
    arcs : ArcStrength or sequence of Arc
        What :func:`treebound.resampling.arc_strength` returned, or its arcs.
    most : int
        Draw at most this many.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; notebooks show them, and :func:`treebound.plot.save_figure` saves them.
    """
    listed: Any = arcs if isinstance(arcs, Sequence) else getattr(arcs, "arcs", arcs)
    check_type("arcs", listed, Sequence, "what arc_strength() returned, or its arcs")
    shown = list(listed)[: check_integer("most", most, 1)]
    for arc in shown:
        check_type("each of arcs", arc, StrongArc, "an arc of what arc_strength() returned")
    height = 1.0 + _INCHES_PER_ARC * max(len(shown), 1)
    ax = axes_or_new(ax, (7, height), (0.34, 0.6 / height, 0.62, 1 - 0.9 / height))
    places = range(len(shown))
    ax.barh(places, [arc.strength for arc in shown], color=FAINT, height=0.7, label="either way")
    forward = [arc.strength * arc.direction for arc in shown]
    ax.barh(places, forward, color=ACCENT, height=0.7, label="this way")
    labels = [f"{shortened(arc.parent)} \u2192 {shortened(arc.child)}" for arc in shown]
    ax.set_yticks(places, labels, parse_math=False)
    ax.set_xlim(0, 1)
    ax.set_xlabel("share of networks", color=INK, size=9)
    ax.tick_params(colors=INK, labelsize=8)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    if shown:
        ax.set_ylim(len(shown) - 0.5, -0.5)
        ax.legend(
            frameon=False, fontsize=8, labelcolor=INK, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2
        )
    return ax
