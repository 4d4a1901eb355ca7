"""Axes that show their figure when they are the result of a cell of a notebook."""

from __future__ import annotations

import io

from matplotlib.axes import Axes


class ShownAxes(Axes):
    """What plots return for a new figure, which pyplot does not know and so would not show."""

    def _repr_png_(self) -> bytes:
        picture = io.BytesIO()
        figure = self.get_figure(root=True)
        assert figure is not None
        figure.savefig(picture, format="png")
        return picture.getvalue()
