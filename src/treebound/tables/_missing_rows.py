"""Rows with missing values: how many are complete, and which columns keep others from being complete."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from treebound.data import ColumnNote, DataError, Problem
from treebound.tables._diagnose import ColumnProfile
from treebound.tables._table import ColumnError, Table

MIN_ROWS = 2
# With fewer of its rows complete, those do not represent a table.
_LEAST_SHARE = 0.5
_MOST_LISTED = 5


def least_rows(num_rows: int) -> float:
    """How many complete rows ``auto`` wants before it drops the others."""
    return max(MIN_ROWS, _LEAST_SHARE * num_rows)


def check_left(num_complete: int, num_rows: int, source: str) -> None:
    """Reject a table of which hardly any row is left."""
    if num_complete < MIN_ROWS:
        message = f"only {num_complete} of {num_rows} rows have all values; drop columns instead"
        raise DataError([Problem("no rows", message)], source)


def missing_cells(
    table: Table, profile: Callable[[int], ColumnProfile | None], is_state: Callable[[str], bool]
) -> tuple[NDArray[np.int32], dict[str, int]]:
    """How many values are missing in each row, and in each column that has missing values.

    Columns without any value are for the reader to reject. No value is missing in a column in which a missing
    cell ``is_state``.
    """
    by_row, by_column = np.zeros(table.num_rows, dtype=np.int32), {}
    for index, name in enumerate(table.names):
        if is_state(name):
            continue
        known = profile(index)
        try:
            missing = (
                table.read(index).missing_rows() if known is None else known.missing_rows(table.num_rows)
            )
        except ColumnError:
            continue
        if 0 < len(missing) < table.num_rows:
            by_row[missing] += 1
            by_column[name] = len(missing)
    return by_row, by_column


def few_complete(
    table: Table, by_row: NDArray[np.int32], by_column: Mapping[str, int], notes: Sequence[ColumnNote]
) -> tuple[Problem, ...]:
    """Why ``auto`` drops no rows: what it dropped before, what is left, and which columns are to blame."""
    complete = int(np.count_nonzero(by_row == 0))
    messages = [f"{complete:,} of {table.num_rows:,} rows are complete"]
    dropped = [f"{note.name!r} ({note.words})" for note in notes]
    if dropped:
        messages[0] += f", after dropping {_listed(dropped)}"
    worst = sorted(by_column, key=lambda name: -by_column[name])
    messages.append("missing values: " + _listed([f"{name!r} in {by_column[name]:,} rows" for name in worst]))
    culprits, complete = _culprits(table, by_row.copy(), worst)
    if len(culprits) < len(table.names):
        messages.append(f"without {_listed(list(map(repr, culprits)))}, {complete:,} rows are complete")
    return tuple(Problem("few complete rows", message) for message in messages)


def _culprits(table: Table, by_row: NDArray[np.int32], worst: Sequence[str]) -> tuple[list[str], int]:
    """The columns, most missing values first, without which enough rows are complete."""
    for count, name in enumerate(worst, start=1):
        by_row[table.read(table.names.index(name)).missing_rows()] -= 1
        complete = int(np.count_nonzero(by_row == 0))
        if complete >= least_rows(table.num_rows):
            return list(worst[:count]), complete
    return list(worst), table.num_rows


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - _MOST_LISTED:,} more" if len(words) > _MOST_LISTED else ""
    return ", ".join(words[:_MOST_LISTED]) + more
