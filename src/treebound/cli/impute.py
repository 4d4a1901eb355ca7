"""``treebound impute``: the missing cells of a table, filled in."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from treebound.cli._evidence_rows import absent_notes
from treebound.cli._options import JsonOption, QuietOption, ThreadsOption
from treebound.cli._query_options import (
    ImpossibleName,
    ImpossibleOption,
    NetworkArgument,
    TableArgument,
    TableOutput,
    UnseenName,
    UnseenOption,
)
from treebound.cli._show import exits_at_once, note, print_json, say, usage_errors
from treebound.cli._table_options import Reading, taking
from treebound.data import Schema
from treebound.formats.model_files import load_model
from treebound.network import fills_of
from treebound.tables import (
    Fills,
    Table,
    can_splice,
    check_table_path,
    encode,
    filled_columns,
    save_columns,
    save_spliced,
)


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
            help="most-probable: the most probable completion of each row; draw: a random draw given the "
            "rest of the row, which preserves the spread of the data."
        ),
    ] = StrategyName.MOST_PROBABLE,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Random seed.")] = 0,
    unseen: UnseenOption = UnseenName.ERROR,
    impossible: ImpossibleOption = ImpossibleName.RAISE,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
) -> None:
    """Fill in missing values of a table; all other cells and columns stay unchanged.

    If both files are text, delimiter, quotes, byte order mark and encoding stay unchanged, too.

    **Examples**

    `treebound impute network.json survey.csv -o complete.csv`

    `treebound impute network.json survey.csv -o complete.csv --strategy draw --seed 7`
    """
    with usage_errors():
        check_table_path(output)
    how = "draw" if strategy is StrategyName.DRAW else "most_probable"
    with exits_at_once():
        model = load_model(network, **reading.limit)
        opened = reading.open(table, model.schema)
        cells = encode(opened, model.schema, missing="keep", unseen=unseen.value, on_absent="ignore")
        fills = fills_of(
            model,
            opened,
            cells,
            strategy=how,  # type: ignore[arg-type]
            seed=seed,
            unseen=unseen.value,
            impossible=impossible.value,
            threads=threads,
        )
    _save(table, opened, fills, output, reading)
    rows = opened.num_rows
    is_possible = np.ones(rows, dtype=np.bool_)
    if impossible is ImpossibleName.NAN:
        is_possible = np.isfinite(model.log_likelihood_rows(cells, threads=threads))
    num_filled = _num_missing(opened, model.schema, is_possible)
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
        for message in absent_notes(opened, model.schema):
            note(f"{message}.")
        cells_filled = f"{num_filled:,} cell{'' if num_filled == 1 else 's'} filled in"
        say(f"{output}: {rows:,} row{'' if rows == 1 else 's'}, {cells_filled}")


def _save(table: Path, opened: Table, fills: Fills, output: Path, reading: Reading) -> None:
    """Write the table: a text file like the one that was read, if the ending of the output allows it."""
    if not can_splice(opened, output):
        save_columns(filled_columns(opened, fills), output)
        return
    new, written = {}, opened.as_written
    for name, fill in fills.items():
        if name in written.names:  # not the parts of dates
            cells = fill.cells(str).tolist()
            new[written.names.index(name)] = dict(zip(fill.rows.tolist(), cells, strict=True))
    save_spliced(table, written, new, output, **reading.limit)


def _num_missing(opened: Table, schema: Schema, is_counted: NDArray[np.bool_]) -> int:
    """Missing cells in the columns of the file that are in the schema."""
    written = opened.as_written
    columns = (written.read(i) for i, name in enumerate(written.names) if name in schema)
    return sum(int(np.count_nonzero(is_counted[column.missing_rows()])) for column in columns)
