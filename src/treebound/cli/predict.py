"""``treebound predict``: the most probable value of a column in every row of a table."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from treebound.cli._evidence_rows import evidence_rows
from treebound.cli._options import JsonOption, QuietOption, ThreadsOption
from treebound.cli._query_options import (
    ImpossibleName,
    ImpossibleOption,
    NetworkArgument,
    TableArgument,
    TableOutput,
    UnseenName,
    UnseenOption,
    cells_of,
)
from treebound.cli._show import exits_at_once, report, usage_errors
from treebound.cli._table_options import Reading, taking
from treebound.formats.model_files import load_model
from treebound.network import position_of
from treebound.tables import Table, can_splice, check_table_path, save_columns, written_columns


class ValueName(StrEnum):
    """What is predicted."""

    STATE = "state"
    MEAN = "mean"


@taking(reading=Reading)
def predict(
    network: NetworkArgument,
    table: TableArgument,
    target: Annotated[str, typer.Option("--target", "-t", metavar="NAME", help="Variable to predict.")],
    output: TableOutput,
    value: Annotated[
        ValueName,
        typer.Option(help="state: the most probable state; mean: the expected value of a numeric variable."),
    ] = ValueName.STATE,
    append: Annotated[
        bool,
        typer.Option(
            "--append", help="Keep the columns of TABLE, and append predicted_NAME and the probabilities."
        ),
    ] = False,
    unseen: UnseenOption = UnseenName.ERROR,
    impossible: ImpossibleOption = ImpossibleName.RAISE,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
) -> None:
    """Predict a variable in every row of a table from the other columns.

    OUT has the prediction and a column P(state) for every state. The target column is not used for
    prediction; if present, accuracy is reported.

    **Examples**

    `treebound predict network.json cases.csv -t Income -o predicted.csv`

    `treebound predict network.json cases.csv -t Income -o predicted.csv --append`

    `treebound predict network.json cases.csv -t Income -o predicted.csv --value mean`
    """
    with usage_errors():
        check_table_path(output)
    with exits_at_once():
        model = load_model(network, **reading.limit)
        opened = reading.open(table, model.schema)
        index = position_of(target, model.schema)
        cells = evidence_rows(opened, model.schema, unseen, target)
        weights = model.posterior_rows(index, cells.rows, impossible=impossible.value, threads=threads)
    is_predicted = ~np.isnan(weights[:, 0])
    best = weights.argmax(axis=1)
    variable = model.schema[index]
    if value is ValueName.MEAN:
        predicted = [_short(mean) for mean in variable.expected_numbers(weights).tolist()]
    else:
        predicted = cells_of(variable, best, output)
    made: dict[str, Any] = {f"predicted_{target}" if append else target: predicted}
    made |= {f"P({state})": column for state, column in zip(variable.states, weights.T.tolist(), strict=True)}
    made = {name: _where(is_predicted, column) for name, column in made.items()}
    if append:
        _save_appended(opened, made, output)
    else:
        save_columns(made, output)
    known = cells.rows.codes[index]
    is_known = (known >= 0) & is_predicted
    accuracy = float(np.mean(best[is_known] == known[is_known])) if is_known.any() else None
    if not (quiet or json):
        cells.print_notes()
    known_ones = f"the {is_known.sum():,} rows with a known value"
    measured = "" if accuracy is None else f", accuracy {accuracy:.2%} on {known_ones}"
    report(
        f"{output}: {is_predicted.sum():,} predictions of {target}{measured}",
        quiet=quiet,
        json=json,
        path=str(output),
        rows=len(best),
        impossible_rows=int(np.count_nonzero(~is_predicted)),
        target=target,
        accuracy=accuracy,
        **cells.report,
    )


def _save_appended(opened: Table, made: dict[str, Any], output: Path) -> None:
    """Write the columns of the input and those that were made, with the delimiter of the input."""
    columns = written_columns(opened)
    if twice := [name for name in made if name in columns]:
        raise ValueError(f"the table has columns {', '.join(map(repr, twice))} already; rename them first.")
    save_columns(columns | made, output, opened.delimiter if can_splice(opened, output) else None)


def _short(number: float) -> float:
    """A number without the noise of its last digits."""
    return float(f"{number:.12g}")


def _where(is_predicted: NDArray[np.bool_], cells: list[Any]) -> list[Any]:
    """The cells of rows that have a result, and missing ones elsewhere."""
    return [cell if has_one else None for cell, has_one in zip(cells, is_predicted.tolist(), strict=True)]
