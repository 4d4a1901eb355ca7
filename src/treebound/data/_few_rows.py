"""A few rows of a wide table, cell by cell.

To take a column out of a data frame costs far more than to look up one cell: with ten thousand columns it is
nearly all of the time that a prediction of one row takes. Whatever is out of the ordinary is left to the
reader of columns, which finds the same codes and knows what to say about cells that have none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treebound.data._arrays import plain_value
from treebound.data._schema import Schema
from treebound.data._table import ColumnError, Table

# More rows than this are read faster by columns.
FEW_ROWS = 32

_PLAIN = frozenset({str, int, float, bool, type(None)})


def encode_few(table: Table, schema: Schema, *, takes_unseen: bool) -> NDArray[np.int32] | None:
    """One row per variable, -1 for what is not known; None if columns have to be read."""
    if table.cells is None or table.num_rows > FEW_ROWS or table.strip or table.decimal != ".":
        return None
    finders = schema.finders
    if table.names == schema.names:
        places = list(zip(range(len(schema)), range(len(schema)), finders, strict=True))
    else:
        found = ((i, schema.position(name)) for i, name in enumerate(table.names) if name in schema)
        places = [(i, v, finders[v]) for i, v in found]
    rows = np.full((table.num_rows, len(schema)), -1, dtype=np.int32)
    marks = table.na_values
    try:
        for row, cells in zip(rows, table.cells(), strict=True):
            codes = [-1] * len(schema)
            for place, v, find in places:
                cell = cells[place]
                if type(cell) not in _PLAIN:
                    cell = plain_value(cell)
                if cell is None or cell != cell or (marks and cell in marks):
                    continue
                code = find(cell)
                if code < 0 and not takes_unseen:
                    return None
                codes[v] = code
            row[:] = codes
    except ColumnError:
        return None
    return np.ascontiguousarray(rows.T)
