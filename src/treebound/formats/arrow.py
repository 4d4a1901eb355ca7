"""Parquet, Feather and Arrow IPC files, by way of pyarrow where it is installed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from treebound.data._problems import DataError, Problem

# All columns of a wide table at once take pyarrow four times as long as in groups, at eight bytes per cell.
_COLUMNS_AT_ONCE = 1000


def import_pyarrow(module: str = "pyarrow") -> Any:
    """Pyarrow or a module of it, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError("this needs pyarrow; install it with: pip install 'treebound[io]'") from error


class ParquetColumns:
    """The columns of a Parquet file, read a group at a time as they are asked for in turn."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _read(import_pyarrow("pyarrow.parquet").ParquetFile, path)
        self.names = tuple(self._file.schema_arrow.names)
        self.num_rows = int(self._file.metadata.num_rows)
        self._group: Any = None
        self._first = self._end = 0  # of the group

    def __getitem__(self, index: int) -> Any:
        """The pyarrow array of a column; with the columns next to it unless it has been read with others."""
        if not self._first <= index < self._end:
            self._first = index - index % _COLUMNS_AT_ONCE
            self._end = min(self._first + _COLUMNS_AT_ONCE, len(self.names))
            self._group = None  # before the next one is read
            wanted = list(self.names[self._first : self._end])
            self._group = _read(lambda _: self._file.read(columns=wanted), self._path)
        return self._group.column(self.names[index])

    def whole(self) -> Any:
        """All columns as one pyarrow table."""
        return _read(lambda _: self._file.read(), self._path)


def read_feather(path: Path) -> Any:
    """The pyarrow table in a Feather or Arrow IPC file."""
    return _read(import_pyarrow("pyarrow.feather").read_table, path)


def _read(read: Any, path: Path) -> Any:
    pyarrow = import_pyarrow()
    try:
        return read(str(path))
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError([Problem("file", f"pyarrow cannot read it: {error}")], str(path)) from error
