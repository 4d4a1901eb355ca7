"""Parquet, Feather and Arrow IPC files, by way of pyarrow where it is installed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from treebound.data._problems import DataError, Problem


def import_pyarrow(module: str = "pyarrow") -> Any:
    """Pyarrow or a module of it, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError("this needs pyarrow; install it with: pip install 'treebound[io]'") from error


def read_parquet(path: Path) -> Any:
    """The pyarrow table in a Parquet file."""
    return _read(import_pyarrow("pyarrow.parquet").read_table, path)


def read_feather(path: Path) -> Any:
    """The pyarrow table in a Feather or Arrow IPC file."""
    return _read(import_pyarrow("pyarrow.feather").read_table, path)


def _read(read: Any, path: Path) -> Any:
    pyarrow = import_pyarrow()
    try:
        return read(str(path))
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError([Problem("file", f"pyarrow cannot read it: {error}")], str(path)) from error
