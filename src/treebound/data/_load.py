"""Reading: any table, in memory or in a file, becomes a Dataset."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from treebound._arguments import check_type
from treebound._files import (
    MAX_UNPACKED_MB,
    check_encoding,
    check_exists,
    check_max_unpacked,
    refusing_strays,
)
from treebound.data._dataset import Dataset
from treebound.data._discretise import Rules
from treebound.data._frames import table_of, table_of_parquet
from treebound.data._infer_schema import infer_dataset, infer_schema
from treebound.data._preparation import Preparation
from treebound.data._prepare import Choices, MissingRows
from treebound.data._problems import DataError, Problem, nearest
from treebound.data._schema import Schema
from treebound.data._table import Table
from treebound.data.files import arrow, csv, dat
from treebound.data.files.csv import check_delimiter

_TEXT_ENDINGS = (".csv", ".tsv", ".dat")
_ENDINGS = (*(e + gz for e in _TEXT_ENDINGS for gz in ("", ".gz")), ".parquet", ".feather", ".arrow")


class ReadingOptions(TypedDict, total=False):
    """The options of ``load`` that say how a table is read."""

    na_values: Collection[str] | None
    delimiter: str | None
    encoding: str
    decimal: str
    header: bool
    strip: bool
    max_unpacked_mb: int


class LoadingOptions(ReadingOptions, total=False):
    """All options of ``load``."""

    discretise: Rules
    drop: Collection[str]
    only: Collection[str] | None
    auto: bool
    missing: MissingRows
    max_states: int


# What other libraries call these options.
_ELSEWHERE = {"sep": "delimiter", "usecols": "only", "columns": "only", "bins": "discretise"}
_CHOICES = tuple(field.name for field in fields(Choices))


def load(table: Any, **options: Unpack[LoadingOptions]) -> Dataset:
    """Read a table and encode it.

    ``table`` is a path, a pandas, polars or pyarrow frame, a numpy array, a dict of columns, or what
    ``open_table`` returned.

    ``discretise`` cuts every column of numbers with more distinct values than bins: ``"quantile"``,
    ``"quantile:4"``, ``"width"``, ``"median"``, ``"mdl"``, ``"supervised:target"``, a number of bins or a
    ``Discretise``; or a dict with one of these per column, None to keep a column as it is, and the key None
    for all other columns. Without it numbers that are not whole are refused.

    ``drop`` and ``only`` name columns to leave out or to keep. ``missing="drop"`` leaves out rows that lack a
    value, which are refused otherwise. Columns of more than ``max_states`` (256) states are refused.
    ``auto=True`` applies the safe remedies: keys, constants, copies and mostly missing columns are left out,
    usual marks of missing values, blanks around cells and decimal commas are read as what they are, numbers
    are cut, and rows that lack values are left out as long as half of them stay. What was done is told by
    ``schema.preparation``.

    ``na_values`` lists the texts that stand for a missing value; by default, those are ``""``, ``NA``,
    ``NaN``, ``nan`` and ``null`` in a text file. ``strip=True`` takes blanks away around texts. Of a text
    file, ``encoding`` (UTF-8), ``delimiter`` (found in the first line) and ``decimal`` (``"."`` or ``","``)
    say how it is written, and ``header=False`` that its first line holds no names; the columns are then
    called v0, v1, and so on. A packed file that unpacks to more than ``max_unpacked_mb`` is refused.

    Everything that keeps the table from being used is reported by one ``DataError``.
    """
    choices = choices_of(options)
    return infer_dataset(opened_of(table, options), choices)


def load_schema(table: Any, **options: Unpack[LoadingOptions]) -> Schema:
    """Read the names, states and bins of a table whose rows need not be complete; all else is as in ``load``.

    ``encode_rows`` encodes the rows of such a table.
    """
    choices = choices_of(options)
    return infer_schema(opened_of(table, options), choices)


def choices_of(options: LoadingOptions) -> Choices:
    """The options that say what is done with columns and rows; an option that is not known is refused."""
    known = (*_CHOICES, *ReadingOptions.__annotations__)
    for name in options:
        if name not in known:
            meant = _ELSEWHERE.get(name)
            hint = f"; did you mean {meant!r}?" if meant else nearest(name, known)
            raise TypeError(f"there is no option {name!r}{hint or '.'}")
    return Choices(**{name: value for name, value in options.items() if name in _CHOICES})  # type: ignore[arg-type]


def opened_of(table: Any, options: LoadingOptions) -> Table:
    """The table, opened with those of the options that say how it is read."""
    return open_table(table, **{name: value for name, value in options.items() if name not in _CHOICES})  # type: ignore[arg-type]


def open_table(
    table: Any,
    *,
    na_values: Collection[str] | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    decimal: str = ".",
    header: bool = True,
    strip: bool = False,
    max_unpacked_mb: int = MAX_UNPACKED_MB,
) -> Table:
    """The columns of a table, before anything is known about them; the options are those of ``load``.

    Every function that takes a table takes what this returns, so that files can be read with options
    everywhere, as in ``network.predict(open_table(path, encoding="latin-1"), "target")``.
    """
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
    check_type("header", header, bool, "True or False")
    check_type("strip", strip, bool, "True or False")
    check_type("decimal", decimal, str, "'.' or ','")
    if decimal not in (".", ","):
        raise ValueError(f"decimal must be '.' or ',', got {decimal!r}.")
    written = csv.Written(delimiter, encoding, header, max_unpacked_mb)
    opened = _opened(table, na_values, written)
    return opened.reread(
        na_values=na_values, strip=strip or None, decimal=None if decimal == "." else decimal
    )


def open_like(table: Any, before: Preparation, **reading: Unpack[ReadingOptions]) -> Table:
    """Open a table as an earlier one was read; what is said now goes before what was said then."""
    opened = open_table(table, **reading)
    now = opened.reading
    then = {name: value for name, value in before.reading.items() if name not in now}
    return opened.reread(**then) if then else opened


def _opened(table: Any, na_values: Collection[str] | None, written: csv.Written) -> Table:
    if isinstance(table, Table):
        return table
    if isinstance(table, (str, os.PathLike)):
        path = Path(table).expanduser()
        check_exists(path)
        try:  # every error about what is in a file names the file
            with refusing_strays(DataError, _refusal):
                return _read_file(path, na_values, written)
        except DataError as error:
            raise DataError(error.problems, str(path)) from error
    return table_of(table)


def _refusal(words: str) -> DataError:
    return DataError([Problem("file", words.removesuffix("."))])


def _read_file(path: Path, na_values: Collection[str] | None, written: csv.Written) -> Table:
    ending = "".join(path.suffixes[-2:]).lower() if path.suffix.lower() == ".gz" else path.suffix.lower()
    if ending not in _ENDINGS:
        message = f"unknown ending {path.suffix!r}, expected one of {', '.join(_ENDINGS)}"
        raise DataError([Problem("ending", message)])
    if ending.removesuffix(".gz") == ".dat":
        return dat.read_table(
            path, na_values=na_values, encoding=written.encoding, max_unpacked_mb=written.max_unpacked_mb
        )
    if ending.removesuffix(".gz") in _TEXT_ENDINGS:
        return csv.read_table(path, written)
    if ending == ".parquet":
        opened = table_of_parquet(path, written.max_unpacked_mb)
    else:
        opened = table_of(arrow.read_feather(path, written.max_unpacked_mb))
    return replace(opened, source=str(path))
