"""Axes that show their figure when they are the result of a cell of a notebook."""

from __future__ import annotations

import io

from matplotlib.axes import Axes

_SHOWN_DPI = 72


class ShownAxes(Axes):
    """What plots return for a new figure, which pyplot does not know and so would not show."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """The picture, drawn finely and shown as large as its inches say."""
        figure = self.get_figure(root=True)
        assert figure is not None
        picture = io.BytesIO()
        figure.savefig(picture, format="png")
        width, height = (figure.get_size_inches() * _SHOWN_DPI).astype(int).tolist()
        return picture.getvalue(), {"width": width, "height": height}
