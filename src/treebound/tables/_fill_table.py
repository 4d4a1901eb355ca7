"""Results as tables: in the library of the input, cells filled in or columns made anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound.data import Schema
from treebound.tables._fill_column import Fill, filled_array, filled_cells
from treebound.tables._fill_series import filled_series
from treebound.tables._new_frames import in_installed_library, text_frame
from treebound.tables._pandas_rows import is_pandas
from treebound.tables._table import Table

#: By column name.
Fills: TypeAlias = Mapping[str, Fill]


def filled(table: Any, opened: Table, fills: Fills, schema: Schema) -> Any:
    """A copy of a table with some cells replaced; ``opened`` is the same table as the readers see it.

    Frames come back as frames and arrays as arrays, dicts of columns as dicts of lists, and files as frames
    of pandas, or of polars or pyarrow where that is what is installed. Dates stay as they are, whatever their
    parts are filled with.
    """
    opened = opened.as_written
    if isinstance(table, np.ndarray):
        is_plain = table.dtype.names is None
        return (_filled_array if is_plain else _filled_fields)(table, opened.names, fills)
    if opened.frame is not None:
        frame = _filled_frame(opened.frame(), fills)
        return frame.to_native() if frame_library(table) is not None else in_installed_library(frame)
    if isinstance(table, Mapping):
        return _filled_lists(dict(zip(opened.names, map(_cells, table.values()), strict=True)), fills)
    columns = filled_columns(opened, fills)
    return text_frame(columns, opened, schema) if opened.is_text else columns


def filled_columns(opened: Table, fills: Fills) -> dict[str, list[Any]]:
    """The columns of a table with some cells replaced, as lists; those of a text file as they stand there."""
    opened = opened.as_written
    if opened.frame is not None:
        frame = _filled_frame(opened.frame(), fills)
        return {column.name: column.to_list() for column in frame.iter_columns()}
    columns = dict(zip(opened.names, _columns(opened), strict=True))
    return _filled_lists(columns, fills, str if opened.is_text else None)


def written_columns(opened: Table) -> dict[str, list[Any]]:
    """The columns of a table as lists, as they stand in its source, missing-value markers included."""
    opened = opened.as_written
    if opened.frame is not None:
        return filled_columns(opened, {})
    columns = {}
    for index, name in enumerate(opened.names):
        column = opened.column(index)
        # An empty cell is written as an empty cell, not as an empty text.
        values = [None if value == "" else value for value in column.values]
        columns[name] = [values[code] for code in column.codes.tolist()]
    return columns


def columns_like(table: Any, columns: Mapping[str, NDArray[Any]]) -> Any:
    """New columns in the library of a table: a frame for a frame, an array for an array, else a dict."""
    if isinstance(table, np.ndarray):
        return np.stack(list(columns.values()), axis=1)
    if is_pandas(table):
        # narwhals looks at all columns of the table first.
        return type(table)(dict(columns), index=table.index)
    if frame_library(table) is None:
        return dict(columns)
    import narwhals.stable.v2 as nw

    requested = nw.from_native(table, eager_only=True)
    frame = nw.from_dict(dict(columns), backend=requested.implementation).to_native()
    if requested.implementation.is_pandas_like():
        frame.index = requested.to_native().index
    return frame


def frame_library(table: Any) -> Any:
    """The library that a data frame is of, as narwhals knows it; None for anything else."""
    import narwhals.stable.v2 as nw

    if is_pandas(table):
        return nw.Implementation.PANDAS
    try:
        return nw.from_native(table, eager_only=True).implementation
    except TypeError:
        return None


def _columns(opened: Table) -> Iterator[list[Any]]:
    """Cells as they stand in a file, with their blanks and decimal commas, and None for missing ones."""
    for index in range(len(opened.names)):
        column = opened.column(index)
        cells = [column.values[code] for code in column.codes.tolist()]
        for row in opened.read(index).missing_rows().tolist():
            cells[row] = None
        yield cells


def _filled_lists(
    columns: dict[str, list[Any]], fills: Fills, kind: type | None = None
) -> dict[str, list[Any]]:
    return {n: filled_cells(cells, fills[n], kind) if n in fills else cells for n, cells in columns.items()}


def _cells(column: Any) -> list[Any]:
    """A column of a dict as a list, its cells as they came."""
    if isinstance(column, np.ndarray):
        return list(column.tolist())
    if isinstance(column, Sequence):
        return list(column)
    import narwhals.stable.v2 as nw

    return list(nw.from_native(column, series_only=True).to_list())


def _filled_array(array: NDArray[Any], names: Sequence[str], fills: Fills) -> NDArray[Any]:
    columns = {i: filled_array(array[:, i], fills[name]) for i, name in enumerate(names) if name in fills}
    dtypes = {array.dtype, *(column.dtype for column in columns.values())}
    are_numbers = all(dtype.kind in "iuf" for dtype in dtypes)
    result = array.astype(np.result_type(*dtypes) if are_numbers or len(dtypes) == 1 else object)
    for index, column in columns.items():
        result[:, index] = column
    return result


def _filled_fields(array: NDArray[Any], names: Sequence[str], fills: Fills) -> NDArray[Any]:
    columns = {
        name: filled_array(array[name], fills[name]) if name in fills else array[name] for name in names
    }
    result = np.empty(array.shape, dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        result[name] = column
    return result


def _filled_frame(frame: Any, fills: Fills) -> Any:
    columns = [column for column in frame.iter_columns() if str(column.name) in fills]
    return frame.with_columns(*(filled_series(one, fills[str(one.name)]) for one in columns))
