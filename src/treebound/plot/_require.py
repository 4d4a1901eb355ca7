"""Matplotlib is optional: it is imported when something is drawn, and its absence is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treebound._arguments import check_type

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FULL = (0.0, 0.0, 1.0, 1.0)

WITHOUT_MATPLOTLIB = "Drawing needs matplotlib, which is not installed: pip install matplotlib"


def has_matplotlib() -> bool:
    """Whether anything can be drawn."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def require_matplotlib() -> None:
    """Reject to draw without matplotlib, with the command that installs it."""
    if not has_matplotlib():
        raise ImportError(WITHOUT_MATPLOTLIB, name="matplotlib")


def axes_or_new(
    ax: Axes | None, inches: tuple[float, float], place: tuple[float, float, float, float] = _FULL
) -> Axes:
    """Return the axes given, or those of a new figure, unknown to pyplot and so never kept alive by it.

    The new ones show themselves in a notebook.
    """
    require_matplotlib()
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    check_type("ax", ax, Axes | None, "axes of matplotlib, or None for a new figure")
    if ax is not None:
        return ax

    from treebound.plot._shown_axes import ShownAxes

    return Figure(figsize=inches, dpi=150).add_axes(place, axes_class=ShownAxes)
