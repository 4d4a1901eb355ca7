"""Answers for the page: JSON, and behind it the bytes of the arrays that it names.

A browser reads arrays straight out of the message; base64 would be longer, and would have to be decoded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_ALIGNED = 8  # bytes: where arrays of doubles may begin


def doubles(values: ArrayLike) -> NDArray[np.float64]:
    """Numbers as float64: the page shows what Python computes."""
    return np.ascontiguousarray(values, dtype="<f8")


def floats(values: ArrayLike) -> NDArray[np.float32]:
    """Numbers as float32: places and strengths."""
    return np.ascontiguousarray(values, dtype="<f4")


def integers(values: ArrayLike) -> NDArray[np.int32]:
    """Indices and codes as int32."""
    return np.ascontiguousarray(values, dtype="<i4")


def packed(result: Mapping[str, Any]) -> bytes:
    """The length of the JSON in four bytes, the JSON, and its arrays.

    In the JSON an array is ``{"$array": [kind, first byte, length]}``, counted from the end of the JSON.
    Arrays may stand in objects, not in lists.
    """
    arrays: list[bytes] = []

    def place(array: Any) -> dict[str, Any]:
        if not isinstance(array, np.ndarray):
            raise TypeError(f"Answers hold plain values and arrays, not {type(array).__name__}.")
        first = sum(map(len, arrays))
        content = array.tobytes()
        arrays.append(content + bytes(-len(content) % _ALIGNED))
        return {"$array": [array.dtype.str[1:], first, array.size]}

    text = json.dumps(result, allow_nan=False, default=place).encode("ascii")
    text += b" " * (-(4 + len(text)) % _ALIGNED)
    return b"".join([len(text).to_bytes(4, "little"), text, *arrays])
