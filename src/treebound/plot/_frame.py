"""Axes without axes: one length unit in both directions, and the picture as large as the paper allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LONGEST_UNIT = 110.0  # in typographic points, so three variables do not stand a page apart


@dataclass(frozen=True)
class Frame:
    """How data coordinates become typographic points, in which text and dots are measured."""

    middle: NDArray[np.float64]
    scale: float  # points per unit
    box: NDArray[np.float64]  # width and height in points

    def to_paper(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points measured from the lower left corner of the axes."""
        return (points - self.middle) * self.scale + self.box / 2

    def to_data(self, paper: NDArray[np.float64]) -> NDArray[np.float64]:
        """Undo ``to_paper``."""
        return (paper - self.box / 2) / self.scale + self.middle


def fit(ax: Axes, points: NDArray[np.float64], margin: tuple[float, float]) -> Frame:
    """Make the axes show all points, with a margin (typographic points, left-right and below-above)."""
    box = np.array([ax.bbox.width, ax.bbox.height]) * 72 / ax.figure.dpi
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.maximum(box - 2 * np.array(margin), box / 4)
    scale = float(np.min(np.append(room / np.maximum(high - low, 1e-9), _LONGEST_UNIT)))
    frame = Frame((low + high) / 2, scale, box)
    (left, bottom), (right, top) = frame.to_data(np.array([[0.0, 0.0], box]))
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_axis_off()
    return frame
