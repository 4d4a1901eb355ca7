"""What every reader hands over: names, and columns as codes into their distinct values.

Columns are made one at a time when asked for, so that a wide table is never held twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._files import shortened
from treebound.data._numbers import parse_number
from treebound.data._problems import DataError, Problem
from treebound.data._variable import Value


@dataclass(frozen=True)
class Column:
    """Row r holds ``values[codes[r]]``; None is a missing value.

    Values differ from each other in type or content. ``is_declared`` means that the source lists the states,
    in this order, whether they occur or not; ``ordered`` that it says that the order has a meaning.
    """

    codes: NDArray[np.integer]
    values: Sequence[Value | None]
    is_declared: bool = False
    ordered: bool = False

    def missing_rows(self) -> NDArray[np.intp]:
        """Rows without a value."""
        if None not in self.values:
            return np.array([], dtype=np.intp)
        codes = [code for code, value in enumerate(self.values) if value is None]
        return np.flatnonzero(np.isin(self.codes, codes))

    def present(self) -> tuple[Sequence[int], list[Value]]:
        """Codes and values without those of missing values."""
        values = [value for value in self.values if value is not None]
        if len(values) == len(self.values):
            return range(len(values)), values
        return [code for code, value in enumerate(self.values) if value is not None], values


class ColumnError(Exception):
    """Raised by a reader for a column that it cannot read at all."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message
        super().__init__(message)


@dataclass(frozen=True)
class Table:
    """Columns by position. In a text table, every value is text and may stand for a number.

    ``line`` gives the line of the file on which a row stands, counted from 1, and ``frame`` the data frame
    behind the table, as narwhals knows it, where there is one.
    """

    names: tuple[str, ...]
    num_rows: int
    column: Callable[[int], Column]
    source: str = "the table"
    is_text: bool = False
    na_values: frozenset[str] = frozenset()
    line: Callable[[int], int] | None = None
    frame: Callable[[], Any] | None = None

    def place(self, row: int) -> str:
        """Where a row is, for messages: rows are counted from 1."""
        return f"row {row + 1}" + (f" (line {self.line(row)})" if self.line else "")

    def check(self, min_rows: int) -> None:
        """Refuse a table without columns or rows enough, or with names that do not tell columns apart."""
        problems = name_problems(self.names)
        if not self.names:
            problems = [Problem("empty", "there are no columns")]
        elif self.num_rows == 0:
            problems.append(Problem("empty", "there are no rows below the column names"))
        elif self.num_rows < min_rows:
            problems.append(Problem("one row", f"at least {min_rows} rows are needed, got {self.num_rows}"))
        if problems:
            raise DataError(problems, self.source)

    def read(self, index: int) -> Column:
        """A column with the marks of missing values replaced by None."""
        try:
            column = self.column(index)
        except (ColumnError, DataError, ImportError, OSError):
            raise
        except Exception as error:
            # Libraries have errors of their own, for example for dates that no calendar has.
            message = f"cannot be read ({type(error).__name__}: {shortened(str(error))})"
            raise ColumnError("unreadable", message) from error
        if not self.na_values:
            return column
        values = [None if value in self.na_values else value for value in column.values]
        return Column(column.codes, values, column.is_declared, column.ordered)


def name_problems(names: tuple[str, ...]) -> list[Problem]:
    """Names that do not tell columns apart."""
    places: dict[str, list[int]] = {}
    for position, name in enumerate(names, start=1):
        places.setdefault(name, []).append(position)
    unnamed = places.pop("", [])
    problems = [Problem("empty name", f"column {position}") for position in unnamed]
    for name, positions in places.items():
        if len(positions) > 1:
            listed = ", ".join(map(str, positions[:5])) + (", ..." if len(positions) > 5 else "")
            problems.append(Problem("duplicate name", f"{len(positions)} times, as columns {listed}", name))
    if problems and places and all(parse_number(name) is not None for name in places):
        problems.append(Problem("no names", ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")))
    return problems


def missing_problem(table: Table, name: str, rows: NDArray[np.intp]) -> Problem:
    """How often and where a column lacks a value."""
    noun = "value" if len(rows) == 1 else "values"
    return Problem("missing", f"{len(rows)} {noun}, first in {table.place(int(rows[0]))}", name)
