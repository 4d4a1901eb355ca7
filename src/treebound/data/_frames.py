"""Tables in memory: data frames of any library through narwhals, numpy arrays, dicts of columns."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound.data._problems import DataError, Problem
from treebound.data._table import Column, ColumnError, Table
from treebound.data._variable import Value
from treebound.formats.arrow import import_pyarrow

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

# Integers within a range of this many values are counted instead of sorted.
_COUNTABLE = 1 << 16


def table_of(data: Any) -> Table:
    """The table behind any object that holds one."""
    if isinstance(data, np.ndarray):
        return _table_of_array(data)
    if isinstance(data, Mapping):
        return _table_of_mapping(data)
    return _table_of_frame(data)


def _table_of_array(array: NDArray[Any]) -> Table:
    if array.dtype.names is not None and array.ndim == 1:
        names = array.dtype.names
        return Table(names, len(array), lambda index: column_of_array(array[names[index]]))
    if array.ndim != 2:
        raise TypeError(
            f"expected an array of 2 dimensions, or a structured one of 1, got {array.ndim} dimensions."
        )
    by_column = array.T.copy()
    names = tuple(f"v{index}" for index in range(array.shape[1]))
    return Table(names, array.shape[0], lambda index: column_of_array(by_column[index]))


def _table_of_mapping(columns: Mapping[Any, Any]) -> Table:
    names = tuple(map(str, columns))
    cells = list(columns.values())
    lengths = {name: len(column) for name, column in zip(names, cells, strict=True)}
    if len(set(lengths.values())) > 1:
        usual = max(set(lengths.values()), key=list(lengths.values()).count)
        raise DataError(
            Problem("lengths", f"{length} values where other columns have {usual}", name)
            for name, length in lengths.items()
            if length != usual
        )
    return Table(names, max(lengths.values(), default=0), lambda index: _column_of_any(cells[index]))


def _column_of_any(cells: Any) -> Column:
    if isinstance(cells, np.ndarray):
        return column_of_array(cells)
    if isinstance(cells, Sequence) and not isinstance(cells, (str, bytes)):
        return column_of_objects(cells)
    import narwhals.stable.v2 as nw

    try:
        series = nw.from_native(cells, series_only=True)
    except TypeError:
        raise ColumnError("type", f"a {type(cells).__name__} is not a column of values") from None
    return _column_of_series(series)


def _table_of_frame(data: Any) -> Table:
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(data, eager_only=True)
    except DuplicateError:
        names = tuple(map(str, data.columns))
        return Table(names, len(data), _unreadable)
    except TypeError:
        frame = nw.from_native(_arrow_table(data), eager_only=True)
    columns = list(frame.iter_columns())
    names = tuple(str(column.name) for column in columns)
    return Table(names, len(frame), lambda index: _column_of_series(columns[index]))


def _arrow_table(data: Any) -> Any:
    """The pyarrow table behind an object that offers the Arrow stream and is of no library we know."""
    if not hasattr(data, "__arrow_c_stream__"):
        raise TypeError(_expected(data))
    pyarrow = import_pyarrow()
    try:
        return pyarrow.table(data)
    except pyarrow.ArrowException:
        raise TypeError(_expected(data)) from None


def _unreadable(index: int) -> Column:
    raise ColumnError("duplicate name", f"column {index + 1} cannot be told from another one")


def _expected(data: Any) -> str:
    lazy = "; collect() a lazy frame first" if hasattr(data, "collect") else ""
    return (
        "expected a data frame (pandas, polars, pyarrow), a numpy array, a dict of columns or a path, "
        f"got {type(data).__module__}.{type(data).__qualname__}{lazy}."
    )


def _column_of_series(series: nw.Series[Any]) -> Column:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        return _column_of_categories(series)
    if (dtype.is_numeric() or isinstance(dtype, nw.Boolean)) and series.null_count() == 0:
        return column_of_array(series.to_numpy())
    return column_of_objects(series.to_list())


def _column_of_categories(series: nw.Series[Any]) -> Column:
    """Categories in their own order; of a polars Categorical, which can list more, those that occur."""
    import narwhals.stable.v2 as nw

    column = column_of_objects(series.to_list())
    categories = [_plain(category) for category in series.cat.get_categories().to_list()]
    if series.implementation.is_polars() and not isinstance(series.dtype, nw.Enum):
        categories = [category for category in categories if category in column.values]
    position = {value: code for code, value in enumerate([*categories, None])}
    recode = np.array([position[value] for value in column.values], dtype=np.int64)
    has_missing = None in column.values
    return Column(
        codes=recode[column.codes],
        values=[*categories, None] if has_missing else categories,
        is_declared=True,
        ordered=_is_ordered(series),
    )


def _is_ordered(series: nw.Series[Any]) -> bool:
    """Whether the library says that the order of the categories has a meaning."""
    import narwhals.stable.v2 as nw

    if series.implementation.is_pyarrow():
        return bool(series.to_native().type.ordered)
    return isinstance(series.dtype, nw.Enum)


def column_of_array(array: NDArray[Any]) -> Column:
    """A column of one dimension; by its type, without a look at single cells where that can be avoided."""
    if array.ndim != 1:
        raise ColumnError("type", f"has {array.ndim} dimensions, expected 1")
    if isinstance(array, np.ma.MaskedArray) or array.dtype.kind not in "biuf":
        return column_of_objects(array.tolist())
    if array.dtype.kind == "f":
        return _column_of_floats(array.astype(np.float64))
    if len(array) and array.dtype.kind in "iu":
        low, high = int(array.min()), int(array.max())
        if high - low < _COUNTABLE and high < 2**63:
            return _column_of_small_integers(array.astype(np.int64) - low, low)
    values, codes = np.unique(array, return_inverse=True)
    return Column(codes, values.tolist())


def _column_of_small_integers(offsets: NDArray[np.int64], low: int) -> Column:
    values = np.flatnonzero(np.bincount(offsets))
    rank = np.empty(int(values[-1]) + 1, dtype=np.uint16)
    rank[values] = np.arange(len(values))
    return Column(rank[offsets], (values + low).tolist())


def _column_of_floats(array: NDArray[np.float64]) -> Column:
    values, codes = np.unique(array, return_inverse=True)
    return Column(codes, [None if value != value else value for value in values.tolist()])


def column_of_objects(cells: Sequence[Any]) -> Column:
    """A column of Python values of any types."""
    if not set(map(type, cells)) <= {str, type(None)}:
        cells = [_plain(cell) for cell in cells]
    types = set(map(type, cells))
    keys: Sequence[Any] = cells
    if bool in types and (int in types or float in types):
        # True and 1 are one key of a dict, but not one value.
        keys = [(type(cell) is bool, cell) for cell in cells]
    position = {key: code for code, key in enumerate(dict.fromkeys(keys))}
    codes = np.fromiter(map(position.__getitem__, keys), dtype=np.int64, count=len(keys))
    values = list(position) if keys is cells else [cell for _, cell in position]
    return Column(codes, values)


def _plain(cell: Any) -> Value | None:
    """A cell as text, integer, float, boolean, or None if it is missing."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    if cell is None or type(cell).__name__ == "NAType":
        return None
    if isinstance(cell, (bool, str)):
        return str(cell) if isinstance(cell, str) else cell
    if isinstance(cell, (datetime.date, datetime.time, datetime.timedelta)):
        return None if type(cell).__name__ == "NaTType" else str(cell)
    if isinstance(cell, int):
        if not -(2**63) <= cell < 2**64:
            raise ColumnError("type", f"holds {str(cell)[:20]}..., an integer of more than 64 bits")
        return int(cell)
    if isinstance(cell, (float, decimal.Decimal)):
        return None if cell != cell else float(cell)
    raise ColumnError("type", f"holds a value of type {type(cell).__name__}")
