"""Columns made of dates: their year, month and weekday, in place of the column of dates.

Months and weekdays are categories of the calendar, in its order; years are numbers.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from treebound.data import Value, day_of
from treebound.tables._table import Column, ColumnError, Table

PARTS: Mapping[str, Callable[[datetime.date], int]] = {
    "year": lambda day: day.year,
    "month": lambda day: day.month - 1,
    "weekday": lambda day: day.weekday(),
}
_CALENDAR: Mapping[str, tuple[Value, ...]] = {
    "month": tuple(range(1, 13)),
    "weekday": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}


def check_parts(parts: Any) -> None:
    """Reject what does not map names of columns to parts of dates."""
    if not isinstance(parts, Mapping):
        raise TypeError(f"date_parts must map names to parts, such as {{'day': ['month']}}, got {parts!r}.")
    for name, chosen in parts.items():
        is_list = isinstance(chosen, Collection) and not isinstance(chosen, str) and len(chosen) > 0
        if not is_list or not all(part in PARTS for part in chosen):
            raise ValueError(f"the parts of {name!r} must be some of {', '.join(PARTS)}, got {chosen!r}.")


def with_date_parts(table: Table, parts: Mapping[str, Collection[str]]) -> Table:
    """The table with parts of dates in place of columns; names that it does not have are ignored."""
    columns: list[tuple[str, int, str | None]] = []
    for index, name in enumerate(table.names):
        chosen = parts.get(name)
        columns += [(name, index, None)] if chosen is None else [(f"{name}.{p}", index, p) for p in chosen]

    def column(position: int) -> Column:
        _, index, part = columns[position]
        return table.column(index) if part is None else _part_of(table.read(index), part)

    return table.derived(tuple(name for name, _, _ in columns), column)


def informative_parts(column: Column) -> list[str]:
    """The parts that differ among the dates of a column; no weekdays where a month has one date at most."""
    days = [_day(value) for value in column.present()[1]]
    parts = [part for part, of_day in PARTS.items() if len({of_day(day) for day in days}) > 1]
    if len({(day.year, day.month) for day in days}) == len(days) and "weekday" in parts:
        parts.remove("weekday")
    return parts


def _part_of(column: Column, part: str) -> Column:
    found = [None if value is None else PARTS[part](_day(value)) for value in column.values]
    values = _CALENDAR.get(part)
    if values is None:
        different = sorted({number for number in found if number is not None})
        places: Mapping[int, int] = {number: place for place, number in enumerate(different)}
        values = tuple(different)
    else:
        places = {place: place for place in range(len(values))}
    codes = np.array([len(values) if number is None else places[number] for number in found], dtype=np.int64)
    is_declared = part in _CALENDAR
    return Column(codes[column.codes], [*values, None], is_declared=is_declared, ordered=is_declared)


def _day(value: Value) -> datetime.date:
    day = day_of(value) if isinstance(value, str) else None
    if day is None:
        raise ColumnError("not a date", f"holds {value!r}")
    return day
