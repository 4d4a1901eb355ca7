"""What a schema is made of, of a part of a table: small, and two of them add up to that of both parts.

So the schema of a table that lies in many places is found without moving its rows. It is the one that the
whole table would have, except for the bins of a column with more than ``MAX_DISTINCT`` different numbers:
their counts are kept for so many of the numbers, evenly chosen, and the cuts are near those of all numbers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import DataError, Problem, Schema, Value
from treebound.tables._infer_schema import infer_schema
from treebound.tables._missing_rows import check_left
from treebound.tables._prepare import Choices, requested_columns
from treebound.tables._table import Column, ColumnError, Table

MAX_DISTINCT = 1 << 16


@dataclass(frozen=True)
class ColumnSummary:
    """The values of a column with how often each occurs, and how many cells have none.

    ``is_declared`` and ``ordered`` are those of a column; a column that cannot be read has an ``error``.
    """

    values: tuple[Value, ...] = ()
    counts: tuple[int, ...] = ()
    is_declared: bool = False
    ordered: bool = False
    num_missing: int = 0
    first_missing: int | None = None
    error: tuple[str, str] | None = None

    def plus(self, other: ColumnSummary, rows_before: int) -> ColumnSummary:
        """The summary of the cells of both; those of the other come so many rows later."""
        first = self.first_missing
        if first is None and other.first_missing is not None:
            first = rows_before + other.first_missing
        missing = {"num_missing": self.num_missing + other.num_missing, "first_missing": first}
        error = self.error or other.error
        same = (self.values, self.ordered) == (other.values, other.ordered)
        if self.is_declared and other.is_declared and same:
            counts = tuple(a + b for a, b in zip(self.counts, other.counts, strict=True))
            return replace(self, counts=counts, error=error, **missing)  # type: ignore[arg-type]
        counted: dict[tuple[bool, Value], int] = {}
        values: dict[tuple[bool, Value], Value] = {}
        occurring = [*self._occurring(), *other._occurring()]
        is_real = any(isinstance(value, float) for value, _ in occurring)
        for value, count in occurring:
            # Whole numbers among real ones are real, as they are in a column of both.
            if is_real and isinstance(value, int) and not isinstance(value, bool):
                value = float(value)
            key = (isinstance(value, bool), value)  # True and 1 are two values
            values.setdefault(key, value)
            counted[key] = counted.get(key, 0) + count
        merged = tuple(values.values())
        return _bounded(ColumnSummary(merged, tuple(counted.values()), error=error, **missing))  # type: ignore[arg-type]

    def _occurring(self) -> list[tuple[Value, int]]:
        return [(v, n) for v, n in zip(self.values, self.counts, strict=True) if n > 0]


@dataclass(frozen=True)
class TableSummary:
    """The summaries of all columns of some rows, of which ``num_dropped`` are not counted."""

    names: tuple[str, ...]
    num_rows: int
    columns: tuple[ColumnSummary, ...]
    num_dropped: int = 0
    source: str = "the table"

    def plus(self, other: TableSummary) -> TableSummary:
        """The summary of the rows of both, in this order. Parts without rows say nothing about columns."""
        self._check_names(other)
        dropped = self.num_dropped + other.num_dropped
        if other.num_rows == 0 or self.num_rows == 0:
            return replace(other if self.num_rows == 0 else self, num_dropped=dropped)
        theirs = dict(zip(other.names, other.columns, strict=True))
        columns = tuple(
            column.plus(theirs[name], self.num_rows)
            for name, column in zip(self.names, self.columns, strict=True)
        )
        return replace(self, num_rows=self.num_rows + other.num_rows, columns=columns, num_dropped=dropped)

    @property
    def num_counted(self) -> int:
        """Rows that are counted."""
        return self.num_rows - self.num_dropped

    def is_complete(self, names: Collection[str]) -> bool:
        """Whether some columns have a value in every row."""
        return not any(
            column.num_missing for name, column in zip(self.names, self.columns, strict=True) if name in names
        )

    def _check_names(self, other: TableSummary) -> None:
        ours, theirs = set(self.names), set(other.names)
        if ours == theirs and len(self.names) == len(other.names):
            return
        absent = [
            Problem("absent", f"there is none in {other.source}", n) for n in self.names if n not in theirs
        ]
        more = [Problem("absent", f"there is none in {self.source}", n) for n in other.names if n not in ours]
        raise DataError([*absent, *more], "the parts of the table")


def summarise(table: Table, choices: Choices) -> TableSummary:
    """The summary of a part: states come from all of its rows, also from those that are not counted."""
    is_dropped = np.zeros(table.num_rows, dtype=np.bool_)
    counted = requested_columns(table, choices) if choices.missing == "drop" and table.num_rows else []
    columns = []
    for index, name in enumerate(table.names if table.num_rows else ()):
        column, missing = _summary_of(table, index)
        columns.append(column)
        if name in counted and not choices.is_missing_a_state(name):
            is_dropped[missing] = True
    return TableSummary(table.names, table.num_rows, tuple(columns), int(is_dropped.sum()), table.source)


def schema_of(summary: TableSummary, choices: Choices, source: str) -> Schema:
    """The schema of all rows together; everything that is wrong with them is reported together."""
    used = [n for n in summary.names if n not in choices.drop and (choices.only is None or n in choices.only)]
    by_name = dict(zip(summary.names, summary.columns, strict=True)) if summary.columns else {}
    problems = [problem for name in used if (problem := _missing(name, by_name.get(name), summary.num_rows))]
    as_state = {
        problem.column
        for problem in problems
        if problem.kind == "missing" and choices.is_missing_a_state(str(problem.column))
    }
    problems = [problem for problem in problems if problem.column not in as_state]
    if summary.num_dropped:
        check_left(summary.num_counted, summary.num_rows, source)
    if summary.num_dropped or choices.missing == "keep":
        problems = [problem for problem in problems if problem.kind != "missing"]
    empty = {problem.column for problem in problems if problem.kind == "empty column"}
    table = _Grouped(
        summary.names, summary.num_rows, lambda index: _grouped(summary.columns[index]), source=source
    )
    try:
        stated = {*choices.with_missing_state, *map(str, as_state)}
        schema = infer_schema(table, replace(choices, missing="error", auto=False, missing_state=stated))
    except DataError as error:
        others = [problem for problem in error.problems if problem.column not in empty]
        raise DataError([*problems, *others], source) from error
    if problems:
        raise DataError(problems, source)
    reading = replace(schema.preparation.reading, missing=choices.missing)
    done = replace(schema.preparation, reading=reading, rows_dropped=summary.num_dropped)
    return Schema(schema.variables, done)


class _Grouped(Table):
    """A table of which each row stands for all rows with the same value in a column."""

    def place(self, row: int) -> str:
        """Rows are not known any more."""
        return "some of its parts"


def _grouped(column: ColumnSummary) -> Column:
    if column.error is not None:
        raise ColumnError(*column.error)
    if not column.values:
        raise ColumnError("empty column", "all of its rows are missing")
    counts = np.array(column.counts, dtype=np.int64)
    codes = np.arange(len(column.values))
    return Column(codes, column.values, column.is_declared, column.ordered, counts)


def _missing(name: str, column: ColumnSummary | None, num_rows: int) -> Problem | None:
    if column is None or column.num_missing == 0 or column.first_missing is None:
        return None
    if column.num_missing == num_rows:
        return Problem("empty column", f"all of its {num_rows} rows are missing", name)
    noun = "value" if column.num_missing == 1 else "values"
    return Problem("missing", f"{column.num_missing} {noun}, first in row {column.first_missing + 1}", name)


def _summary_of(table: Table, index: int) -> tuple[ColumnSummary, NDArray[np.intp]]:
    """The summary of a column, and its rows without a value."""
    try:
        column = table.read(index)
    except ColumnError as error:
        return ColumnSummary(error=(error.kind, error.message)), np.zeros(0, dtype=np.intp)
    missing = column.missing_rows()
    values, counts = column.counted()
    kept = [pair for pair in zip(values, counts.tolist(), strict=True) if column.is_declared or pair[1] > 0]
    summary = ColumnSummary(
        tuple(value for value, _ in kept),
        tuple(count for _, count in kept),
        column.is_declared,
        column.ordered,
        len(missing),
        int(missing[0]) if len(missing) else None,
    )
    return _bounded(summary), missing


def _bounded(column: ColumnSummary) -> ColumnSummary:
    """No more values than ``MAX_DISTINCT``: of numbers evenly many rows each, of all else the first ones."""
    if len(column.values) <= MAX_DISTINCT or column.is_declared:
        return column
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in column.values):
        kept = slice(MAX_DISTINCT)  # more than any column may have, so it is rejected for its number
        return replace(column, values=column.values[kept], counts=column.counts[kept])
    numbers: NDArray[Any] = np.array(column.values)
    order = np.argsort(numbers)
    below = np.cumsum(np.array(column.counts, dtype=np.int64)[order])
    shares = np.linspace(0, below[-1], MAX_DISTINCT // 2)[1:]
    ends = np.unique(np.concatenate([[0], np.searchsorted(below, shares), [len(order) - 1]]))
    # Whether the numbers are whole must not depend on which are kept.
    if numbers.dtype.kind == "f" and len(real := np.flatnonzero(numbers[order] != np.floor(numbers[order]))):
        ends = np.unique(np.concatenate([ends, real[:1]]))
    counts = np.diff(below[ends], prepend=0)
    return replace(column, values=tuple(numbers[order][ends].tolist()), counts=tuple(counts.tolist()))
