"""What every reader hands over: names, and columns as codes into their distinct values.

Columns are made one at a time when needed, so a wide table is never held twice. Columns and rows can
be omitted, and texts read in another way, without a look at the source again.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._files import shortened
from treebound._visible import visible
from treebound.data import DataError, DateOrder, Problem, Reading, Value, label_of, parse_number
from treebound.tables._clean_text import Cleaning, cleaned, mixed_decimals

# What pandas calls the row numbers of a frame where it reads or writes them as a column.
_UNNAMED_INDEX = "Unnamed: 0"
_ARROW_INDEX = re.compile(r"__index_level_\d+__")


@dataclass(frozen=True)
class Column:
    """Row r holds ``values[codes[r]]``; None is a missing value.

    Values differ from each other in type or content. ``is_declared`` means that the source lists the states,
    in this order, whether they occur or not; ``ordered`` that it says that the order has a meaning. Where
    rows are given in groups, ``weights`` says how many rows each one stands for.
    """

    codes: NDArray[np.integer]
    values: Sequence[Value | None]
    is_declared: bool = False
    ordered: bool = False
    weights: NDArray[np.int64] | None = None

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

    def counted(self) -> tuple[list[Value], NDArray[np.intp]]:
        """Values without missing ones, and how many rows hold each."""
        present, values = self.present()
        counts = np.bincount(self.codes, minlength=len(self.values))
        return values, counts[np.asarray(present, dtype=np.intp)]

    def take(self, rows: NDArray[np.intp]) -> Column:
        """Some rows of the column, with the values that occur in them; declared ones stay."""
        codes = self.codes[rows]
        if self.is_declared:
            return replace(self, codes=codes)
        used, codes = np.unique(codes, return_inverse=True)
        return replace(self, codes=codes, values=[self.values[code] for code in used.tolist()])


class ColumnError(Exception):
    """Raised by a reader for a column that it cannot read at all."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message
        super().__init__(message)


@dataclass(frozen=True)
class Table:
    """Columns by position. In a text table, every value is text and may stand for a number.

    ``na_values`` to ``date_order`` say how texts are read, ``encoding`` is that of the file and ``delimiter``
    stands between its cells (None: not a text file); ``has_own_marks`` says that the missing-value markers
    were given. ``line`` gives the line of the file on which a row stands, counted from 1, ``frame`` the data
    frame behind the table, as narwhals knows it, where there is one, and ``cells`` all rows as Python values,
    for tables of which that is quick to have. ``index`` is that of a pandas frame. ``undivided`` is the
    table before parts of dates took the place of the dates.
    """

    names: tuple[str, ...]
    num_rows: int
    column: Callable[[int], Column]
    source: str = "the table"
    is_text: bool = False
    na_values: frozenset[str] = frozenset()
    line: Callable[[int], int] | None = None
    frame: Callable[[], Any] | None = None
    cells: Callable[[], Iterable[Sequence[Any]]] | None = None
    has_own_marks: bool = False
    strip: bool = False
    decimal: str = "."
    as_numbers: frozenset[str] = frozenset()
    unify: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    date_order: DateOrder | None = None
    date_parts: Mapping[str, Collection[str]] = field(default_factory=dict)
    delimiter: str | None = None
    encoding: str = "utf-8"
    kept_rows: NDArray[np.intp] | None = None
    index: Sequence[Any] | None = None
    undivided: Table | None = None

    @property
    def as_written(self) -> Table:
        """The table with the columns of its source, which results are written into."""
        return self if self.undivided is None else self.undivided

    def place(self, row: int) -> str:
        """Where a row is in the source, for messages: rows are counted from 1; a line or index says more."""
        if self.kept_rows is not None:
            row = int(self.kept_rows[row])
        if self.line is not None:
            return f"row {row + 1} (line {self.line(row)})"
        if self.index is None or self.index[row] == row:
            return f"row {row + 1}"
        return f"row {row + 1} (index {visible(self.index[row])})"

    @cached_property
    def index_columns(self) -> frozenset[int]:
        """Columns that are no part of the table, but the row numbers or names that it was written with."""
        found = set()
        if "__index_" in "\n".join(self.names):  # one look, which most often is enough
            found = {i for i, name in enumerate(self.names) if _ARROW_INDEX.fullmatch(name)}
        if self.names and self.names[0] in ("", _UNNAMED_INDEX) and self.num_rows:
            column = self.column(0)
            is_different = len(column.values) == self.num_rows == len(np.unique(column.codes))
            if is_different and (self.names[0] != _UNNAMED_INDEX or _are_counted(column)):
                found.add(0)
        return frozenset(found)

    def select(self, columns: Sequence[int]) -> Table:
        """The table with some of its columns."""
        names = tuple(self.names[index] for index in columns)
        return replace(
            self, names=names, column=lambda index: self.column(columns[index]), frame=None, cells=None
        )

    def take(self, rows: NDArray[np.intp]) -> Table:
        """The table with some of its rows; messages go on to name those of the source."""
        return replace(
            self,
            num_rows=len(rows),
            column=lambda index: self.column(index).take(rows),
            frame=None,
            cells=None,
            kept_rows=rows,
            undivided=None if self.undivided is None else self.undivided.take(rows),
        )

    def reread(
        self,
        *,
        na_values: Iterable[str] | None = None,
        strip: bool | None = None,
        decimal: str | None = None,
        as_numbers: Iterable[str] | None = None,
        unify: Mapping[str, Mapping[str, str]] | None = None,
        date_order: DateOrder | None = None,
    ) -> Table:
        """The table with texts read in another way; None leaves a way as it is."""
        table = self
        if na_values is not None:
            table = replace(table, na_values=frozenset(na_values), has_own_marks=True)
        if decimal is not None:
            table = replace(table, decimal=decimal)
        if as_numbers is not None:
            table = replace(table, as_numbers=frozenset(as_numbers))
        if unify is not None:
            table = replace(table, unify=unify)
        if date_order is not None:
            table = replace(table, date_order=date_order)
        if strip is not None:
            # Names of frames are what other functions find columns by.
            names = tuple(map(str.strip, self.names)) if strip and self.is_text else self.names
            table = replace(table, strip=strip, names=names)
        return table

    def derived(self, names: tuple[str, ...], column: Callable[[int], Column]) -> Table:
        """The table with other columns, made of its own."""
        return replace(self, names=names, column=column, frame=None, cells=None, undivided=self.as_written)

    def cleaning(self, index: int) -> Cleaning:
        """How the texts of a column are read."""
        name = self.names[index]
        words = self.unify.get(name)
        return Cleaning(self.strip, self.decimal, name in self.as_numbers, words, self.date_order)

    @property
    def is_cleaned(self) -> bool:
        """Whether texts of any column are read as something else."""
        return self.strip or self.decimal != "." or bool(self.as_numbers or self.unify or self.date_order)

    @property
    def reading(self) -> Reading:
        """How texts are read."""
        return Reading(
            sorted(self.na_values) if self.has_own_marks else None,
            self.strip,
            self.decimal,
            sorted(self.as_numbers),
            {name: dict(words) for name, words in self.unify.items()},
            self.date_order,
            {name: list(parts) for name, parts in self.date_parts.items()},
            self.encoding,
        )

    def encoded(self, encoding: str) -> Table:
        """The table with a note of the encoding of its file."""
        return replace(self, encoding=codecs.lookup(encoding).name)

    def check(self, min_rows: int) -> None:
        """Reject a table without columns or rows enough, or with ambiguous names."""
        problems = name_problems(self.names, self.index_columns)
        if len(self.index_columns) == len(self.names):
            problems = [Problem("empty", "there are no columns")]
        elif self.num_rows == 0:
            problems.append(Problem("empty", "there are no rows below the column names"))
        elif self.num_rows < min_rows:
            problems.append(Problem("one row", f"at least {min_rows} rows are needed, got {self.num_rows}"))
        if problems:
            raise DataError(problems, self.source)

    def read(self, index: int) -> Column:
        """A column with its texts as they are meant, and None for the marks of missing values."""
        try:
            column = self.column(index)
        except (ColumnError, DataError, ImportError, OSError):
            raise
        except Exception as error:
            # Libraries have errors of their own, for example for dates that no calendar has.
            message = f"cannot be read ({type(error).__name__}: {shortened(str(error))})"
            raise ColumnError("unreadable", message) from error
        cleaning = self.cleaning(index)
        if cleaning:
            wrong = mixed_decimals(column.values) if self.decimal == "," and not cleaning.is_number else None
            if wrong is not None:
                raise ColumnError("decimal", f"holds {wrong!r} among numbers with a decimal comma")
            column = cleaned(column, cleaning)
        if not self.na_values:
            return column
        values = [None if is_marker(value, self.na_values) else value for value in column.values]
        return Column(column.codes, values, column.is_declared, column.ordered)


def is_marker(value: Value | None, markers: Collection[str]) -> bool:
    """Whether a value stands for a missing one; numbers do by their text."""
    return value is not None and label_of(value) in markers


def name_problems(names: tuple[str, ...], besides: Iterable[int] = ()) -> list[Problem]:
    """Ambiguous names; positions that are no columns of the table are dropped."""
    different = set(names)
    if len(different) == len(names) and "" not in different:
        return []
    places: dict[str, list[int]] = {}
    skipped = set(besides)
    for position, name in enumerate(names, start=1):
        if position - 1 not in skipped:
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
    """How often and where values of a column are missing."""
    noun = "value" if len(rows) == 1 else "values"
    return Problem("missing", f"{len(rows)} {noun}, first in {table.place(int(rows[0]))}", name)


def _are_counted(column: Column) -> bool:
    """Whether a column of different values counts its rows, from 0 or 1."""
    texts = list(map(str, column.values))
    first = texts[int(column.codes[0])]
    if first not in ("0", "1"):
        return False
    return [texts[code] for code in column.codes.tolist()] == [
        str(row) for row in range(int(first), int(first) + len(column.codes))
    ]
