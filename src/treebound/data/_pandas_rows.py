"""The rows of a wide pandas frame.

``to_numpy`` takes some 15 microseconds for each column of text, which is an Arrow array of its own, most of
it for questions about types. With ten thousand columns and one row that was nearly all of a prediction; to
ask the arrays themselves takes a tenth.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

# Booleans, whole and real numbers, and Python's own values: lists of them hold what to_numpy would give.
_PLAIN_KINDS = frozenset("biufO")


def is_pandas(data: Any) -> bool:
    """Whether it is a data frame of pandas itself."""
    frame = getattr(sys.modules.get("pandas"), "DataFrame", None)
    return frame is not None and isinstance(data, frame)


def pandas_rows(frame: Any) -> Iterable[Sequence[Any]]:
    """All rows of a frame, each a sequence of cells."""
    columns = _column_arrays(frame)
    if columns is None:
        whole: Iterable[Sequence[Any]] = frame.to_numpy(dtype=object)
        return whole
    kinds = [*map(type, columns)]
    kind = getattr(sys.modules["pandas"].arrays, "ArrowStringArray", None)
    texts = [(i, columns[i].__arrow_array__()) for i, own in enumerate(kinds) if own is kind]
    plain = [i for i, own in enumerate(kinds) if own is np.ndarray and columns[i].dtype.kind in _PLAIN_KINDS]
    others = sorted({*range(len(columns))}.difference(plain, (i for i, _ in texts)))
    rest = frame.iloc[:, others].to_numpy(dtype=object) if others else None
    rows = []
    for r in range(len(frame)):
        row: list[Any] = [None] * len(columns)
        for i, column in texts:
            row[i] = column[r].as_py()
        for i in plain:
            row[i] = columns[i].item(r)
        if rest is not None:
            for i, cell in zip(others, rest[r], strict=True):
                row[i] = cell
        rows.append(row)
    return rows


def _column_arrays(frame: Any) -> list[Any] | None:
    """The arrays behind the columns, without a Series for each; pandas does not promise to tell them."""
    try:
        return list(frame._iter_column_arrays())
    except Exception:
        return None
