"""Times to the nanosecond: libraries turn them into Python's times, which end at microseconds."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


def cells_of(series: nw.Series[Any]) -> list[Any]:
    """The cells of a series; times that Python cannot hold are their text."""
    cells = series.to_list()
    whole = _nanoseconds(series)
    if whole is None:
        return cells
    return [
        cell if count is None or count % 1000 == 0 else _written(cell, count % 1000)
        for cell, count in zip(cells, whole, strict=True)
    ]


def _nanoseconds(series: nw.Series[Any]) -> list[int | None] | None:
    """All cells as integers, where they count nanoseconds and their library cuts them short."""
    import narwhals.stable.v2 as nw

    dtype, native = series.dtype, series.to_native()
    if series.implementation.is_polars():
        is_fine = dtype == nw.Time or getattr(dtype, "time_unit", None) == "ns"
        return native.to_physical().to_list() if is_fine else None
    if dtype == nw.Time:
        array = native if series.implementation.is_pyarrow() else native.array.__arrow_array__()
        return array.cast("int64").to_pylist() if str(array.type) == "time64[ns]" else None
    return None


def _written(cell: datetime.datetime | datetime.time | datetime.timedelta, nanoseconds: int) -> str:
    if isinstance(cell, datetime.timedelta):
        head, _, fraction = str(cell).partition(".")
        return f"{head}.{fraction or '000000'}{nanoseconds:03}"
    text = cell.isoformat(timespec="microseconds").replace("T", " ")
    end = text.index(".") + 7  # before the time zone
    return f"{text[:end]}{nanoseconds:03}{text[end:]}"
