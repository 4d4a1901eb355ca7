"""Columns of numpy arrays and of Python values: distinct values, and a code per cell."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import Value, written_date
from treebound.tables._table import Column, ColumnError

# Integers within a range of this many values are counted instead of sorted.
_COUNTABLE = 1 << 16

_READ_AS_TEXT = (datetime.time, datetime.timedelta)


def column_of_array(array: NDArray[Any]) -> Column:
    """A column of one dimension; by its type, without a look at single cells where that can be avoided."""
    if array.ndim != 1:
        raise ColumnError("type", f"has {array.ndim} dimensions, expected 1")
    if isinstance(array, np.ma.MaskedArray) or array.dtype.kind not in "biuf":
        return column_of_objects(array.tolist())
    if array.dtype.kind == "f":
        return _column_of_floats(array.astype(np.float64))
    if array.dtype.kind == "b":
        truths, numbers = _small_codes(array.view(np.uint8), 0)
        return Column(truths, list(map(bool, numbers)))
    if len(array):
        low, high = int(array.min()), int(array.max())
        if high - low < _COUNTABLE and high < 2**63:
            return Column(*_small_codes(array, low))
    values, codes = np.unique(array, return_inverse=True)
    return Column(codes, values.tolist())


def _small_codes(array: NDArray[Any], low: int) -> tuple[NDArray[np.unsignedinteger[Any]], list[int]]:
    """The codes and distinct values of integers that lie in a small range from ``low`` on."""
    offsets = array if low == 0 and np.can_cast(array.dtype, np.intp) else array.astype(np.int64) - low
    values = np.flatnonzero(np.bincount(offsets))
    if len(values) and len(values) == values[-1] + 1 <= 256:  # each is its own code
        return offsets.astype(np.uint8), (values + low).tolist()
    rank = np.empty(int(values[-1]) + 1 if len(values) else 0, dtype=np.uint16)
    rank[values] = np.arange(len(values))
    return rank[offsets], (values + low).tolist()


def _column_of_floats(array: NDArray[np.float64]) -> Column:
    values, codes = np.unique(array, return_inverse=True)
    return Column(codes, [None if value != value else value for value in values.tolist()])


def column_of_objects(cells: Sequence[Any]) -> Column:
    """A column of Python values of any types."""
    types = set(map(type, cells))
    if float in types and types <= {str, float, type(None)}:
        # Text with gaps as pandas has it: only NaN differs from itself.
        cells = [cell if cell == cell else None for cell in cells]
    elif not types <= {str, type(None)}:
        cells = [plain_value(cell) for cell in cells]
        types = set(map(type, cells))
    keys: Sequence[Any] = cells
    if bool in types and (int in types or float in types):
        # True and 1 are one key of a dict, but not one value.
        keys = [(type(cell) is bool, cell) for cell in cells]
    position = {key: code for code, key in enumerate(dict.fromkeys(keys))}
    codes = np.fromiter(map(position.__getitem__, keys), dtype=np.int64, count=len(keys))
    values = list(position) if keys is cells else [cell for _, cell in position]
    return Column(codes, values)


def plain_value(cell: Any) -> Value | None:
    """A cell as text, integer, float, boolean, or None if it is missing."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(cell, (bool, str)):
        return str(cell) if isinstance(cell, str) else cell
    if isinstance(cell, int):
        if not -(2**63) <= cell < 2**64:
            raise ColumnError("type", f"holds an integer of {cell.bit_length()} bits, at most 64 are taken")
        return int(cell)
    if isinstance(cell, decimal.Decimal):
        return None if cell.is_nan() else float(cell)
    if isinstance(cell, float):
        return None if cell != cell else float(cell)
    if isinstance(cell, datetime.date):
        return written_date(cell)
    if isinstance(cell, _READ_AS_TEXT) or type(cell).__module__.partition(".")[0] == "pandas":
        return str(cell)
    raise ColumnError("type", f"holds a value of type {type(cell).__name__}")
