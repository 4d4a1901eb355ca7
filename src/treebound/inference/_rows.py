"""Many rows as codes, checked before the core reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import Schema
from treebound.inference._errors import InferenceError


def checked_rows(rows: NDArray[Any], schema: Schema) -> NDArray[np.int32]:
    """Return the codes as int32, one contiguous run for each variable."""
    codes = np.asarray(rows)
    if codes.ndim != 2 or codes.shape[0] != len(schema) or codes.dtype.kind not in "iu":
        raise InferenceError(
            f"rows must be an integer array with one row for each of the {len(schema)} variables, "
            f"got shape {codes.shape} and type {codes.dtype}."
        )
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    if codes.shape[1]:
        lowest, highest = codes.min(axis=1), codes.max(axis=1)
        wrong = np.flatnonzero((lowest < -1) | (highest >= np.array(schema.cardinalities)))
        if len(wrong):
            v = int(wrong[0])
            raise InferenceError(
                f"Codes of {schema.names[v]!r} must lie in 0 to {schema.cardinalities[v] - 1}, or be -1 "
                f"where the cell is not known, got {lowest[v]} to {highest[v]}."
            )
    return codes
