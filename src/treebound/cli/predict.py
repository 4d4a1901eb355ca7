"""``treebound predict``: the most probable value of a column in every row of a table."""

from __future__ import annotations

from typing import Annotated, Any

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
    cells_of,
)
from treebound.cli._known_cells import known_cells
from treebound.cli._options import JsonOption, QuietOption, ThreadsOption
from treebound.cli._show import exits_at_once, out, print_json, usage_errors
from treebound.cli._table_options import Reading, taking
from treebound.data import check_table_path, save_columns
from treebound.formats.network_files import load_network
from treebound.network import position_of


@taking(reading=Reading)
def predict(
    network: NetworkArgument,
    table: TableArgument,
    target: Annotated[
        str, typer.Option("--target", "-t", metavar="NAME", help="Variable to predict from the others.")
    ],
    output: TableOutput,
    unseen: UnseenOption = UnseenName.ERROR,
    impossible: ImpossibleOption = ImpossibleName.RAISE,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
) -> None:
    """Predict one variable in every row of a table, given the rest of the row.

    OUT has the prediction and a column P(state) for every state. The target's own column is not looked at,
    except that the share of right predictions is told where the table has it.

    **Example**

    `treebound predict network.json cases.csv -t Income -o predicted.csv`
    """
    with usage_errors():
        check_table_path(output)
    with exits_at_once():
        asked = load_network(network, **reading.limit)
        opened = reading.open(table, asked.schema)
        index = position_of(target, asked.schema)
        cells = known_cells(opened, asked.schema, unseen, target)
        weights = asked.junction_tree.posterior_rows(
            index, cells.codes, impossible=impossible.value, threads=threads
        )
    is_answered = ~np.isnan(weights[:, 0])
    best = weights.argmax(axis=1)
    variable = asked.schema[index]
    columns: dict[str, Any] = {target: cells_of(variable, best, output)}
    columns |= {
        f"P({state})": column for state, column in zip(variable.states, weights.T.tolist(), strict=True)
    }
    save_columns({name: _where(is_answered, cells) for name, cells in columns.items()}, output)
    known = cells.codes[index]
    is_known = (known >= 0) & is_answered
    accuracy = float(np.mean(best[is_known] == known[is_known])) if is_known.any() else None
    if json:
        num_impossible = int(np.count_nonzero(~is_answered))
        print_json(
            {
                "path": str(output),
                "rows": len(best),
                "impossible_rows": num_impossible,
                "target": target,
                "accuracy": accuracy,
            }
            | cells.report
        )
    elif not quiet:
        cells.note()
        right = (
            "" if accuracy is None else f", {accuracy:.2%} right of the {is_known.sum():,} rows that have one"
        )
        out().print(
            f"{output}: {is_answered.sum():,} predictions of {target}{right}", soft_wrap=True, markup=False
        )


def _where(is_answered: NDArray[np.bool_], cells: list[Any]) -> list[Any]:
    """The cells of rows that have an answer, and missing ones elsewhere."""
    return [cell if has_one else None for cell, has_one in zip(cells, is_answered.tolist(), strict=True)]
