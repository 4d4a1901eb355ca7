"""Parquet, Feather and Arrow IPC files, by way of pyarrow where it is installed.

Read piece by piece, since runs of equal cells, and compression, make millions of cells of a few bytes. What
was read is checked to the last cell before it is used: pyarrow believes offsets and texts that it is given.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from treebound._files import TooLargeError, check_max_unpacked, rejecting_strays, shortened
from treebound.data import DataError, Problem

# All columns of a wide table at once take pyarrow four times as long as in groups, at eight bytes per cell.
_COLUMNS_AT_ONCE = 1000
# Cells of a group: a quarter of a gigabyte where they are integers of eight bytes.
_CELLS_AT_ONCE = 1 << 25
# Cells of Parquet that are unpacked at once, in rows up to as many as pyarrow takes by itself.
_CELLS_PER_BATCH = 1 << 24
_ROWS_PER_BATCH = 1 << 16
# The least that a cell takes in memory is a bit, for a truth value.
_CELLS_PER_BYTE = 8
_FEATHER_1 = b"FEA1"


def import_pyarrow(module: str = "pyarrow") -> Any:
    """Pyarrow or a module of it, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError("this needs pyarrow; install it with: pip install pyarrow") from error


class ColumnGroups:
    """Columns that are read a group at a time, in turn."""

    def __init__(
        self,
        names: tuple[str, ...],
        num_rows: int,
        max_unpacked_mb: int,
        cells_at_once: int = _CELLS_AT_ONCE,
    ) -> None:
        self.names, self.num_rows = names, num_rows
        if num_rows * len(names) > check_max_unpacked(max_unpacked_mb) * _CELLS_PER_BYTE:
            raise TooLargeError(max_unpacked_mb)
        self._columns_at_once = min(_COLUMNS_AT_ONCE, max(1, cells_at_once // max(1, num_rows)))
        self._group: Any = None
        self._first = self._end = 0  # of the group

    def __getitem__(self, index: int) -> Any:
        """The pyarrow array of a column; with the columns next to it unless it has been read with others."""
        if not self._first <= index < self._end:
            self._group, self._end = None, 0  # before the next one is read
            first = index - index % self._columns_at_once
            wanted = self.names[first : first + self._columns_at_once]
            self._group = self.read(wanted)
            self._first, self._end = first, first + len(wanted)
        return self._group.column(self.names[index])

    def whole(self) -> Any:
        """All columns as one pyarrow table."""
        return self.read(self.names)

    def read(self, names: Sequence[str]) -> Any:
        """Some columns as one pyarrow table."""
        raise NotImplementedError


class ParquetColumns(ColumnGroups):
    """The columns of a Parquet file.

    ``row_groups`` are the parts of the file whose rows are read; None means all of them. ``shared`` are
    further columns, each with the value that all rows have; they replace those of the file of the same name.
    """

    def __init__(
        self,
        path: Path,
        max_unpacked_mb: int,
        row_groups: Sequence[int] | None = None,
        cells_at_once: int = _CELLS_AT_ONCE,
        shared: Sequence[tuple[str, Any]] = (),
    ) -> None:
        self._path, self._max_mb, self._row_groups = path, max_unpacked_mb, row_groups
        self._shared = dict(shared)
        with rejecting(path):
            self._file = import_pyarrow("pyarrow.parquet").ParquetFile(path)
            self._schema = self._file.schema_arrow  # made anew by every look at it
            stored = (name for name in self._schema.names if name not in self._shared)
            num_rows = _num_rows(self._file.metadata, row_groups)
            super().__init__((*stored, *self._shared), num_rows, max_unpacked_mb, cells_at_once)

    def read(self, names: Sequence[str]) -> Any:
        """Some columns as one pyarrow table."""
        stored = [name for name in names if name not in self._shared]
        table = self._stored(stored) if stored else None
        pyarrow = import_pyarrow()
        return pyarrow.table(
            {
                name: pyarrow.repeat(self._shared[name], self.num_rows)
                if table is None or name in self._shared
                else table.column(name)
                for name in names
            }
        )

    def _stored(self, names: Sequence[str]) -> Any:
        num_rows = min(_ROWS_PER_BATCH, max(1, _CELLS_PER_BATCH // max(1, len(names))))
        with rejecting(self._path):
            schema = import_pyarrow().schema([self._schema.field(name) for name in names])
            batches = self._file.iter_batches(num_rows, row_groups=self._row_groups, columns=list(names))
            table = _checked_table(batches, schema, self._max_mb)
            if table.num_rows != self.num_rows:
                raise _rejection(self._path, f"it announces {self.num_rows} rows and holds {table.num_rows}")
            return table


def _num_rows(sizes: Any, row_groups: Sequence[int] | None) -> int:
    if row_groups is None:
        return int(sizes.num_rows)
    return sum(int(sizes.row_group(group).num_rows) for group in row_groups)


def read_feather(path: Path, max_unpacked_mb: int) -> Any:
    """The pyarrow table in a Feather or Arrow IPC file."""
    with rejecting(path), import_pyarrow().OSFile(str(path)) as file:
        schema, batches = _open_feather(file)
        return _checked_table(batches, schema, max_unpacked_mb)


@contextmanager
def rejecting(path: Path, fix: str = "") -> Iterator[None]:
    """Turn what pyarrow raises on a bad file into an error that names the file, and what to do about it."""
    pyarrow = import_pyarrow()
    with rejecting_strays(DataError, lambda message: _rejection(path, message, fix)):
        try:
            yield
        except (pyarrow.ArrowException, OSError) as error:
            raise _rejection(path, f"pyarrow cannot read it: {shortened(str(error))}", fix) from error


def _rejection(path: Path, message: str, fix: str = "") -> DataError:
    return DataError([Problem("file", "; ".join(filter(None, [message.removesuffix("."), fix])))], str(path))


def _open_feather(file: Any) -> tuple[Any, Iterable[Any]]:
    if file.read(len(_FEATHER_1)) == _FEATHER_1:  # an old format, which packs nothing
        file.seek(0)
        table = import_pyarrow("pyarrow.feather").read_table(file)
        return table.schema, table.to_batches()
    file.seek(0)
    reader = import_pyarrow("pyarrow.ipc").open_file(file)
    return reader.schema, (reader.get_batch(i) for i in range(reader.num_record_batches))


def _checked_table(batches: Iterable[Any], schema: Any, max_mb: int) -> Any:
    kept = list(_at_most(batches, check_max_unpacked(max_mb), max_mb))
    table = import_pyarrow().Table.from_batches(kept, kept[0].schema if kept else schema)
    table.validate(full=True)
    return table


def _at_most(batches: Iterable[Any], limit: int, max_mb: int) -> Iterator[Any]:
    for batch in batches:
        limit -= batch.nbytes
        if limit < 0:
            raise TooLargeError(max_mb)
        yield batch
