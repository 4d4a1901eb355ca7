"""Tables that were read from files, as data frames of a library that is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal

from treebound.data import Schema, domain_of
from treebound.tables._clean_text import with_point
from treebound.tables._table import Table

_LIBRARIES: tuple[Literal["pandas", "polars", "pyarrow"], ...] = ("pandas", "polars", "pyarrow")
_NUMERIC = ("integer", "float", "binned")


def in_installed_library(frame: Any) -> Any:
    """A narwhals frame in pandas, or in polars where pandas is not installed, else as it is."""
    library = installed_library()
    if library == "pandas":
        return frame.to_pandas()
    return frame.to_polars() if library == "polars" else frame.to_native()


def text_frame(columns: Mapping[str, Sequence[str | None]], opened: Table, schema: Schema) -> Any:
    """Columns of a text file as a frame: numbers where all cells are, text as it stands in the file.

    What the schema holds as text stays text. Without a library for frames the columns are a dict of lists.
    """
    typed = {
        name: _typed(cells, opened) if name not in schema or schema[name].kind in _NUMERIC else list(cells)
        for name, cells in columns.items()
    }
    library = installed_library()
    if library is None:
        return typed
    import narwhals.stable.v2 as nw

    return nw.from_dict(typed, backend=library).to_native()


def installed_library() -> Literal["pandas", "polars", "pyarrow"] | None:
    """The library for new frames, None if there is none."""
    return next((library for library in _LIBRARIES if find_spec(library) is not None), None)


def _typed(cells: Sequence[str | None], opened: Table) -> list[Any]:
    distinct = {cell: _meant(cell, opened) for cell in cells if cell is not None}
    domain = domain_of(list(distinct.values()), is_text=True) if distinct else None
    if domain is None or not domain.is_numeric:
        return list(cells)
    numbers = dict(zip(distinct, domain.keys, strict=True))
    return [None if cell is None else numbers[cell] for cell in cells]


def _meant(cell: str, opened: Table) -> str:
    text = cell.strip() if opened.strip else cell
    return with_point(text) if opened.decimal == "," else text
