"""``treebound impute``: the missing cells of a table, filled in."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from treebound.cli._asking import (
    ImpossibleName,
    ImpossibleOption,
    NetworkArgument,
    TableArgument,
    TableOutput,
    UnseenName,
    UnseenOption,
)
from treebound.cli._options import JsonOption, QuietOption, ThreadsOption
from treebound.cli._show import exits_at_once, out, print_json, usage_errors
from treebound.cli._table_options import Reading, taking
from treebound.data import Schema, Table, check_table_path, save_columns
from treebound.formats.network_files import load_network


class StrategyName(StrEnum):
    """How a row is completed."""

    MOST_PROBABLE = "most-probable"
    DRAW = "draw"


@taking(reading=Reading)
def impute(
    network: NetworkArgument,
    table: TableArgument,
    output: TableOutput,
    strategy: Annotated[
        StrategyName,
        typer.Option(
            help="most-probable: each row's most probable completion; draw: one drawn given the rest of the "
            "row, which keeps the spread of the data."
        ),
    ] = StrategyName.MOST_PROBABLE,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Seed of the draws.")] = 0,
    unseen: UnseenOption = UnseenName.ERROR,
    impossible: ImpossibleOption = ImpossibleName.RAISE,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
) -> None:
    """Fill in the missing cells of a table; all other cells and columns stay as they are.

    **Examples**

    `treebound impute network.json survey.csv -o complete.csv`

    `treebound impute network.json survey.csv -o complete.csv --strategy draw --seed 7`
    """
    with usage_errors():
        check_table_path(output)
    how = "draw" if strategy is StrategyName.DRAW else "most_probable"
    with exits_at_once():
        asked = load_network(network, **reading.limit)
        opened = reading.open(table, asked.schema)
        columns = asked.impute(
            opened,
            strategy=how,  # type: ignore[arg-type]
            seed=seed,
            unseen=unseen.value,
            impossible=impossible.value,
            threads=threads,
        )
    save_columns(columns, output)
    rows = len(next(iter(columns.values())))
    is_possible = np.ones(rows, dtype=np.bool_)
    if impossible is ImpossibleName.NAN:
        is_possible = np.isfinite(asked.score_samples(opened, unseen=unseen.value, threads=threads))
    num_filled = _num_missing(opened, asked.schema, is_possible)
    if json:
        print_json(
            {
                "path": str(output),
                "rows": rows,
                "impossible_rows": int(np.count_nonzero(~is_possible)),
                "filled": num_filled,
                "strategy": str(strategy),
            }
        )
    elif not quiet:
        out().print(f"{output}: {rows:,} rows, {num_filled:,} cells filled in", soft_wrap=True, markup=False)


def _num_missing(opened: Table, schema: Schema, is_counted: NDArray[np.bool_]) -> int:
    """Cells that some rows lack in columns that the schema has."""
    columns = (opened.read(i) for i, name in enumerate(opened.names) if name in schema)
    return sum(int(np.count_nonzero(is_counted[column.missing_rows()])) for column in columns)
