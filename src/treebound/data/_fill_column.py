"""What a column with cells filled in looks like: of its own type, widened only where that cannot hold them.

Known cells stay as they are. New cells are of the kind of the known ones, text among text, numbers among
numbers, dates among dates, and are read again as the states that they stand for. A column that holds nothing
and whose type does not fit is made anew.
"""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound.data._arrays import column_of_array, column_of_objects
from treebound.data._encode import codes_of
from treebound.data._numbers import parse_numbers
from treebound.data._series import column_of_series
from treebound.data._table import Column
from treebound.data._variable import Variable, label_of
from treebound.formats.arrow import import_pyarrow

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_CLASSES: dict[type, tuple[type, ...]] = {
    str: (str,),
    bool: (bool, np.bool_),
    float: (int, float, np.integer, np.floating, decimal.Decimal),
}
_TIMES: dict[str, type] = {
    "Date": datetime.date,
    "Datetime": datetime.datetime,
    "Time": datetime.time,
    "Duration": datetime.timedelta,
}
_DURATION = re.compile(r"(?:(-?\d+) days?, )?(\d+):(\d+):(\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Fill:
    """The cells to fill in one column: their rows, their states, and the values of these."""

    variable: Variable
    rows: NDArray[np.intp]
    codes: NDArray[np.integer]
    values: NDArray[Any]

    @cached_property
    def labels(self) -> list[str]:
        """The new cells as text."""
        if self.variable.edges is not None:
            return list(map(label_of, self.values.tolist()))
        return [self.variable.states[code] for code in self.codes.tolist()]

    def cells(self, kind: type | None) -> NDArray[Any]:
        """The new cells as values of a kind, as those of the schema for None; ValueError if they are not."""
        if kind is None or (kind is float and self.values.dtype.kind in "if"):
            return self.values
        if kind is float:
            return _numbers(self.labels)
        parse = _PARSERS.get(kind, kind)
        cells = np.empty(len(self.rows), dtype=object)
        cells[:] = [parse(label) for label in self.labels]
        return cells.astype(bool) if kind is bool else cells

    def is_read_from(self, column: Column) -> bool:
        """Whether the new cells, as a column of their own, are read as the states that they stand for."""
        return np.array_equal(codes_of(self.variable, column), self.codes)


def kind_of(cells: Iterable[Any]) -> type | None:
    """What all cells are: text, booleans, numbers (float), or one type of dates and times; else None."""
    types = set(map(type, cells))
    for kind, classes in _CLASSES.items():
        if types and all(issubclass(one, classes) and (kind is bool or one is not bool) for one in types):
            return kind
    is_time = len(types) == 1 and issubclass(next(iter(types)), tuple(_TIMES.values()))
    return types.pop() if is_time else None


def filled_cells(cells: Sequence[Any], fill: Fill, kind: type | None = None) -> list[Any]:
    """A copy of Python values with some of them filled in, of a kind or of that of the known ones."""
    result = list(cells)
    if kind is None:
        is_new = np.zeros(len(result), dtype=np.bool_)
        is_new[fill.rows] = True
        kind = kind_of(
            cell for cell, is_missing in zip(result, is_new.tolist(), strict=True) if not is_missing
        )
    for row, cell in zip(fill.rows.tolist(), _objects(fill, kind), strict=True):
        result[row] = cell
    return result


def filled_array(cells: NDArray[Any], fill: Fill) -> NDArray[Any]:
    """A copy of an array of one dimension with cells filled in; of objects if nothing else holds them all."""
    is_empty = len(fill.rows) == len(cells)
    if cells.dtype.kind in "biuf":
        try:
            values = fill.cells(bool if cells.dtype.kind == "b" else float)
        except ValueError:
            values = fill.values
        wide = np.result_type(cells.dtype, values.dtype)
        for dtype in (cells.dtype, wide) if values.dtype != object else ():
            if fill.is_read_from(column_of_array(values.astype(dtype))):
                result = cells.astype(dtype)
                result[fill.rows] = values
                return result
    if is_empty:
        return fill.values
    result = np.empty(len(cells), dtype=object)
    result[:] = filled_cells(cells.tolist(), fill)
    return result


def filled_series(series: nw.Series[Any], fill: Fill) -> nw.Series[Any]:
    """A copy of a column of a frame with cells filled in."""
    import narwhals.stable.v2 as nw

    native = series.to_native()
    is_pandas = series.implementation.is_pandas_like()
    if is_pandas and isinstance(native.dtype, np.dtype) and native.dtype.kind in "biufO":
        made = filled_array(native.to_numpy(), fill)
        # Without a type, pandas looks for one: right for a column made anew, but not beside known objects.
        dtype = None if len(fill.rows) == len(made) else made.dtype
        return _like(series, type(native)(made, dtype=dtype))
    kind = _kind_of_series(series)
    series = _with_categories(series, fill, kind)
    new = _in_type_of(series, fill, kind)
    is_wider = new is None
    if new is None:
        cells = _objects(fill, kind if kind is float else None)
        new = nw.new_series(series.name, cells, backend=series.implementation)
    if len(new) == len(series):
        return _like(series, new.to_native())
    if is_wider and not (series.dtype.is_numeric() and new.dtype.is_numeric()):
        raise ValueError(
            f"column {series.name!r} is of type {series.dtype} and cannot hold {fill.labels[0]!r} beside "
            "its known cells; change its type first."
        )
    return _like(series, _joined(series, new, fill.rows))


def _objects(fill: Fill, kind: type | None) -> list[Any]:
    """The new cells as Python values of a kind, or as those of the schema where that is not possible."""
    natural: list[Any] = fill.values.tolist()
    try:
        cells: list[Any] = fill.cells(kind).tolist()
    except ValueError:
        return natural
    return cells if fill.is_read_from(column_of_objects(cells)) else natural


def _numbers(labels: list[str]) -> NDArray[Any]:
    numbers = parse_numbers(labels)
    if numbers is None:
        raise ValueError("not all labels are numbers.")
    floats = np.array(numbers)
    whole = floats.astype(np.int64)
    return whole if np.array_equal(whole, floats) else floats


def _truth(label: str) -> bool:
    if label.casefold() not in ("false", "true"):
        raise ValueError(f"{label!r} is not a boolean.")
    return label.casefold() == "true"


def _duration(label: str) -> datetime.timedelta:
    """The time span that Python writes like this."""
    match = _DURATION.fullmatch(label)
    if match is None:
        raise ValueError(f"{label!r} is not a duration.")
    days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
    return datetime.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


_PARSERS: dict[type, Callable[[str], Any]] = {
    bool: _truth,
    datetime.date: datetime.date.fromisoformat,
    datetime.datetime: datetime.datetime.fromisoformat,
    datetime.time: datetime.time.fromisoformat,
    datetime.timedelta: _duration,
}


def _kind_of_series(series: nw.Series[Any]) -> type | None:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        kind = kind_of(series.cat.get_categories().to_list())
        return str if kind is None and not series.implementation.is_pandas_like() else kind
    if isinstance(dtype, nw.String):
        return str
    if dtype.is_numeric() or isinstance(dtype, nw.Boolean):
        return float if dtype.is_numeric() else bool
    if series.implementation.is_pandas_like():
        return str  # which pandas reads dates, periods and time spans from
    return _TIMES.get(type(dtype).__name__)


def _with_categories(series: nw.Series[Any], fill: Fill, kind: type | None) -> nw.Series[Any]:
    """The column with the categories that it lacks; those of polars and arrow come by themselves."""
    import narwhals.stable.v2 as nw

    native = series.to_native()
    is_pandas = series.implementation.is_pandas_like() and isinstance(series.dtype, nw.Categorical | nw.Enum)
    if not is_pandas and not isinstance(series.dtype, nw.Enum):
        return series
    known = series.cat.get_categories().to_list()
    lacking = [cell for cell in dict.fromkeys(_objects(fill, kind)) if cell not in known]
    if not lacking:
        return series
    if is_pandas:
        return _like(series, native.cat.add_categories(lacking))
    return series.cast(nw.Enum([*known, *lacking]))


def _like(series: nw.Series[Any], native: Any) -> nw.Series[Any]:
    """A column in the place of another."""
    import narwhals.stable.v2 as nw

    if series.implementation.is_pandas_like():
        native.index, native.name = series.to_native().index, series.name
    made: nw.Series[Any] = nw.from_native(native, series_only=True)
    return made if made.name == series.name else made.alias(series.name)


def _in_type_of(series: nw.Series[Any], fill: Fill, kind: type | None) -> nw.Series[Any] | None:
    """The new cells as a column of the same type, None if that cannot hold them."""
    import narwhals.stable.v2 as nw

    native = series.to_native()
    try:
        cells = fill.cells(kind).tolist()
        if series.implementation.is_pandas_like():
            made = type(native)(cells).astype(native.dtype)
        elif series.implementation.is_pyarrow():
            made = import_pyarrow().chunked_array([import_pyarrow().array(cells, native.type)])
        else:
            made = type(native)(series.name, cells, dtype=native.dtype)
        new = nw.from_native(made, series_only=True)
        return new if fill.is_read_from(column_of_series(new)) else None
    except Exception:  # every library has errors of its own for cells that do not fit
        return None


def _joined(series: nw.Series[Any], new: nw.Series[Any], rows: NDArray[np.intp]) -> Any:
    """The known cells and the new ones in their places, in a type that holds both."""
    import narwhals.stable.v2 as nw

    known, added = series.to_native(), new.to_native()
    library = nw.get_native_namespace(series)
    if series.implementation.is_pandas_like():
        dtype = known.dtype
        if added.dtype != dtype:
            dtype = library.concat([known, added], ignore_index=True).dtype
        cells = known.astype(dtype).array.copy()
        cells[rows] = added.astype(dtype).array
        return type(known)(cells)
    if series.implementation.is_pyarrow():
        places = np.arange(len(series))
        places[rows] = np.arange(len(series), len(series) + len(rows))
        tables = [library.table([part], names=["cells"]) for part in (known, added)]
        both = library.concat_tables(tables, promote_options="permissive").column(0)
        return both.unify_dictionaries().take(library.array(places))
    if added.dtype != known.dtype:
        parts = [part.alias("cells").to_frame() for part in (known, added)]
        dtype = library.concat(parts, how="vertical_relaxed").to_series().dtype
        known, added = known.cast(dtype), added.cast(dtype)
    return known.clone().scatter(rows, added)
