"""``treebound inspect``: what is in a table, and what would be done with each of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from treebound.cli._options import JsonOption, table_argument
from treebound.cli._show import exits_at_once, out, print_json, usage_errors
from treebound.cli._table_options import Preparing, Reading, taking
from treebound.data import Inspection, inspected_cells
from treebound.data import inspect as inspect_table

if TYPE_CHECKING:
    from rich.table import Table

_COLOURS = {"refused": "bold red", "dropped": "yellow", "cut": "green", "kept": "default"}


@taking(reading=Reading, preparing=Preparing)
def inspect(
    table: Annotated[Path, table_argument("Table to look at")],
    json: JsonOption = False,
    *,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Look at a table: what its columns hold, what is odd about them, and what will be done with each.

    The options are those with which `treebound learn` and `treebound score` read a table, and mean the same.
    Nothing is written.

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
        out().print(f"note: {remark}.", markup=False, soft_wrap=True)
    for name, words, option in found.advice(on_command=True):
        out().print(f"{name}: {words}; {option}", markup=False, soft_wrap=True)
    if not found.is_usable:
        hint = "" if preparing.auto else ", or see what --auto does with it"
        out().print(
            f"The table cannot be learned from like this: use the options above{hint}.", soft_wrap=True
        )


def _columns(found: Inspection) -> Table:
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=f"{found.source}: {found.num_rows:,} rows", title_style="bold")
    for heading in ("column", "kind"):
        table.add_column(heading, style="cyan" if heading == "column" else None)
    for heading in ("values", "missing", "entropy"):
        table.add_column(heading, justify="right")
    table.add_column("becomes")
    for column in found.columns:
        *facts, becomes = map(escape, inspected_cells(column))
        table.add_row(*facts, f"[{_COLOURS[column.becomes]}]{becomes}[/]")
    return table
