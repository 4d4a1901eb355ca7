"""``treebound inspect``: what is in a table, and what would be done with each of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from treebound.cli._options import JsonOption, table_argument
from treebound.cli._show import exits_at_once, out, print_json, say, styled, usage_errors
from treebound.cli._table_options import Preparing, Reading, taking
from treebound.tables import INSPECTED_HEADINGS, Inspection, inspected_cells
from treebound.tables import inspect as inspect_table

if TYPE_CHECKING:
    from rich.table import Table

_COLOURS = {"refused": "bold red", "dropped": "yellow", "cut": "green", "kept": "default"}


@taking(reading=Reading, preparing=Preparing)
def inspect(
    table: Annotated[Path, table_argument("Table to inspect")],
    json: JsonOption = False,
    *,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Report what each column contains, what looks wrong, and how `treebound learn` will use it.

    Takes the same table options as `treebound learn`. Writes no files.

    **Examples**

    `treebound inspect survey.csv`

    `treebound inspect survey.csv --bins quantile --drop Name --json`
    """
    with usage_errors():
        loading = reading.options | preparing.options
    with exits_at_once():
        found = inspect_table(table, **loading)
    if json:
        print_json(found.to_dict())
        return
    out().print(_columns(found))
    for remark in found.remarks:
        say(f"note: {remark}.")
    for name, words, option in found.advice(on_command=True):
        say(f"{name}: {words}; {option}")
    if not found.is_usable:
        hint = "" if preparing.auto else ", or try --auto"
        say(f"The table cannot be used as it is: add the options above{hint}.")


def _columns(found: Inspection) -> Table:
    from rich.table import Table

    table = Table(title=f"{found.source}: {found.num_rows:,} rows", title_style="bold")
    name, kind, *figures, becomes = INSPECTED_HEADINGS
    table.add_column(name, style="cyan")
    table.add_column(kind)
    for figure in figures:
        table.add_column(figure, justify="right")
    table.add_column(becomes)
    for column in found.columns:
        *facts, becomes = inspected_cells(column)
        table.add_row(*facts, styled(becomes, _COLOURS[column.becomes]))
    return table
