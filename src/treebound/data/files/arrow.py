"""Parquet, Feather and Arrow IPC files, by way of pyarrow where it is installed.

Read piece by piece, since runs of equal cells, and compression, make millions of cells of a few bytes. What
was read is checked to the last cell before it is used: pyarrow believes offsets and texts that it is given.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from treebound._files import TooLargeError, check_max_unpacked
from treebound.data._problems import DataError, Problem

# Cells of Parquet that are unpacked at once, in rows up to as many as pyarrow takes by itself.
_CELLS_PER_BATCH = 1 << 24
_ROWS_PER_BATCH = 1 << 16
# The least that a cell takes in memory is a bit, for a truth value.
_CELLS_PER_BYTE = 8
_FEATHER_1 = b"FEA1"
_MAX_WORDS = 300


def import_pyarrow(module: str = "pyarrow") -> Any:
    """Pyarrow or a module of it, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError("this needs pyarrow; install it with: pip install 'treebound[io]'") from error


def read_parquet(path: Path, max_unpacked_mb: int) -> Any:
    """The pyarrow table in a Parquet file."""
    return _read(_open_parquet, path, max_unpacked_mb)


def read_feather(path: Path, max_unpacked_mb: int) -> Any:
    """The pyarrow table in a Feather or Arrow IPC file."""
    return _read(_open_feather, path, max_unpacked_mb)


def _read(open_file: Callable[[Any], _Opened], path: Path, max_unpacked_mb: int) -> Any:
    pyarrow = import_pyarrow()
    limit = check_max_unpacked(max_unpacked_mb)
    try:
        with pyarrow.OSFile(str(path)) as file:
            opened = open_file(file)
            if opened.num_rows * len(opened.schema) > limit * _CELLS_PER_BYTE:
                raise TooLargeError(max_unpacked_mb)
            batches = list(_at_most(opened.batches, limit, max_unpacked_mb))
        table = pyarrow.Table.from_batches(batches, opened.schema)
        table.validate(full=True)
    except (pyarrow.ArrowException, OSError) as error:
        message = f"pyarrow cannot read it: {str(error)[:_MAX_WORDS]}"
        raise DataError([Problem("file", message)], str(path)) from error
    return table


class _Opened(NamedTuple):
    schema: Any
    num_rows: int  # as far as they are announced
    batches: Iterable[Any]


def _open_parquet(file: Any) -> _Opened:
    parquet = import_pyarrow("pyarrow.parquet").ParquetFile(file)
    schema = parquet.schema_arrow
    num_rows = min(_ROWS_PER_BATCH, max(1, _CELLS_PER_BATCH // max(1, len(schema))))
    return _Opened(schema, parquet.metadata.num_rows, parquet.iter_batches(num_rows))


def _open_feather(file: Any) -> _Opened:
    if file.read(len(_FEATHER_1)) == _FEATHER_1:  # an old format, which packs nothing
        file.seek(0)
        table = import_pyarrow("pyarrow.feather").read_table(file)
        return _Opened(table.schema, table.num_rows, table.to_batches())
    file.seek(0)
    reader = import_pyarrow("pyarrow.ipc").open_file(file)
    batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
    return _Opened(reader.schema, 0, batches)


def _at_most(batches: Iterable[Any], limit: int, max_mb: int) -> Iterator[Any]:
    for batch in batches:
        limit -= batch.nbytes
        if limit < 0:
            raise TooLargeError(max_mb)
        yield batch
