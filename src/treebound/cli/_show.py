"""What the verbs have in common on the terminal: results on stdout, all else on stderr, signals as Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from json import dumps
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import typer

from treebound import _core
from treebound._description import Bar, Cell, Description, Styled, Table, text_of
from treebound._visible import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

INTERRUPTED = 130  # the exit code by which shells know Ctrl-C


def out() -> Console:
    """Return the console for results."""
    from treebound.cli._console import PlainConsole

    return PlainConsole()


def err() -> Console:
    """Return the console for progress and notes, which never mix with results."""
    from treebound.cli._console import PlainConsole

    return PlainConsole(stderr=True)


def say(line: str, style: str | None = None) -> None:
    """Print a line of results, however long."""
    out().print(line, style=style, soft_wrap=True)


def note(line: str) -> None:
    """Print a remark on stderr."""
    err().print(f"note: {line}", soft_wrap=True)


def styled(text: object, style: str) -> Text:
    """Return text with a style; strings have none, since names from data may look like markup."""
    from rich.text import Text

    return Text(visible(text), style=style)


def report(shown: Description | str, *, quiet: bool, json: bool, **data: Any) -> None:
    """Print a result for people, or with ``data`` as one JSON object on one line."""
    if json:
        described = {} if isinstance(shown, str) else shown.to_json()
        print(dumps(described | data, allow_nan=False), flush=True)
    elif not quiet:
        show(shown)


def show(described: Description | str, to: Console | None = None) -> None:
    """Print a description: on stdout, or elsewhere."""
    if isinstance(described, str):
        say(described)
        return
    console = to or out()
    if described.title:
        console.print(described.title, style="bold", soft_wrap=True)
    if described.facts:
        console.print(_facts(described))
    for table in described.tables:
        console.print(rich_table(table))
    for remark in described.notes:
        console.print(f"note: {remark}{'' if remark.endswith('.') else '.'}", soft_wrap=True)


def _facts(described: Description) -> RichTable:
    from rich.table import Table as RichTable

    table = RichTable(show_header=False, min_width=60)
    table.add_column(style="cyan")
    table.add_column(justify="right")
    for fact in described.facts:
        table.add_row(visible(fact.label), styled(fact.text, fact.style))
    return table


def rich_table(table: Table) -> RichTable:
    """Return a table for rich; a chart has neither headings nor lines."""
    from rich.table import Table as RichTable

    is_chart = any(isinstance(cell, Bar) for row in table.rows for cell in row)
    shown = RichTable(show_header=not is_chart)
    if is_chart:
        shown.box = None
    for place, heading in enumerate(table.headings):
        justify: Literal["right", "left"] = "right" if place in table.right else "left"
        shown.add_column(visible(heading), justify=justify, style="" if place else "cyan")
    for row in table.rows:
        shown.add_row(*map(_cell, row))
    if table.left_out:
        shown.add_row(f"and {table.left_out:,} more")
    return shown


def _cell(cell: Cell) -> Text:
    style = cell.style if isinstance(cell, Styled) else "green" if isinstance(cell, Bar) else ""
    return styled(text_of(cell), style)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Show what arguments are rejected for as an error of the command line."""
    try:
        yield
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


@contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """Treat a request to terminate like Ctrl-C, so work in progress is saved."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exits_at_once() -> _core.ExitOnSignals:
    """While nothing is written there is nothing to save: let Ctrl-C and SIGTERM end the process at once.

    Otherwise they take effect only after the current call, and reading a large file may be one call.
    """
    return _core.ExitOnSignals(INTERRUPTED)
