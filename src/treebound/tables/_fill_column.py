"""Cells filled in among others: of the kind of the known ones, and read again as the states they stand for.

Text among text, numbers among numbers, dates among dates. Known cells stay as they are.
"""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import Variable, label_of, parse_numbers
from treebound.tables._clean_text import Cleaning, cleaned
from treebound.tables._columns_of_arrays import column_of_array, column_of_objects
from treebound.tables._encode import codes_of
from treebound.tables._table import Column

_CLASSES: dict[type, tuple[type, ...]] = {
    str: (str,),
    bool: (bool, np.bool_),
    float: (int, float, np.integer, np.floating, decimal.Decimal),
}
TIMES: dict[str, type] = {
    "Date": datetime.date,
    "Datetime": datetime.datetime,
    "Time": datetime.time,
    "Duration": datetime.timedelta,
}
_DURATION = re.compile(r"(?:(-?\d+) days?, )?(\d+):(\d+):(\d+(?:\.\d+)?)")

_NUMBER = re.compile(r"[+-]?[0-9]*\.?[0-9]+([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Fill:
    """The cells to fill in one column: their rows, their states, and the values of these.

    ``decimal`` is the decimal sign of numbers in text.
    """

    variable: Variable
    rows: NDArray[np.intp]
    codes: NDArray[np.integer]
    values: NDArray[Any]
    decimal: str = "."

    @cached_property
    def labels(self) -> list[str]:
        """The new cells as text."""
        if self.variable.edges is not None:
            return list(map(label_of, self.values.tolist()))
        return [self.variable.states[code] for code in self.codes.tolist()]

    def cells(self, kind: type | None) -> NDArray[Any]:
        """The new cells as values of a kind, as those of the schema for None; ValueError if they are not."""
        if kind is None or (kind is float and self.values.dtype.kind in "if"):
            return self.values
        if kind is float:
            return _numbers(self.labels)
        if kind is str and self.decimal != ".":
            return np.array([self._with_own_sign(label) for label in self.labels], dtype=object)
        parse = _PARSERS.get(kind, kind)
        cells = np.empty(len(self.rows), dtype=object)
        cells[:] = [parse(label) for label in self.labels]
        return cells.astype(bool) if kind is bool else cells

    def _with_own_sign(self, label: str) -> str:
        """A label as the table writes it; numbers that are states of text too."""
        return label.replace(".", self.decimal) if _NUMBER.fullmatch(label) else label

    def is_read_from(self, column: Column) -> bool:
        """Whether the new cells, as a column of their own, are read as the states that they stand for."""
        meant = cleaned(column, Cleaning(decimal=self.decimal))
        return np.array_equal(codes_of(self.variable, meant), self.codes)


def kind_of(cells: Iterable[Any]) -> type | None:
    """What all cells are: text, booleans, numbers (float), or one type of dates and times; else None."""
    types = set(map(type, cells))
    for kind, classes in _CLASSES.items():
        if types and all(issubclass(one, classes) and (kind is bool or one is not bool) for one in types):
            return kind
    is_time = len(types) == 1 and issubclass(next(iter(types)), tuple(TIMES.values()))
    return types.pop() if is_time else None


def filled_cells(cells: Sequence[Any], fill: Fill, kind: type | None = None) -> list[Any]:
    """A copy of Python values with some of them filled in, of a kind or of that of the known ones."""
    result = list(cells)
    if kind is None:
        is_new = np.zeros(len(result), dtype=np.bool_)
        is_new[fill.rows] = True
        kind = kind_of(
            cell for cell, is_missing in zip(result, is_new.tolist(), strict=True) if not is_missing
        )
    for row, cell in zip(fill.rows.tolist(), objects_of(fill, kind), strict=True):
        result[row] = cell
    return result


def filled_array(cells: NDArray[Any], fill: Fill) -> NDArray[Any]:
    """A copy of an array of one dimension with cells filled in; of objects if nothing else holds them all."""
    is_empty = len(fill.rows) == len(cells)
    if cells.dtype.kind in "biuf":
        try:
            values = fill.cells(bool if cells.dtype.kind == "b" else float)
        except ValueError:
            values = fill.values
        wide = np.result_type(cells.dtype, values.dtype)
        for dtype in (cells.dtype, wide) if values.dtype != object else ():
            if fill.is_read_from(column_of_array(values.astype(dtype))):
                result = cells.astype(dtype)
                result[fill.rows] = values
                return result
    if is_empty:
        return fill.values
    result = np.empty(len(cells), dtype=object)
    result[:] = filled_cells(cells.tolist(), fill)
    return result


def objects_of(fill: Fill, kind: type | None) -> list[Any]:
    """The new cells as Python values of a kind, or as those of the schema where that is not possible."""
    natural: list[Any] = fill.values.tolist()
    try:
        cells: list[Any] = fill.cells(kind).tolist()
    except ValueError:
        return natural
    return cells if fill.is_read_from(column_of_objects(cells)) else natural


def _numbers(labels: list[str]) -> NDArray[Any]:
    numbers = parse_numbers(labels)
    if numbers is None:
        raise ValueError("not all labels are numbers.")
    floats = np.array(numbers)
    whole = floats.astype(np.int64)
    return whole if np.array_equal(whole, floats) else floats


def _truth(label: str) -> bool:
    if label.casefold() not in ("false", "true"):
        raise ValueError(f"{label!r} is not a boolean.")
    return label.casefold() == "true"


def _duration(label: str) -> datetime.timedelta:
    """The time span that Python writes like this."""
    match = _DURATION.fullmatch(label)
    if match is None:
        raise ValueError(f"{label!r} is not a duration.")
    days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
    return datetime.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


_PARSERS: dict[type, Callable[[str], Any]] = {
    bool: _truth,
    datetime.date: datetime.date.fromisoformat,
    datetime.datetime: datetime.datetime.fromisoformat,
    datetime.time: datetime.time.fromisoformat,
    datetime.timedelta: _duration,
}
