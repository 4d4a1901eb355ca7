"""Sets of variables as the bits of an integer: the union of ten thousand of them is one operation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def mask_of(members: Iterable[int] | NDArray[np.bool_], num_variables: int) -> int:
    """Return the integer with the bits of these variables set."""
    if isinstance(members, np.ndarray):
        bits = members
    else:
        bits = np.zeros(num_variables, dtype=np.bool_)
        bits[list(members)] = True
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def row_of(mask: int, num_variables: int) -> bytes:
    """Return the bits as the core reads them: bit p % 8 of byte p / 8 for variable p."""
    return mask.to_bytes((num_variables + 7) // 8, "little")


def members_of(mask: int, num_variables: int) -> list[int]:
    """Return the variables whose bits are set, ascending."""
    packed = np.frombuffer(row_of(mask, num_variables), dtype=np.uint8)
    found: list[int] = np.flatnonzero(np.unpackbits(packed, bitorder="little")).tolist()
    return found
