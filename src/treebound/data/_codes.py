"""Codes that come from outside: checked in the type they come in, before any cast.

A cast to a narrower type takes a code that is out of range for another one: 2**32 becomes 0, and -1 becomes
the last of 65,536 states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from treebound.data._schema import Schema

#: uint8, uint16 or int32.
Codes: TypeAlias = NDArray[Any]

#: The code of a missing cell.
MISSING = -1


def code_type(cardinality: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest type for the codes of complete rows whose largest cardinality is given."""
    return np.uint8 if cardinality <= 256 else np.uint16


def canonical_codes(codes: Any, schema: Schema) -> Codes:
    """Check codes and return them read-only, C-contiguous and in the one type for such rows.

    Complete rows take the narrowest unsigned type. Rows with missing cells (-1) are int32, the type in which
    the core reads rows with gaps. Read-only codes of this form are not copied.
    """
    array = np.asarray(codes)
    if array.ndim != 2 or array.shape[0] != len(schema) or array.dtype.kind not in "iu":
        raise ValueError(
            f"codes must be an integer array with one row for each of the {len(schema)} variables, "
            f"got shape {array.shape} and type {array.dtype}."
        )
    wanted: Any = code_type(schema.max_cardinality)
    if array.shape[1]:
        smallest, largest = array.min(axis=1), array.max(axis=1)
        wrong = np.flatnonzero((smallest < MISSING) | (largest >= schema.cardinality_array))
        if len(wrong):
            v = int(wrong[0])
            raise _out_of_range(schema.names[v], schema.cardinalities[v], smallest[v], largest[v])
        if smallest.min() == MISSING:
            wanted = np.int32
    if array.flags.writeable or not array.flags.c_contiguous or array.dtype != wanted:
        array = np.array(array, dtype=wanted, order="C")
        array.flags.writeable = False
    return array


def with_gaps(known: NDArray[Any], is_known: NDArray[np.bool_]) -> NDArray[Any]:
    """Known values among missing cells, which are NaN in a column of numbers and None in any other."""
    if is_known.all():
        return known
    is_number = known.dtype.kind in "iuf"
    cells = np.full(len(is_known), np.nan if is_number else None, dtype=np.float64 if is_number else object)
    cells[is_known] = known
    return cells


def check_column(codes: NDArray[np.integer[Any]], name: str, cardinality: int) -> None:
    """Reject codes of one variable that stand for none of its states."""
    if codes.dtype.kind not in "iu":
        raise ValueError(f"codes of variable {name!r} must be integers, got an array of type {codes.dtype}.")
    if codes.size and not (codes.min() >= 0 and codes.max() < cardinality):
        raise _out_of_range(name, cardinality, codes.min(), codes.max(), missing="")


def _out_of_range(
    name: str, cardinality: int, smallest: int, largest: int, missing: str = " (-1 for missing cells)"
) -> ValueError:
    return ValueError(
        f"codes of variable {name!r} must lie in 0 to {cardinality - 1}{missing}, "
        f"got {smallest} to {largest}."
    )
