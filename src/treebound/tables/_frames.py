"""Tables in memory: data frames of any library through narwhals, numpy arrays, dicts of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound._files import MAX_UNPACKED_MB
from treebound.data import DataError, Dataset, Problem
from treebound.tables._columns_of_arrays import column_of_array, column_of_objects
from treebound.tables._columns_of_series import column_of_arrow, column_of_series
from treebound.tables._pandas_rows import is_pandas, pandas_rows
from treebound.tables._table import Column, ColumnError, Table, name_problems
from treebound.tables.files.arrow import ColumnGroups, ParquetColumns, import_pyarrow
from treebound.tables.files.folder import FolderColumns, FolderFile


def table_of(data: Any) -> Table:
    """The table behind any object that holds one."""
    if isinstance(data, Dataset):
        return _table_of_dataset(data)
    if isinstance(data, np.ndarray):
        return _table_of_array(data)
    if isinstance(data, Mapping):
        return _table_of_mapping(data)
    return _table_of_frame(data)


def _table_of_dataset(data: Dataset) -> Table:
    def column(index: int) -> Column:
        variable = data.schema[index]
        values = list(variable.state_values)
        codes = data.codes[index]
        if not data.is_complete:
            codes = np.where(codes < 0, len(values), codes)
            values.append(None)
        return Column(codes, values, is_declared=True, ordered=variable.ordered)

    return Table(data.schema.names, data.num_rows, column)


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
    are_lists = all(type(column) in (list, tuple) for column in cells)
    if not are_lists:
        for name, column in zip(names, cells, strict=True):
            check_type(f"column {name!r}", column, Sized, "a sequence of values")
    lengths = list(map(len, cells))
    usual = max(Counter(lengths).items(), key=lambda pair: pair[1], default=(0, 0))[0]
    problems = [
        Problem("lengths", f"{length} values where other columns have {usual}", name)
        for name, length in zip(names, lengths, strict=True)
        if length != usual
    ]
    if problems:
        raise DataError(problems)
    return Table(
        names,
        usual,
        lambda index: _column_of_any(cells[index]),
        cells=(lambda: zip(*cells, strict=True)) if are_lists else None,
    )


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
    return column_of_series(series)


def _table_of_frame(data: Any) -> Table:
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    if is_pandas(data):
        return _table_of_pandas(data)
    try:
        frame = nw.from_native(data, eager_only=True)
    except DuplicateError:
        # pyarrow calls the names column_names and the columns themselves columns.
        names = tuple(map(str, getattr(data, "column_names", data.columns)))
        raise DataError(name_problems(names)) from None
    except TypeError:
        frame = nw.from_native(_arrow_table(data), eager_only=True)
    return _table_of_narwhals(tuple(map(str, frame.columns)), len(frame), lambda: frame, frame.rows)


def _table_of_pandas(data: Any) -> Table:
    """A frame of pandas, which narwhals wraps only where a column is read."""
    import narwhals.stable.v2 as nw

    names = tuple(map(str, data.columns.tolist()))
    if len(set(names)) < len(names):
        raise DataError(name_problems(names))

    def frame() -> Any:
        return nw.from_native(data, eager_only=True)

    table = _table_of_narwhals(names, len(data), frame, lambda: pandas_rows(data))
    return replace(table, index=data.index)


def _table_of_narwhals(
    names: tuple[str, ...], num_rows: int, frame: Callable[[], Any], cells: Callable[[], Any]
) -> Table:
    columns: list[Any] = []

    def column(index: int) -> Column:
        # All at once, since to find one by its name takes as long; but only if there is need of any.
        columns.extend([] if columns else frame().iter_columns())
        return column_of_series(columns[index])

    return Table(names, num_rows, column, frame=frame, cells=cells)


def table_of_parquet(path: Path, max_unpacked_mb: int) -> Table:
    """The table in a Parquet file or in a folder of them, of which only a few columns are held at a time."""
    columns = FolderColumns if path.is_dir() else ParquetColumns
    return _table_of_columns(columns(path, max_unpacked_mb), path)


def table_of_row_groups(file: FolderFile, row_groups: Sequence[int], cells_at_once: int) -> Table:
    """The rows of some row groups of a file of a folder, of which about so many cells are held at a time."""
    path = Path(file.path)
    return _table_of_columns(
        ParquetColumns(path, MAX_UNPACKED_MB, row_groups, cells_at_once, file.shared), path
    )


def _table_of_columns(columns: ColumnGroups, path: Path) -> Table:
    import narwhals.stable.v2 as nw

    if problems := name_problems(columns.names):
        raise DataError(problems, str(path))
    return Table(
        columns.names,
        columns.num_rows,
        lambda index: column_of_arrow(columns[index]),
        source=str(path),
        frame=lambda: nw.from_native(columns.whole(), eager_only=True),
    )


def _arrow_table(data: Any) -> Any:
    """The pyarrow table behind an object that offers the Arrow stream and is of no library we know."""
    if not hasattr(data, "__arrow_c_stream__"):
        raise TypeError(_expected(data))
    pyarrow = import_pyarrow()
    try:
        return pyarrow.table(data)
    except pyarrow.ArrowException:
        raise TypeError(_expected(data)) from None


def _expected(data: Any) -> str:
    lazy = "; collect() a lazy frame first" if hasattr(data, "collect") else ""
    return (
        "expected a data frame (pandas, polars, pyarrow), a numpy array, a dict of columns or a path, "
        f"got {type(data).__module__}.{type(data).__qualname__}{lazy}."
    )
