"""The rows of a wide pandas frame.

``to_numpy`` takes some 15 microseconds for each column of text, which is an Arrow array of its own: with ten
thousand columns and one row that is nearly all of a prediction. A row taken with ``iloc`` costs a third.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

# A row of one of these types holds the cells as they are; to a row of numbers, integers may come as floats.
_KEEPS_CELLS = frozenset({"object", "str", "string", "category"})


def is_pandas(data: Any) -> bool:
    """Whether it is a data frame of pandas itself."""
    frame = getattr(sys.modules.get("pandas"), "DataFrame", None)
    return frame is not None and isinstance(data, frame)


def pandas_rows(frame: Any) -> Iterable[Sequence[Any]]:
    """All rows of a frame, each a sequence of cells."""
    if len(frame) and frame.iloc[0].dtype.name in _KEEPS_CELLS:
        return (frame.iloc[row].tolist() for row in range(len(frame)))
    whole: Iterable[Sequence[Any]] = frame.to_numpy(dtype=object)
    return whole
