"""``treebound impute``: the missing cells of a table, filled in."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from treebound.cli._asking import NetworkArgument, TableArgument, UnseenName, UnseenOption
from treebound.cli._options import JsonOption, MissingOption, QuietOption, open_marked
from treebound.cli._show import out, print_json
from treebound.data import TABLE_ENDINGS, Schema, Table, check_table_path, save_columns
from treebound.formats.network_files import load_network


class MethodName(StrEnum):
    """How a row is completed."""

    MOST_PROBABLE = "most-probable"
    DRAW = "draw"


def impute(
    network: NetworkArgument,
    table: TableArgument,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="OUT", help=f"Table to write: {', '.join(TABLE_ENDINGS)}."),
    ],
    method: Annotated[
        MethodName,
        typer.Option(
            help="most-probable: each row's most probable completion; draw: one drawn given the rest of the "
            "row, which keeps the spread of the data."
        ),
    ] = MethodName.MOST_PROBABLE,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Of the draws.")] = 0,
    missing: MissingOption = None,
    unseen: UnseenOption = UnseenName.ERROR,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Fill in the missing cells of a table; all other cells and columns stay as they are.

    **Examples**

    `treebound impute network.json survey.csv -o complete.csv`

    `treebound impute network.json survey.csv -o complete.csv --method draw --seed 7`
    """
    try:
        check_table_path(output)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    asked, opened = load_network(network), open_marked(table, missing)
    how = "draw" if method is MethodName.DRAW else "most_probable"
    columns = asked.impute(opened, method=how, seed=seed, unseen=unseen.value)  # type: ignore[arg-type]
    save_columns(columns, output)
    rows = len(next(iter(columns.values())))
    num_filled = _num_missing(opened, asked.schema)
    if json:
        print_json({"path": str(output), "rows": rows, "filled": num_filled, "method": str(method)})
    elif not quiet:
        out().print(f"{output}: {rows:,} rows, {num_filled:,} cells filled in", soft_wrap=True)


def _num_missing(opened: Table, schema: Schema) -> int:
    return sum(len(opened.read(i).missing_rows()) for i, name in enumerate(opened.names) if name in schema)
