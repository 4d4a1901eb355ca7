"""``treebound inspect``: what is in a table, and what would be done with each of its columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from treebound.cli._options import JsonOption, table_argument
from treebound.cli._show import exits_at_once, report, say, usage_errors
from treebound.cli._table_options import Preparing, Reading, taking
from treebound.tables import inspect as inspect_table


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
        if preparing.uses_em:
            loading["missing"] = "keep"
    with exits_at_once():
        found = inspect_table(table, **loading)
    described = found.describe(None)
    report(replace(described, tables=described.tables[:1]), quiet=False, json=json)
    if json:
        return
    if found.num_incomplete and preparing.uses_em:
        say("treebound learn uses rows with missing values by EM.")
    for name, message, option in found.advice(on_command=True):
        say(f"{name}: {message}; {option}")
    if not found.is_usable:
        hint = "" if preparing.auto else ", or try --auto"
        say(f"The table cannot be used as it is: add the options above{hint}.")
