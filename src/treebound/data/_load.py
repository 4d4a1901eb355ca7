"""Reading: any table, in memory or in a file, becomes a Dataset."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Unpack

from treebound._arguments import check_type
from treebound._files import check_exists, refusing_strays
from treebound.data._dataset import Dataset
from treebound.data._date_parts import check_parts, with_date_parts
from treebound.data._frames import table_of, table_of_parquet
from treebound.data._infer_schema import infer_dataset, infer_schema
from treebound.data._options import READING, LoadingOptions, ReadingOptions, with_options
from treebound.data._preparation import Preparation
from treebound.data._prepare import Choices, check_names, unified_columns
from treebound.data._problems import DataError, Problem, nearest, not_found
from treebound.data._schema import Schema
from treebound.data._table import Table
from treebound.data.files import arrow, dat, excel
from treebound.data.files.csv import Written, read_table, table_of_text
from treebound.data.files.text import standard_input, to_utf8

_TEXT_ENDINGS = (".csv", ".tsv", ".txt", ".dat")
_ENDINGS = (*(e + gz for e in _TEXT_ENDINGS for gz in ("", ".gz")), ".parquet", ".feather", ".arrow", ".xlsx")
_STDIN = "-"


# Those that say how texts are read, wherever they come from.
_TEXTS = ("na_values", "strip", "decimal", "as_numbers", "unify", "date_parts")
# What other libraries call these options.
_ELSEWHERE = {
    "sep": "delimiter",
    "usecols": "only",
    "columns": "only",
    "bins": "discretise",
    "skiprows": "skip_rows",
    "comment_prefix": "comment",
}
_CHOICES = {field.name: field.default for field in fields(Choices)}
LOADING = READING | _CHOICES


@with_options(LOADING)
def load(table: Any, **options: Unpack[LoadingOptions]) -> Dataset:
    """Read a table and encode it.

    Parameters
    ----------
    table : path, frame, array, dict or Table
        A file, a pandas, polars or pyarrow frame, a numpy array, a dict of columns, or the result of
        ``treebound.data.open_table``. The path ``"-"`` is standard input.
    na_values : collection of str, optional
        Missing-value markers. By default ``""``, ``NA``, ``NaN``, ``nan`` and ``null`` in a text file.
    delimiter : str, optional
        Character between the cells of a text file. By default it is found in the first line.
    encoding : str
        Encoding of a text file.
    decimal : {".", ","}
        Decimal separator.
    as_numbers : collection of str
        Columns whose strings are numbers with thousands separators, percent or currency characters.
    unify : collection of str
        Columns whose strings differ in case only, or spell booleans in several ways; they get one spelling.
    date_parts : mapping, optional
        Parts that replace a date column: ``{"day": ["year", "month"]}`` makes ``day.year`` and ``day.month``.
    header : bool
        Whether the first line of a text file holds the names. Without names, columns are called v0, v1, ...
    skip_rows : int
        Number of lines to skip at the start of a text file.
    comment : str, optional
        Skip lines that start with this character.
    strip : bool
        Remove whitespace around strings.
    max_unpacked_mb : int
        Reject compressed files that unpack to more than this.
    discretise : str, int, Discretise, mapping or None
        Bin numeric columns with more distinct values than bins: ``"quantile"``, ``"quantile:4"``,
        ``"width"``, ``"median"``, ``"mdl"``, ``"supervised:target"``, a number of bins or a ``Discretise``. A
        mapping has one of these per column, None to keep a column, and the key None for all other columns.
    drop : collection of str
        Columns to drop.
    only : collection of str, optional
        Columns to keep.
    auto : bool
        Fix common problems: drop ID, constant, duplicate and mostly empty columns, recognise missing-value
        markers, whitespace and decimal commas, bin numbers, and drop rows with missing values as long as half
        of the rows stay. ``dataset.schema.preparation`` lists what was done.
    missing : {"error", "drop"}
        What to do with rows that have missing values.
    max_states : int
        Reject columns with more states.

    Returns
    -------
    Dataset
        The encoded rows with their schema.

    Raises
    ------
    DataError
        If the table cannot be used. One error lists every affected column and how to fix it.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> import treebound as tb
    >>> data = tb.load({"rain": ["no", "yes", "no"], "wet": ["no", "yes", "yes"]})
    >>> data.num_rows, data.schema["wet"].states
    (3, ('no', 'yes'))
    """
    choices = choices_of(options)
    return infer_dataset(opened_of(table, options), choices)


@with_options(LOADING)
def load_schema(table: Any, **options: Unpack[LoadingOptions]) -> Schema:
    """Read the names, states and bins of a table whose rows need not be complete; all else is as in ``load``.

    ``encode_rows`` encodes the rows of such a table.
    """
    choices = choices_of(options)
    return infer_schema(opened_of(table, options), choices)


def choices_of(options: LoadingOptions) -> Choices:
    """Return the options for columns and rows, and reject an unknown option."""
    check_options(options, LOADING)
    return Choices(**{name: value for name, value in options.items() if name in _CHOICES})  # type: ignore[arg-type]


def check_options(options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Reject an option that a function does not take."""
    for name in options:
        if name not in known:
            meant = _ELSEWHERE.get(name)
            hint = f"; did you mean {meant!r}?" if meant in known else nearest(name, list(known))
            raise TypeError(f"there is no option {name!r}{hint or '.'}")


def opened_of(table: Any, options: LoadingOptions) -> Table:
    """The table, opened with those of the options that say how it is read."""
    return open_table(table, **{name: value for name, value in options.items() if name not in _CHOICES})  # type: ignore[arg-type]


@with_options(READING)
def open_table(table: Any, **options: Unpack[ReadingOptions]) -> Table:
    """The columns of a table, before anything is known about them; the options are those of ``load``.

    Every function that takes a table takes what this returns, so that files can be read with options
    everywhere, as in ``network.predict(open_table(path, encoding="latin-1"), "target")``.
    """
    check_options(options, READING)
    written, texts = _split(options)
    return _reread(_opened(table, texts.get("na_values"), Written(**written)), **texts)


def open_like(table: Any, before: Preparation, **reading: Unpack[ReadingOptions]) -> Table:
    """Open a table as an earlier one was read; what is said now goes before what was said then.

    The encoding of the earlier one is that of text that is not in UTF-8.
    """
    check_options(reading, READING)
    written, texts = _split(reading)
    fallback = None if "encoding" in written else before.reading.get("encoding")
    opened = _opened(table, texts.get("na_values"), Written(**written, fallback=fallback))
    opened = _reread(opened, **texts)
    now = {*opened.reading, "encoding"}
    then = {name: value for name, value in before.reading.items() if name not in now}
    parts = then.pop("date_parts", None)
    return _with_parts(opened.reread(**then) if then else opened, parts)


def _split(options: ReadingOptions) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of text files, and those of texts wherever they come from."""
    given: dict[str, Any] = {**options}
    texts = {name: given.pop(name) for name in _TEXTS if name in given}
    return given, texts


def _reread(
    opened: Table,
    *,
    na_values: Collection[str] | None = None,
    strip: bool = False,
    decimal: str = ".",
    as_numbers: Collection[str] = (),
    unify: Collection[str] = (),
    date_parts: Mapping[str, Collection[str]] | None = None,
) -> Table:
    if isinstance(na_values, str):
        raise TypeError(
            f"na_values must be a collection of texts, such as [{na_values!r}], got the text {na_values!r}."
        )
    check_type("na_values", na_values, Collection | None, "a collection of texts, or None")
    for value in na_values or ():
        check_type("each of na_values", value, str, "a text")
    check_type("strip", strip, bool, "True or False")
    check_type("decimal", decimal, str, "'.' or ','")
    if decimal not in (".", ","):
        raise ValueError(f"decimal must be '.' or ',', got {decimal!r}.")
    opened = opened.reread(
        na_values=na_values, strip=strip or None, decimal=None if decimal == "." else decimal
    )
    check_parts(date_parts or {})
    for option, names in (
        ("as_numbers", as_numbers),
        ("unify", unify),
        ("date_parts", list(date_parts or ())),
    ):
        check_names(option, names)
        if unknown := not_found("no such column", names, opened.names):
            raise DataError(unknown, opened.source)
    opened = opened.reread(as_numbers=as_numbers or None, unify=unified_columns(opened, unify) or None)
    return _with_parts(opened, date_parts)


def _with_parts(opened: Table, date_parts: Mapping[str, Collection[str]] | None) -> Table:
    if not date_parts:
        return opened
    return replace(with_date_parts(opened, date_parts), date_parts=date_parts)


def _opened(table: Any, na_values: Collection[str] | None, written: Written) -> Table:
    if isinstance(table, Table):
        return table
    if not isinstance(table, (str, os.PathLike)):
        return table_of(table)
    if os.fspath(table) == _STDIN:
        text = to_utf8(standard_input(), written.encoding, "standard input", written.fallback)
        return table_of_text(text, written, "standard input").encoded(written.encoding)
    path = Path(table).expanduser()
    if path.is_dir():  # errors name the file in it
        return table_of_parquet(path, written.max_unpacked_mb)
    check_exists(path)
    try:  # every error about what is in a file names the file
        with refusing_strays(DataError, _refusal):
            return _read_file(path, na_values, written)
    except DataError as error:
        raise DataError(error.problems, str(path)) from error


def _refusal(words: str) -> DataError:
    return DataError([Problem("file", words.removesuffix("."))])


def _read_file(path: Path, na_values: Collection[str] | None, written: Written) -> Table:
    ending = "".join(path.suffixes[-2:]).lower() if path.suffix.lower() == ".gz" else path.suffix.lower()
    if ending not in _ENDINGS:
        message = f"unknown ending {path.suffix!r}, expected one of {', '.join(_ENDINGS)}"
        raise DataError([Problem("ending", message)])
    if ending.removesuffix(".gz") == ".dat":
        return dat.read_table(path, na_values=na_values, written=written).encoded(written.encoding)
    if ending.removesuffix(".gz") in _TEXT_ENDINGS:
        return read_table(path, written).encoded(written.encoding)
    if ending == ".xlsx":
        return excel.read_table(path, written)
    if ending == ".parquet":
        return table_of_parquet(path, written.max_unpacked_mb)
    return replace(table_of(arrow.read_feather(path, written.max_unpacked_mb)), source=str(path))
