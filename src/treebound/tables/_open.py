"""Open any table, in memory or in a file: its columns, before anything is known about them."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from treebound._arguments import check_type
from treebound._files import check_exists, rejecting_strays
from treebound.data import DataError, DateOrder, Preparation, Problem, check_date_order, nearest, not_found
from treebound.tables._date_parts import check_parts, with_date_parts
from treebound.tables._frames import table_of, table_of_parquet
from treebound.tables._options import READING, ReadingOptions, with_options
from treebound.tables._prepare import check_names, unified_columns
from treebound.tables._table import Table
from treebound.tables.files import arrow, dat, excel
from treebound.tables.files.csv import Written, read_table, table_of_text
from treebound.tables.files.text import STANDARD_INPUT, read_text

_TEXT_ENDINGS = (".csv", ".tsv", ".txt", ".dat")
_ENDINGS = (*(e + gz for e in _TEXT_ENDINGS for gz in ("", ".gz")), ".parquet", ".feather", ".arrow", ".xlsx")


# Those that say how texts are read, wherever they come from.
_TEXTS = ("na_values", "strip", "decimal", "as_numbers", "unify", "date_order", "date_parts")
# What other libraries call these options.
_ELSEWHERE = {
    "sep": "delimiter",
    "usecols": "only",
    "columns": "only",
    "bins": "discretise",
    "skiprows": "skip_rows",
    "dayfirst": "date_order",
    "comment_prefix": "comment",
}


def check_options(options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Reject an option that a function does not take."""
    for name in options:
        if name not in known:
            meant = _ELSEWHERE.get(name)
            hint = f"; did you mean {meant!r}?" if meant in known else nearest(name, list(known))
            raise TypeError(f"there is no option {name!r}{hint or '.'}")


@with_options(READING)
def open_table(table: Any, **options: Unpack[ReadingOptions]) -> Table:
    """The columns of a table, before anything is known about them; the options are those of ``load``.

    Every function that takes a table takes what this returns, so files can be read with options
    everywhere, as in ``network.predict(open_table(path, encoding="latin-1"), "target")``.
    """
    check_options(options, READING)
    written, texts = _split(options)
    return _reread(_opened(table, texts.get("na_values"), Written(**written)), **texts)


def open_like(table: Any, before: Preparation, **reading: Unpack[ReadingOptions]) -> Table:
    """Open a table as an earlier one was read; options given now take precedence.

    The encoding of the earlier one is that of text that is not in UTF-8.
    """
    check_options(reading, READING)
    written, texts = _split(reading)
    encoding = before.reading.encoding
    fallback = None if "encoding" in written or encoding == "utf-8" else encoding
    opened = _opened(table, texts.get("na_values"), Written(**written, fallback=fallback))
    opened = _reread(opened, **texts)
    now = {*opened.reading.to_json(), "encoding", "missing"}
    then = {name: value for name, value in before.reading.to_json().items() if name not in now}
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
    date_order: DateOrder | None = None,
    date_parts: Mapping[str, Collection[str]] | None = None,
) -> Table:
    if isinstance(na_values, str):
        raise TypeError(
            f"na_values must be a collection of strings, such as [{na_values!r}], got {na_values!r}."
        )
    check_type("na_values", na_values, Collection | None, "a collection of texts, or None")
    for value in na_values or ():
        check_type("each of na_values", value, str, "a string")
    check_type("strip", strip, bool, "True or False")
    check_type("decimal", decimal, str, "'.' or ','")
    if decimal not in (".", ","):
        raise ValueError(f"decimal must be '.' or ',', got {decimal!r}.")
    check_date_order(date_order)
    opened = opened.reread(
        na_values=na_values,
        strip=strip or None,
        decimal=None if decimal == "." else decimal,
        date_order=date_order,
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
    if os.fspath(table) == STANDARD_INPUT:
        text = read_text(Path(STANDARD_INPUT), written.encoding, written.max_unpacked_mb, written.fallback)
        return table_of_text(text, written, "standard input").encoded(written.encoding)
    path = Path(table).expanduser()
    if path.is_dir():  # errors name the file in it
        return table_of_parquet(path, written.max_unpacked_mb)
    check_exists(path)
    try:  # every error about what is in a file names the file
        with rejecting_strays(DataError, _rejection):
            return _read_file(path, na_values, written)
    except DataError as error:
        raise DataError(error.problems, str(path)) from error


def _rejection(message: str) -> DataError:
    return DataError([Problem("file", message.removesuffix("."))])


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
