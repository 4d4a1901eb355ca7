"""BLIP's ``.dat``: a line of names, a line of numbers of states, then rows of codes from 0.

Cells are separated by blanks or commas, and ``?`` is a missing value. A declared number of states is kept
even where some of the states never occur.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

import numpy as np

from treebound._core import CsvTable, read_csv
from treebound.data import MAX_STATES, DataError, Problem, is_plain_integer
from treebound.tables._table import Column, ColumnError, Table
from treebound.tables.files.csv import Written, check_cells
from treebound.tables.files.text import read_text

MISSING = frozenset({"?"})


def read_table(path: Path, *, na_values: Collection[str] | None, written: Written) -> Table:
    """The table in a ``.dat`` file."""
    text = read_text(path, written.encoding, written.max_unpacked_mb, written.fallback)
    return parse_table(text, na_values=na_values, source=str(path))


def parse_table(text: bytes, *, na_values: Collection[str] | None, source: str) -> Table:
    """The table in UTF-8 text of the ``.dat`` format."""
    cells = read_csv(_single_blanks(text), " ", None)
    check_cells(cells, source)
    if cells.num_rows == 0:
        message = "the second line has to give the number of states of every column, but there is none"
        raise DataError([Problem("empty", message)], source)
    _check_announced(cells, len(text), source)
    marks = MISSING if na_values is None else frozenset(na_values)
    return Table(
        names=tuple(cells.names),
        num_rows=cells.num_rows - 1,
        column=lambda index: _column(cells, index, marks),
        source=source,
        is_text=True,
        line=lambda row: cells.line(row + 1),
    )


def _single_blanks(text: bytes) -> bytes:
    """One blank between cells and none around lines; a clean file is not gone through byte by byte."""
    text = text.replace(b"\t", b" ").replace(b",", b" ")
    if b"  " in text:
        text = re.sub(b" {2,}", b" ", text)
    if any(edge in text for edge in (b" \n", b" \r", b"\n ", b"\r ")):
        text = re.sub(rb" ?(\r\n|\n|\r) ?", rb"\1", text)
    return text.strip(b" ")


def _check_announced(cells: CsvTable, num_bytes: int, source: str) -> None:
    """Reject to make many more states than the file has bytes: few digits may announce millions."""
    announced = (_declared(cells, index) for index in range(len(cells.names)))
    total = sum(int(count) for count in announced if _is_cardinality(count))
    if total > num_bytes + MAX_STATES:
        message = f"its {num_bytes:,} bytes declare {total:,} states in all, which is more than they can use"
        raise DataError([Problem("cardinality", message)], source)


def _column(cells: CsvTable, index: int, marks: frozenset[str]) -> Column:
    labels, codes = cells.labels(index), cells.codes(index)
    states = _declared_states(_declared(cells, index))
    position = {label: code for code, label in enumerate(states)}
    rows = codes[1:]
    recode = np.array([position.get(label, len(states) if label in marks else -1) for label in labels])
    wrong = np.flatnonzero(recode[rows] < 0)
    if len(wrong):
        row = int(wrong[0])
        where = f"row {row + 1} (line {cells.line(row + 1)})"
        message = f"expected 0 to {len(states) - 1}, got {labels[rows[row]]!r} in {where}"
        raise ColumnError("cardinality", message + (f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""))
    return Column(recode[rows], [*states, None], is_declared=True)


def _declared(cells: CsvTable, index: int) -> str:
    """What the line below the names says about a column: labels are listed in order of appearance."""
    return cells.labels(index)[0]


def _declared_states(cardinality: str) -> tuple[str, ...]:
    if not _is_cardinality(cardinality):
        shown = cardinality[:20]
        raise ColumnError("cardinality", f"declares {shown!r} states, expected 1 to {MAX_STATES}")
    return _codes(int(cardinality))


def _is_cardinality(text: str) -> bool:
    return is_plain_integer(text) and 1 <= int(text) <= MAX_STATES


@lru_cache(maxsize=64)
def _codes(cardinality: int) -> tuple[str, ...]:
    return tuple(map(str, range(cardinality)))
