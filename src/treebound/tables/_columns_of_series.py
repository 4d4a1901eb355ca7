"""Columns of data frames: what the library declares about the categories of a column is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treebound.tables._columns_of_arrays import column_of_array, column_of_objects, plain_value
from treebound.tables._nanoseconds import cells_of
from treebound.tables._table import Column

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


def column_of_series(series: nw.Series[Any]) -> Column:
    """The column in a series of any library."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        return _column_of_categories(series)
    if dtype.is_float():
        return column_of_array(series.to_numpy())  # in which NaN is what is missing
    if (dtype.is_numeric() or isinstance(dtype, nw.Boolean)) and series.null_count() == 0:
        return column_of_array(series.to_numpy())
    return column_of_objects(cells_of(series))


def column_of_arrow(array: Any) -> Column:
    """The column in a chunked array of pyarrow; plain integers, the usual case, go straight to numpy."""
    import narwhals.stable.v2 as nw
    import pyarrow

    if pyarrow.types.is_integer(array.type) and array.null_count == 0:
        return column_of_array(array.to_numpy())
    return column_of_series(nw.from_native(array, series_only=True))


def _column_of_categories(series: nw.Series[Any]) -> Column:
    """Categories in their own order, by the codes that the library keeps; a code of -1 is a missing value."""
    import narwhals.stable.v2 as nw

    native = series.to_native()
    if series.implementation.is_pandas_like():
        codes, categories = native.cat.codes.to_numpy(), native.cat.categories.to_list()
    elif series.implementation.is_pyarrow():
        array = native.unify_dictionaries().combine_chunks()
        codes, categories = array.indices.cast("int64").fill_null(-1).to_numpy(), array.dictionary.to_pylist()
    elif isinstance(series.dtype, nw.Enum):
        physical = nw.from_native(native.to_physical(), series_only=True)
        codes = physical.cast(nw.Int64).fill_null(-1).to_numpy()
        categories = series.cat.get_categories().to_list()
    else:
        return _column_of_polars_categorical(series)
    values = [*map(plain_value, categories), None]
    # A dictionary of arrow may list a value twice.
    position = {value: code for code, value in enumerate(dict.fromkeys(values))}
    recode = np.array([position[value] for value in values])
    return Column(recode.take(codes), list(position), is_declared=True, ordered=_is_ordered(series))


def _column_of_polars_categorical(series: nw.Series[Any]) -> Column:
    """Only the categories that occur, since those of other columns may be listed too."""
    column = column_of_objects(series.to_list())
    categories = [value for value in series.cat.get_categories().to_list() if value in column.values]
    position = {value: code for code, value in enumerate([*categories, None])}
    recode = np.array([position[value] for value in column.values])
    return Column(recode[column.codes], list(position), is_declared=True)


def _is_ordered(series: nw.Series[Any]) -> bool:
    """Whether the library says that the order of the categories has a meaning."""
    import narwhals.stable.v2 as nw

    if series.implementation.is_pyarrow():
        return bool(series.to_native().type.ordered)
    return isinstance(series.dtype, nw.Enum)
