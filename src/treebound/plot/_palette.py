"""Colours that people with any kind of colour vision can tell apart, also in print.

The ramp is a stretch of viridis, whose lightness rises evenly; its yellow end is left out, since it fades on
white paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.colors import ListedColormap

INK = "#1f2933"
FAINT = "#9aa5b1"
ACCENT = "#c2410c"
_ENDS = (0.02, 0.86)


def ramp() -> ListedColormap:
    """Return the colour map from dark to light."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps["viridis"](np.linspace(*_ENDS, 256)), name="treebound")


def shades(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a colour per value, the least darkest."""
    low, span = values.min(initial=np.inf), np.ptp(values) if len(values) else 0.0
    return np.asarray(ramp()((values - low) / span if span else np.full(len(values), 0.35)))
