"""Colours that people with any kind of colour vision can distinguish, also in print.

The ramp is a stretch of viridis, whose lightness rises evenly; its yellow end is dropped, since it fades on
white paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap, ListedColormap

INK = "#1f2933"
FAINT = "#9aa5b1"
ACCENT = "#c2410c"
_ENDS = (0.02, 0.86)
_TINTS = ("#eaf1f7", "#6fa8d0", "#123a5e")
# Okabe and Ito's colours, without their yellow and in an order that keeps neighbours apart, then darker ones.
_DISTINCT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#7f3c8d")
_DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)))


def ramp() -> ListedColormap:
    """Return the colour map from dark to light."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps["viridis"](np.linspace(*_ENDS, 256)), name="treebound")


def tints() -> LinearSegmentedColormap:
    """Return the colour map from nearly white to dark, for cells with a number in them."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("treebound tints", _TINTS)


def shades(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a colour per value, the least darkest."""
    low, span = values.min(initial=np.inf), np.ptp(values) if len(values) else 0.0
    return np.asarray(ramp()((values - low) / span if span else np.full(len(values), 0.35)))


def style_axes(ax: Axes, across: str, up: str) -> None:
    """Give axes labels and the look of all our figures."""
    ax.set_xlabel(across, color=INK, size=9)
    ax.set_ylabel(up, color=INK, size=9)
    ax.tick_params(colors=INK, labelsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(FAINT)
    ax.grid(axis="y", color=FAINT, alpha=0.3, linewidth=0.6)


def write_empty(ax: Axes, message: str) -> None:
    """Say in the middle of axes why there is nothing in them."""
    ax.text(0.5, 0.5, message, transform=ax.transAxes, color=INK, ha="center", va="center")


def line_styles(count: int) -> list[dict[str, Any]]:
    """Return as many line styles that differ visibly: eight colours, then the same with other dashes."""
    return [
        {"color": _DISTINCT[i % len(_DISTINCT)], "linestyle": _DASHES[i // len(_DISTINCT) % len(_DASHES)]}
        for i in range(count)
    ]
