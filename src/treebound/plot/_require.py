"""Matplotlib is optional: it is imported when something is drawn, and its absence is explained."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from treebound._arguments import check_type

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FULL = (0.0, 0.0, 1.0, 1.0)
_SHOWN_DPI = 72

WITHOUT_MATPLOTLIB = "Drawing needs matplotlib, which is not installed: pip install matplotlib"


def has_matplotlib() -> bool:
    """Whether anything can be drawn."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def require_matplotlib() -> None:
    """Refuse to draw without matplotlib, with the command that installs it."""
    if not has_matplotlib():
        raise ImportError(WITHOUT_MATPLOTLIB, name="matplotlib")


def axes_or_new(
    ax: Axes | None, inches: tuple[float, float], place: tuple[float, float, float, float] = _FULL
) -> Axes:
    """Return the axes given, or those of a new figure, unknown to pyplot and so never kept alive by it."""
    require_matplotlib()
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    check_type("ax", ax, Axes | None, "axes of matplotlib, or None for a new figure")
    if ax is not None:
        return ax

    figure = Figure(figsize=inches, dpi=150)

    class ShownAxes(Axes):
        """Axes that a notebook shows as their picture, as large as its inches say."""

        def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
            file = BytesIO()
            figure.savefig(file, format="png")
            width, height = (figure.get_size_inches() * _SHOWN_DPI).astype(int).tolist()
            return file.getvalue(), {"width": width, "height": height}

    return figure.add_axes(ShownAxes(figure, place))
