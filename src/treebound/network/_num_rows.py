"""How many rows the tables of a network are worth, which decides what more rows change.

Where rows with missing values are skipped, the families are counted from different rows. Each table is then
worth the rows in which its family is complete.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_number

#: One number of rows for all tables, or one for each variable where they differ.
NumRows: TypeAlias = float | tuple[float, ...]
# Sums of the same weights in another order differ by rounding.
_ROUNDING = 1e-9


def rows_counted(counts: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the sum of the counts of each table."""
    return np.array([table.sum() for table in counts])


def num_rows_of(rows: NDArray[np.float64]) -> NumRows:
    """Return one number if all tables are worth the same, else one for each; whole ones as integers."""
    largest = float(rows.max())
    if np.ptp(rows) <= _ROUNDING * largest:
        return _whole(largest)
    return tuple(_whole(number) for number in rows.tolist())


def checked_num_rows(num_rows: object, num_variables: int) -> NumRows:
    """Return numbers of rows that make sense; reject all others."""
    if not isinstance(num_rows, list | tuple):
        return check_number("num_rows", num_rows, positive=False)
    if len(num_rows) != num_variables:
        raise ValueError(
            f"num_rows must be one number, or one for each of {num_variables} variables, got {len(num_rows)}."
        )
    return tuple(check_number("each of num_rows", number, positive=False) for number in num_rows)


def _whole(number: float) -> float:
    return int(number) if number.is_integer() else number
