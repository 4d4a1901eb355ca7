"""The options of tables, declared once: how a table is read, and what is done with its columns and rows.

A verb that is decorated with ``taking`` has all options of these records, and gets the records.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from treebound.cli._options import MaxUnpackedOption, unpacking
from treebound.cli._show import err, show
from treebound.data import DEFAULT_BINS, KEEP, MAX_STATES, Discretise, Preparation, Schema
from treebound.tables import DATE_PARTS, Table, open_rows, open_table

if TYPE_CHECKING:
    pass


class DateOrderName(StrEnum):
    """What comes first in a date."""

    DAY = "dmy"
    MONTH = "mdy"


class MissingName(StrEnum):
    """What happens to rows with missing values."""

    ERROR = "error"
    DROP = "drop"
    KEEP = "keep"
    EM = "em"


MissingOption = Annotated[
    MissingName | None,
    typer.Option(
        "--missing",
        help="Rows with missing values: raise an error, drop them, keep them, or use them by EM (em: learn "
        "and fit only). [default: error]",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a table is read; options that are not given are left to the reader."""

    na_values: Annotated[
        list[str] | None,
        typer.Option(
            "--na-values",
            metavar="TEXT",
            help="Missing-value marker (repeatable). [default: empty, NA, NaN, nan, null]",
        ),
    ] = None
    delimiter: Annotated[
        str | None,
        typer.Option("--delimiter", metavar="CHAR", help="Column delimiter, or tab. [default: detected]"),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option("--encoding", metavar="NAME", help="Text encoding. [default: utf-8]"),
    ] = None
    decimal: Annotated[
        str | None,
        typer.Option("--decimal", metavar="CHAR", help="Decimal separator: . or , [default: .]"),
    ] = None
    as_number: Annotated[
        list[str] | None,
        typer.Option(
            "--as-number",
            metavar="NAME",
            help="Read 1,200 or $5 or 12% in this column as numbers (repeatable).",
        ),
    ] = None
    unify: Annotated[
        list[str] | None,
        typer.Option(
            "--unify",
            metavar="NAME",
            help="Ignore case in this column; read y, n, t, f as yes, no, true, false (repeatable).",
        ),
    ] = None
    date_order: Annotated[
        DateOrderName | None,
        typer.Option(
            "--date-order",
            metavar="ORDER",
            help="Read dates such as 5/6/2024 with the day (dmy) or the month (mdy) first.",
        ),
    ] = None
    date_parts: Annotated[
        list[str] | None,
        typer.Option(
            "--date-parts",
            metavar="NAME",
            help="Replace a column of dates by its year, month and weekday, or some of them, as in "
            "day=month,weekday (repeatable).",
        ),
    ] = None
    no_header: Annotated[
        bool,
        typer.Option("--no-header", help="Treat the first line as data; columns are named v0, v1, ..."),
    ] = False
    skip_rows: Annotated[
        int | None,
        typer.Option("--skip-rows", metavar="N", min=0, help="Skip the first N lines of the file."),
    ] = None
    comment: Annotated[
        str | None,
        typer.Option("--comment", metavar="CHAR", help="Skip lines that start with this character."),
    ] = None
    strip: Annotated[bool, typer.Option("--strip", help="Strip whitespace around names and values.")] = False
    max_unpacked_mb: MaxUnpackedOption = None

    @property
    def options(self) -> dict[str, Any]:
        """The options that were given, as ``open_table`` takes them."""
        given: dict[str, Any] = {
            "na_values": self.na_values or None,
            "delimiter": "\t" if self.delimiter in ("tab", r"\t") else self.delimiter,
            "encoding": self.encoding,
            "decimal": self.decimal,
            "as_numbers": self.as_number or None,
            "unify": self.unify or None,
            "date_order": None if self.date_order is None else self.date_order.value,
            "date_parts": _date_parts(self.date_parts) if self.date_parts else None,
            "header": False if self.no_header else None,
            "skip_rows": self.skip_rows,
            "comment": self.comment,
            "strip": self.strip or None,
        }
        given = {name: value for name, value in given.items() if value is not None}
        return given | self.limit

    @property
    def limit(self) -> dict[str, Any]:
        """The limit of packed files alone, for files that are no tables."""
        return unpacking(self.max_unpacked_mb)

    def open(self, path: Path, schema: Schema | None = None) -> Table:
        """The columns of a file, read as those that a schema comes from where nothing else is given."""
        return open_table(path, **self.options) if schema is None else open_rows(path, schema, **self.options)


@dataclass(frozen=True, kw_only=True)
class Preparing:
    """What is done with the columns and rows of a table before anything is learned from it."""

    bins: Annotated[
        list[str] | None,
        typer.Option(
            "--bins",
            metavar="RULE",
            help="Bin all numeric columns, or one with NAME=RULE (repeatable). RULE: a number of bins, "
            "quantile, width, median (quantile:4 for 4 bins), mdl, supervised:TARGET, edges:18,30,65 or "
            f"keep. Without a number, {DEFAULT_BINS} bins. [default: reject non-integer numbers]",
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        typer.Option("--drop", metavar="NAME", help="Drop this column (repeatable)."),
    ] = None
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="Use only this column (repeatable)."),
    ] = None
    missing: MissingOption = None
    missing_state: Annotated[
        list[str] | None,
        typer.Option(
            "--missing-state",
            metavar="NAME",
            help="Treat missing cells of this column as a state of its own, '(missing)' (repeatable; '*' for "
            "all columns with missing values).",
        ),
    ] = None
    max_states: Annotated[
        int | None,
        typer.Option(
            "--max-states",
            metavar="N",
            min=2,
            max=MAX_STATES,
            help="Reject columns with more states. [default: 256]",
        ),
    ] = None
    auto: Annotated[
        bool,
        typer.Option(
            "--auto",
            help="Fix common problems and report each fix: drop ID, constant, duplicate and empty columns, "
            "recognise missing-value markers, bin numbers, split dates, drop rows with missing values (learn "
            "uses them by EM).",
        ),
    ] = False

    @property
    def options(self) -> dict[str, Any]:
        """The options that were given, as ``load`` takes them."""
        given: dict[str, Any] = {
            "discretise": _rules(self.bins) if self.bins else None,
            "drop": self.drop or None,
            "only": self.only or None,
            "missing": _missing_of(self.missing),
            "missing_state": True if "*" in (self.missing_state or ()) else self.missing_state or None,
            "max_states": self.max_states,
            "auto": self.auto or None,
        }
        return {name: value for name, value in given.items() if value is not None}

    @property
    def uses_em(self) -> bool:
        """Whether ``learn`` uses incomplete rows by EM: on request, or with --auto."""
        return self.missing is MissingName.EM or (self.missing is None and self.auto)


def _missing_of(missing: MissingName | None) -> str | None:
    """The choice as ``load`` takes it: EM needs all rows."""
    if missing is None:
        return None
    return "keep" if missing is MissingName.EM else missing.value


def _date_parts(typed: list[str]) -> dict[str, list[str]]:
    """Parts of dates by column, all of them where none are named."""
    split = [word.rpartition("=") if "=" in word else (word, "", ",".join(DATE_PARTS)) for word in typed]
    return {name: parts.split(",") for name, _, parts in split}


def _rules(typed: list[str]) -> dict[str | None, Discretise | None]:
    """Rules by column, None for all others; a name may hold the sign = itself."""
    rules: dict[str | None, Discretise | None] = {}
    for word in typed:
        name, equals, rule = _split_rule(word)
        if equals and not name:
            raise ValueError(f"--bins must read RULE or NAME=RULE, got {word!r}.")
        key = name if equals else None
        if key in rules:
            whose = "all columns" if key is None else repr(key)
            raise ValueError(f"--bins must be given once for {whose}, got it again in {word!r}.")
        rules[key] = None if rule == KEEP else Discretise.of(rule)
    return rules


def _split_rule(word: str) -> tuple[str, str, str]:
    """The name, the sign = and the rule; the target of supervised bins may hold the sign itself too."""
    name, sign, target = word.rpartition("supervised:")
    if sign and (not name or name.endswith("=")):
        return name.removesuffix("="), name[-1:], sign + target
    return word.rpartition("=")


def taking(**records: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a verb the options of records; it gets each record by the name that it has here."""

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(verb, eval_str=True)
        added = {name: _parameters(record) for name, record in records.items()}

        @wraps(verb)
        def run(**given: Any) -> None:
            made = {
                name: record(**{option: given.pop(option) for option in added[name]})
                for name, record in records.items()
            }
            verb(**given, **made)

        mine = [parameter for parameter in own.parameters.values() if parameter.name not in records]
        # The options of all verbs come last, in the help too.
        is_common = [parameter.name in ("quiet", "json") for parameter in mine]
        first = [parameter for parameter, last in zip(mine, is_common, strict=True) if not last]
        last = [parameter for parameter, is_last in zip(mine, is_common, strict=True) if is_last]
        between = [parameter for parameters in added.values() for parameter in parameters.values()]
        ordered = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*first, *between, *last)
        ]
        run.__signature__ = own.replace(parameters=ordered)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
        return run

    return decorate


def _parameters(record: type) -> dict[str, inspect.Parameter]:
    hints = get_type_hints(record, include_extras=True)
    for field in fields(record):
        hints[field.name].__metadata__[0].rich_help_panel = getattr(record, "PANEL", "Table")
    return {
        field.name: inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(record)
    }


def options_given(*records: Any) -> list[str]:
    """The options of records that were given, in words; the limit of packed files is for all files."""
    return [
        "--" + field.name.replace("_", "-")
        for record in records
        for field in fields(record)
        if field.name != "max_unpacked_mb" and getattr(record, field.name) not in (field.default, [])
    ]


def show_preparation(done: Preparation) -> None:
    """Print what was done with a table, if anything was."""
    show(done.describe(), to=err())
