"""``treebound impute``: the missing cells of a table, filled in."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from treebound._budget import Budget
from treebound._visible import counted
from treebound._where import Local
from treebound.cli._evidence_rows import absent_notes
from treebound.cli._options import (
    JsonOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    steps_option,
    time_option,
    treewidth_option,
)
from treebound.cli._query_options import (
    ImpossibleName,
    ImpossibleOption,
    TableOutput,
    UnseenName,
    UnseenOption,
)
from treebound.cli._show import exits_at_once, note, report, usage_errors
from treebound.cli._table_options import Reading, taking
from treebound.data import Schema
from treebound.formats.model_files import load_model
from treebound.formats.network_files import NETWORK_ENDINGS
from treebound.learning import learn, refitted
from treebound.network import Model, fills_of
from treebound.tables import (
    Fills,
    Table,
    can_splice,
    check_table_path,
    encode,
    filled_columns,
    load,
    save_columns,
    save_spliced,
)


class StrategyName(StrEnum):
    """How a row is completed."""

    MOST_PROBABLE = "most-probable"
    DRAW = "draw"
    MULTIPLE = "multiple"


@taking(reading=Reading)
def impute(
    network: Annotated[
        Path,
        typer.Argument(
            metavar="NET_OR_TABLE",
            help=f"Network or mixture ({', '.join(NETWORK_ENDINGS)}) of TABLE; or only a table, from which a "
            "network is learned.",
        ),
    ],
    output: TableOutput,
    table: Annotated[
        Path | None,
        typer.Argument(
            metavar="TABLE",
            help="Table: .csv, .tsv, .txt, .dat (also .gz), .parquet, .feather, .xlsx; - for stdin. Columns "
            "are matched by name.",
        ),
    ] = None,
    strategy: Annotated[
        StrategyName,
        typer.Option(
            help="most-probable: the most probable completion of each row; draw: a random draw given the "
            "rest of the row, which preserves the spread of the data; multiple: several drawn tables, OUT-1, "
            "OUT-2, ..., for multiple imputation."
        ),
    ] = StrategyName.MOST_PROBABLE,
    copies: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="Number of tables for --strategy multiple.")
    ] = 5,
    max_treewidth: Annotated[int | None, treewidth_option("Treewidth limit of the learned network.")] = None,
    time: Annotated[float | None, time_option("Time to learn a network. [default: 60]")] = None,
    steps: Annotated[int | None, steps_option("Number of solver steps to learn a network.")] = None,
    seed: SeedOption = 0,
    unseen: UnseenOption = UnseenName.ERROR,
    impossible: ImpossibleOption = ImpossibleName.RAISE,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
) -> None:
    """Fill in missing values of a table; all other cells and columns stay unchanged.

    From text file to text file, delimiter, quoting, byte order mark and encoding are kept as well.

    **Examples**

    `treebound impute network.json survey.csv -o complete.csv`

    `treebound impute network.json survey.csv -o complete.csv --strategy draw --seed 7`

    `treebound impute survey.csv -o complete.csv --strategy multiple --copies 10 --time 30`
    """
    with usage_errors():
        check_table_path(output)
    if table is None:
        with usage_errors():
            if str(network) == "-":
                raise ValueError("Standard input cannot be read twice; name a file, or pass a network.")
            given = None if time is None and steps is None else Budget(time, steps)
        data = load(network, auto=True, missing="keep", **reading.options)
        learned = learn(
            data,
            max_treewidth,
            budget=given,
            missing="em",
            seed=seed,
            where=Local(threads),
            progress=not (quiet or json),
        )
        model: Model = learned.network
        models: list[Model] = [model]
        if strategy is StrategyName.MULTIPLE:
            models = list(refitted(learned.network, data, copies, seed, threads))
    else:
        with usage_errors():
            if max_treewidth is not None or time is not None or steps is not None:
                raise ValueError("--max-treewidth, --time and --steps apply without a network; drop them.")
        model = load_model(network, **reading.limit)
        models = [model] * (copies if strategy is StrategyName.MULTIPLE else 1)
    source = network if table is None else table
    with exits_at_once():
        opened = reading.open(source, model.schema)
        cells = encode(opened, model.schema, missing="keep", unseen=unseen.value, on_absent="ignore")
        for number, one in enumerate(models):
            fills = fills_of(
                one,
                opened,
                cells,
                strategy="most_probable" if strategy is StrategyName.MOST_PROBABLE else "draw",
                seed=seed + number,
                unseen=unseen.value,
                impossible=impossible.value,
                threads=threads,
            )
            _save(source, opened, fills, _path_of(output, number, strategy), reading)
    rows = opened.num_rows
    is_possible = np.ones(rows, dtype=np.bool_)
    if impossible is ImpossibleName.NAN:
        is_possible = np.isfinite(model.log_likelihood_rows(cells, threads=threads))
    num_filled = _num_missing(opened, model.schema, is_possible)
    if not (quiet or json):
        for message in absent_notes(opened, model.schema):
            note(f"{message}.")
    report(
        f"{output}: {counted(rows, 'row')}, {counted(num_filled, 'cell')} filled in",
        quiet=quiet,
        json=json,
        paths=[str(_path_of(output, number, strategy)) for number in range(len(models))],
        rows=rows,
        impossible_rows=int(np.count_nonzero(~is_possible)),
        filled=num_filled,
        strategy=str(strategy),
    )


def _path_of(output: Path, number: int, strategy: StrategyName) -> Path:
    """The file of one of several tables: its number stands before the ending."""
    if strategy is not StrategyName.MULTIPLE:
        return output
    stem, dot, ending = output.name.partition(".")
    return output.with_name(f"{stem}-{number + 1}{dot}{ending}")


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
