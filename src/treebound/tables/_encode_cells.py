"""A few rows of a wide table, cell by cell.

To take a column out of a data frame costs far more than to look up one cell: with ten thousand columns it is
nearly all of the time that a prediction of one row takes. Whatever is out of the ordinary is left to the
reader of columns, which finds the same codes and knows what to say about cells that have none.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import MISSING, Finder, Schema
from treebound.tables._columns_of_arrays import plain_value
from treebound.tables._table import ColumnError, Table, is_marker

# More rows than this are read faster by columns.
FEW_ROWS = 32

_PLAIN = frozenset({str, int, float, bool, type(None)})
_TIMES = (datetime.datetime, datetime.time, datetime.timedelta)
# Of these none can be missing.
_PRESENT = frozenset({str, int, bool})


def encode_cells(table: Table, schema: Schema, *, takes_unseen: bool) -> NDArray[np.int32] | None:
    """One row per variable, -1 for missing cells; None if columns have to be read."""
    if table.cells is None or table.num_rows > FEW_ROWS or table.is_cleaned:
        return None
    found = zip(range(len(table.names)), map(schema.positions.get, table.names), strict=True)
    known = [(i, v) for i, v in found if v is not None]
    if not known:
        return None
    places, variables = zip(*known, strict=True)
    finders = [schema.finders[v] for v in variables]
    missing_codes = [schema.missing_codes[v] for v in variables]
    is_whole = len(places) == len(table.names)
    codes = np.full((len(schema), table.num_rows), MISSING, dtype=np.int32)
    try:
        for row, all_cells in enumerate(table.cells()):
            cells = all_cells if is_whole else [all_cells[i] for i in places]
            one = _codes_of(cells, finders, missing_codes, table.na_values, takes_unseen=takes_unseen)
            if one is None:
                return None
            codes[list(variables), row] = one
    except ColumnError:
        return None
    return codes


def _codes_of(
    cells: Sequence[Any],
    finders: Sequence[Finder],
    missing_codes: Sequence[int],
    marks: Collection[str] | None,
    *,
    takes_unseen: bool,
) -> list[int] | None:
    """The codes of a row; None if there is a value that no state stands for."""
    if not marks and _PRESENT.issuperset(map(type, cells)):
        codes = [find(cell) for find, cell in zip(finders, cells, strict=True)]
        return codes if takes_unseen or min(codes) >= 0 else None
    codes = []
    for cell, find, missing_code in zip(cells, finders, missing_codes, strict=True):
        if isinstance(cell, _TIMES):  # of which libraries cut nanoseconds off
            return None
        plain: Any = cell if type(cell) in _PLAIN else plain_value(cell)
        is_missing = plain is None or plain != plain or (marks and is_marker(plain, marks))
        code = missing_code if is_missing else find(plain)
        if code < 0 and not is_missing and not takes_unseen:
            return None
        codes.append(code)
    return codes
