"""Reading: any table, in memory or in a file, becomes a Dataset."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from treebound._arguments import check_type
from treebound._files import MAX_UNPACKED_MB, check_exists, check_max_unpacked, refusing_strays
from treebound.data._dataset import Dataset
from treebound.data._frames import table_of, table_of_parquet
from treebound.data._infer_schema import infer_dataset, infer_schema
from treebound.data._problems import DataError, Problem
from treebound.data._schema import Schema
from treebound.data._table import Table
from treebound.data.files import arrow, csv, dat
from treebound.data.files.csv import check_delimiter
from treebound.data.files.text import check_encoding

if TYPE_CHECKING:
    from treebound.data._discretise import Rules

_TEXT_ENDINGS = (".csv", ".tsv", ".dat")
_ENDINGS = (*(e + gz for e in _TEXT_ENDINGS for gz in ("", ".gz")), ".parquet", ".feather", ".arrow")


class ReadingOptions(TypedDict, total=False):
    """The options of ``load`` that say how a file is read."""

    na_values: Collection[str] | None
    delimiter: str | None
    encoding: str
    max_unpacked_mb: int


def load(
    table: Any,
    *,
    discretise: Rules = None,
    max_states: int = 256,
    na_values: Collection[str] | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    max_unpacked_mb: int = MAX_UNPACKED_MB,
) -> Dataset:
    """Read a table and encode it.

    ``table`` is a path, a pandas, polars or pyarrow frame, a numpy array, or a dict of columns. Columns that
    hold numbers which are not whole, and integers with more than ``max_states`` distinct values, are cut into
    bins by ``discretise``: ``"quantile"``, ``"median"``, ``"width"``, a ``Discretise``, or one of these per
    column. ``na_values`` lists the texts that stand for a missing value; by default, those are ``""``,
    ``NA``, ``NaN``, ``nan`` and ``null`` in a text file. ``delimiter`` and ``encoding`` are those of a text
    file. A packed file that unpacks to more than ``max_unpacked_mb`` is refused.

    Everything that keeps the table from being used is reported by one ``DataError``.
    """
    opened = open_table(
        table, na_values=na_values, delimiter=delimiter, encoding=encoding, max_unpacked_mb=max_unpacked_mb
    )
    return infer_dataset(opened, discretise=discretise, max_states=max_states)


def load_schema(
    table: Any, *, discretise: Rules = None, max_states: int = 256, **reading: Unpack[ReadingOptions]
) -> Schema:
    """Read the names, states and bins of a table whose rows need not be complete; all else is as in ``load``.

    ``encode_rows`` encodes the rows of such a table.
    """
    return infer_schema(open_table(table, **reading), discretise=discretise, max_states=max_states)


def open_table(
    table: Any,
    *,
    na_values: Collection[str] | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    max_unpacked_mb: int = MAX_UNPACKED_MB,
) -> Table:
    """The columns of a table, before anything is known about them."""
    if isinstance(na_values, str):
        raise TypeError(
            f"na_values must be a collection of texts, such as [{na_values!r}], got the text {na_values!r}."
        )
    check_type("na_values", na_values, Collection | None, "a collection of texts, or None")
    for value in na_values or ():
        check_type("each of na_values", value, str, "a text")
    check_max_unpacked(max_unpacked_mb)
    check_delimiter(delimiter)
    check_encoding(encoding)
    if isinstance(table, Table):
        return table
    if isinstance(table, (str, os.PathLike)):
        path = Path(table).expanduser()
        check_exists(path)
        try:  # every error about what is in a file names the file
            with refusing_strays(DataError, _refusal):
                return _read_file(path, na_values, delimiter, encoding, max_unpacked_mb)
        except DataError as error:
            raise DataError(error.problems, str(path)) from error
    return replace(table_of(table), na_values=frozenset(na_values or ()))


def _refusal(words: str) -> DataError:
    return DataError([Problem("file", words.removesuffix("."))])


def _read_file(
    path: Path,
    na_values: Collection[str] | None,
    delimiter: str | None,
    encoding: str,
    max_unpacked_mb: int,
) -> Table:
    ending = "".join(path.suffixes[-2:]).lower() if path.suffix.lower() == ".gz" else path.suffix.lower()
    if ending not in _ENDINGS:
        message = f"unknown ending {path.suffix!r}, expected one of {', '.join(_ENDINGS)}"
        raise DataError([Problem("ending", message)])
    if ending.removesuffix(".gz") == ".dat":
        return dat.read_table(path, na_values=na_values, encoding=encoding, max_unpacked_mb=max_unpacked_mb)
    if ending.removesuffix(".gz") in _TEXT_ENDINGS:
        return csv.read_table(
            path, na_values=na_values, delimiter=delimiter, encoding=encoding, max_unpacked_mb=max_unpacked_mb
        )
    if ending == ".parquet":
        opened = table_of_parquet(path, max_unpacked_mb)
    else:
        opened = table_of(arrow.read_feather(path, max_unpacked_mb))
    return replace(opened, source=str(path), na_values=frozenset(na_values or ()))
