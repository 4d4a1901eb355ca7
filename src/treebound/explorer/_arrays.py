"""Arrays for the page: little-endian bytes as base64, which browsers read faster than JSON."""

from __future__ import annotations

from base64 import b64encode

import numpy as np
from numpy.typing import ArrayLike


def doubles(values: ArrayLike) -> str:
    """Numbers as float64, so that the page shows what Python computes."""
    return b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")


def floats(values: ArrayLike) -> str:
    """Numbers as float32: places and shades."""
    return b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")


def integers(values: ArrayLike) -> str:
    """Indices and codes as int32."""
    return b64encode(np.ascontiguousarray(values, dtype="<i4").tobytes()).decode("ascii")
