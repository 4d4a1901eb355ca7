"""The rows of a wide pandas frame.

``to_numpy`` takes some 15 microseconds for each column of text, which is an Arrow array of its own, most of
it for questions about types. With ten thousand columns and one row that was nearly all of a prediction; to
ask the arrays themselves takes a tenth. Numbers of one type lie in one array for all their columns, a block.
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
    blocks = _blocks(frame)
    if blocks is None:
        whole: Iterable[Sequence[Any]] = frame.to_numpy(dtype=object)
        return whole
    text = getattr(sys.modules["pandas"].arrays, "ArrowStringArray", None)
    texts, plain, others = [], [], []
    for places, values in blocks:
        if type(values) is text:
            texts.append((places[0], values.__arrow_array__()))
        elif type(values) is np.ndarray and values.dtype.kind in _PLAIN_KINDS:
            plain.append((places, values))
        else:
            others += places
    if others:
        plain.append((others, frame.iloc[:, others].to_numpy(dtype=object).T))
    rows = []
    for r in range(len(frame)):
        row: list[Any] = [None] * frame.shape[1]
        for place, column in texts:
            row[place] = column[r].as_py()
        for places, values in plain:
            for place, cell in zip(places, values[:, r].tolist(), strict=True):
                row[place] = cell
        rows.append(row)
    return rows


def _blocks(frame: Any) -> list[tuple[list[int], Any]] | None:
    """The arrays behind the columns, each with their places; pandas does not promise to tell them."""
    try:
        return [(block.mgr_locs.as_array.tolist(), block.values) for block in frame._mgr.blocks]
    except Exception:
        return None
