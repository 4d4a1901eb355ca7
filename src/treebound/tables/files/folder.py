"""A folder of Parquet files as one table, found as pyarrow finds a dataset.

Files and folders whose names start with ``_`` or ``.`` are no part of the table: writers keep temporary files
and checkpoints there. Folders such as ``year=2024`` add a column, whose value all files below them share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treebound.data import DataError, Problem
from treebound.tables.files.arrow import ColumnGroups, ParquetColumns, import_pyarrow, rejecting

_NOT_PARQUET = "remove it, or start its name with _ if it is not part of the table"


@dataclass(frozen=True)
class FolderFile:
    """A file of a folder, and the columns that the names of its folders give."""

    path: str
    shared: tuple[tuple[str, int | str | None], ...] = ()

    def row_groups(self) -> tuple[int, list[int]]:
        """The number of columns in the file, and the number of rows of each of its row groups."""
        with rejecting(Path(self.path), _NOT_PARQUET):
            sizes = import_pyarrow("pyarrow.parquet").read_metadata(self.path)
            return sizes.num_columns, [sizes.row_group(i).num_rows for i in range(sizes.num_row_groups)]

    def columns(self, max_unpacked_mb: int) -> ParquetColumns:
        """The columns of the file, with those of its folders."""
        return ParquetColumns(Path(self.path), max_unpacked_mb, shared=self.shared)


def files_of_folder(folder: Path) -> list[FolderFile]:
    """The files of a table, by their names; an error if there are none."""
    dataset, fs = import_pyarrow("pyarrow.dataset"), import_pyarrow("pyarrow.fs")
    with rejecting(folder):
        hive = dataset.HivePartitioning.discover()
        factory = dataset.FileSystemDatasetFactory(
            fs.LocalFileSystem(),
            fs.FileSelector(str(folder), recursive=True),
            dataset.ParquetFileFormat(),
            dataset.FileSystemFactoryOptions(partition_base_dir=str(folder), partitioning=hive),
        )
        schema = factory.inspect(fragments=0)  # of the folders' names; no file is opened
        found = [
            (fragment.path, dataset.get_partition_keys(fragment.partition_expression))
            for fragment in factory.finish(schema).get_fragments()
        ]
    if not found:
        raise DataError(
            [Problem("empty", "expected a folder of Parquet files, found none in it")], str(folder)
        )
    return [
        FolderFile(path, tuple((name, keys.get(name)) for name in schema.names))
        for path, keys in sorted(found, key=lambda file: Path(file[0]))
    ]


class FolderColumns(ColumnGroups):
    """The columns of all files of a folder; a file is open only while it is read."""

    def __init__(self, folder: Path, max_unpacked_mb: int) -> None:
        self._folder, self._max_mb = folder, max_unpacked_mb
        self._files = files_of_folder(folder)
        for file in self._files:
            file.row_groups()  # an error now, where one of them is not Parquet
        names = self._files[0].columns(max_unpacked_mb).names
        num_rows = sum(self._checked_rows(file, names) for file in self._files)
        super().__init__(names, num_rows, max_unpacked_mb)

    def _checked_rows(self, file: FolderFile, names: Sequence[str]) -> int:
        columns = file.columns(self._max_mb)
        absent = [name for name in names if name not in columns.names]
        more = [name for name in columns.names if name not in names]
        problems = [Problem("absent", f"there is none in {file.path}", name) for name in absent]
        problems += [Problem("absent", f"there is none in {self._files[0].path}", name) for name in more]
        if problems:
            raise DataError(problems, str(self._folder))
        return columns.num_rows

    def read(self, names: Sequence[str]) -> Any:
        """Some columns of all files as one pyarrow table; types that differ are widened."""
        tables = [file.columns(self._max_mb).read(names) for file in self._files]
        with rejecting(self._folder):
            return import_pyarrow().concat_tables(tables, promote_options="permissive")
