"""Codes that come from outside: checked in the type they come in, before any cast.

A cast to a narrower type takes a code that is out of range for another one: 2**32 becomes 0, and -1 becomes
the last of 65,536 states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from treebound.data._schema import Schema

NOT_KNOWN = -1


def checked_codes(codes: Any, schema: Schema, *, may_lack: bool) -> NDArray[np.integer[Any]]:
    """Codes of rows as they are, one row of the array for each variable and one column for each row.

    With ``may_lack``, -1 stands for a cell that is not known.
    """
    array = np.asarray(codes)
    if array.ndim != 2 or array.shape[0] != len(schema) or array.dtype.kind not in "iu":
        raise ValueError(
            f"codes must be an integer array with one row for each of the {len(schema)} variables, "
            f"got shape {array.shape} and type {array.dtype}."
        )
    if array.shape[1]:
        smallest, largest = array.min(axis=1), array.max(axis=1)
        lowest = NOT_KNOWN if may_lack else 0
        wrong = np.flatnonzero((smallest < lowest) | (largest >= np.array(schema.cardinalities)))
        if len(wrong):
            v = int(wrong[0])
            raise _out_of_range(schema.names[v], schema.cardinalities[v], smallest[v], largest[v], may_lack)
    return array


def check_column(codes: NDArray[np.integer[Any]], name: str, cardinality: int) -> None:
    """Refuse codes of one variable that stand for none of its states."""
    if codes.dtype.kind not in "iu":
        raise ValueError(f"codes of variable {name!r} must be integers, got an array of type {codes.dtype}.")
    if codes.size and not (codes.min() >= 0 and codes.max() < cardinality):
        raise _out_of_range(name, cardinality, codes.min(), codes.max(), may_lack=False)


def _out_of_range(name: str, cardinality: int, smallest: int, largest: int, may_lack: bool) -> ValueError:
    lacking = ", or be -1 where the cell is not known," if may_lack else ","
    return ValueError(
        f"codes of variable {name!r} must lie in 0 to {cardinality - 1}{lacking} got {smallest} to {largest}."
    )
