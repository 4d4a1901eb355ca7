"""The first sheet of an Excel workbook, read by python-calamine where it is installed."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from treebound._files import TooLargeError, check_max_unpacked
from treebound.data import DataError, Problem
from treebound.tables._columns_of_arrays import column_of_objects
from treebound.tables._table import Table
from treebound.tables.files.csv import Written


def read_table(path: Path, written: Written) -> Table:
    """The table in a workbook: names in the first row that is not skipped, and no value in empty cells."""
    rows = _rows(path, written.max_unpacked_mb)[written.skip_rows :]
    if not rows:
        raise DataError([Problem("empty", "the first sheet is empty")], str(path))
    width = len(rows[0])
    names = [_name(cell) for cell in rows.pop(0)] if written.header else [f"v{i}" for i in range(width)]
    columns = [[_value(row[index]) for row in rows] for index in range(width)]
    # Formatting leaves empty columns behind.
    used = [i for i in range(width) if names[i] or any(cell is not None for cell in columns[i])]
    return Table(
        tuple(names[i] for i in used),
        len(rows),
        lambda index: column_of_objects(columns[used[index]]),
        source=str(path),
    )


def _rows(path: Path, max_unpacked_mb: int) -> list[list[Any]]:
    try:
        import python_calamine
    except ImportError as error:
        raise ImportError(
            "this needs python-calamine; install it with: pip install python-calamine"
        ) from error
    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > check_max_unpacked(max_unpacked_mb):
            raise TooLargeError(max_unpacked_mb)
    with python_calamine.load_workbook(str(path)) as workbook:
        return workbook.get_sheet_by_index(0).to_python(skip_empty_area=True)


def _name(cell: Any) -> str:
    return str(_value(cell) if cell != "" else "")


def _value(cell: Any) -> Any:
    """A cell as Python knows it; workbooks keep integers as real numbers."""
    if cell == "":
        return None
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
