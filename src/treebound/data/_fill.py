"""Results as tables: in the library that the question came in, cells filled in or columns made anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound.data._table import Table
from treebound.formats.arrow import import_pyarrow

#: By column name: the rows to fill, and what to fill them with.
Fills: TypeAlias = Mapping[str, tuple[NDArray[np.intp], NDArray[Any]]]


def filled(table: Any, opened: Table, fills: Fills) -> Any:
    """A copy of a table with some cells replaced; ``opened`` is the same table as the readers see it.

    Frames come back as frames and arrays as arrays; everything else, files among them, as a dict of lists.
    """
    if isinstance(table, np.ndarray):
        return _filled_array(table, opened, fills)
    if frame_library(table) is not None:
        return _filled_frame(table, fills)
    columns = {}
    for index, name in enumerate(opened.names):
        column = opened.read(index)
        cells = [column.values[code] for code in column.codes.tolist()]
        for row, value in zip(*fills.get(name, ((), ())), strict=True):
            cells[row] = value.item() if isinstance(value, np.generic) else value
        columns[name] = cells
    return columns


def columns_like(table: Any, columns: Mapping[str, NDArray[Any]]) -> Any:
    """New columns in the library of a table: a frame for a frame, an array for an array, else a dict."""
    if isinstance(table, np.ndarray):
        return np.stack(list(columns.values()), axis=1)
    if frame_library(table) is None:
        return dict(columns)
    import narwhals.stable.v2 as nw

    asked = nw.from_native(table, eager_only=True)
    frame = nw.from_dict(dict(columns), backend=asked.implementation).to_native()
    if asked.implementation.is_pandas_like():
        frame.index = asked.to_native().index
    return frame


def frame_library(table: Any) -> Any:
    """The library that a data frame is of, as narwhals knows it; None for anything else."""
    import narwhals.stable.v2 as nw

    try:
        return nw.from_native(table, eager_only=True).implementation
    except TypeError:
        return None


def _filled_array(array: NDArray[Any], opened: Table, fills: Fills) -> NDArray[Any]:
    result = array.copy()
    for index, name in enumerate(opened.names):
        if name in fills:
            rows, values = fills[name]
            cells = result[name] if array.dtype.names is not None else result[:, index]
            cells[rows] = values
    return result


def _filled_frame(table: Any, fills: Fills) -> Any:
    import narwhals.stable.v2 as nw

    frame = nw.from_native(table, eager_only=True)
    columns = [column for column in frame.iter_columns() if str(column.name) in fills]
    return frame.with_columns(*(_filled_series(one, *fills[str(one.name)]) for one in columns)).to_native()


def _filled_series(series: Any, rows: NDArray[np.intp], values: NDArray[Any]) -> Any:
    import narwhals.stable.v2 as nw

    if series.dtype.is_temporal():
        series = series.cast(nw.String)  # as states are
    if series.implementation.is_pyarrow():
        return _filled_arrow(series, rows, values)
    if isinstance(series.dtype, (nw.Categorical, nw.Enum)):
        known = set(series.cat.get_categories().to_list())
        if not known.issuperset(values.tolist()):
            series = series.cast(nw.String)
    return series.scatter(rows.tolist(), values.tolist())


def _filled_arrow(series: Any, rows: NDArray[np.intp], values: NDArray[Any]) -> Any:
    """Arrow replaces values of few types in place, so that the column is made anew."""
    import narwhals.stable.v2 as nw

    pyarrow = import_pyarrow()
    cells = series.to_list()
    for row, value in zip(rows.tolist(), values.tolist(), strict=True):
        cells[row] = value
    made = pyarrow.chunked_array([pyarrow.array(cells, series.to_native().type)])
    return nw.from_native(made, series_only=True).alias(series.name)
