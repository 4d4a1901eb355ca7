"""``treebound sample``: rows drawn from a network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from treebound.cli._options import (
    JsonOption,
    MaxUnpackedOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    output_option,
    unpacking,
)
from treebound.cli._query_options import EvidenceOption, NetworkArgument, cells_of, evidence_of
from treebound.cli._show import exits_at_once, report, usage_errors
from treebound.data import Dataset
from treebound.formats.model_files import load_model
from treebound.tables import TABLE_ENDINGS, check_table_path, save_columns, save_table, write_columns

_SCREEN = Path("-")


def sample(
    network: NetworkArgument,
    rows: Annotated[int, typer.Option("--rows", "-n", metavar="N", min=0, help="Number of rows to draw.")],
    output: Annotated[
        Path | None,
        output_option("OUT", f"Table to write: {', '.join(TABLE_ENDINGS)}; - prints the rows. [default: -]"),
    ] = None,
    seed: SeedOption = 0,
    evidence: EvidenceOption = None,
    labels: Annotated[
        bool,
        typer.Option(
            "--labels",
            help="Write bin labels, such as [10, 20), instead of numbers.",
        ),
    ] = False,
    threads: ThreadsOption = None,
    max_unpacked_mb: MaxUnpackedOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Sample rows from a network, optionally given evidence.

    Binned columns are written as numbers, drawn from the values in each bin.

    **Examples**

    `treebound sample network.json -n 5`

    `treebound sample network.json -n 1000 -o rows.csv`

    `treebound sample network.json -n 1000 -o rows.parquet -e Age=old --seed 7`
    """
    output = None if output == _SCREEN else output
    with usage_errors():
        if output is not None:
            check_table_path(output)
        elif json:
            raise ValueError("--json needs an output file; add --output.")
    with exits_at_once():
        model = load_model(network, **unpacking(max_unpacked_mb))
        known = evidence_of(evidence, model.schema)
        drawn = model.sample(rows, seed, known, threads=threads)
    has_labels = labels or all(variable.edges is None for variable in drawn.schema)
    if output is None:
        write_columns(_columns(drawn, _SCREEN, has_labels), sys.stdout.buffer)
        return
    if has_labels:
        save_table(drawn, output)
    else:
        save_columns(_columns(drawn, output, has_labels), output)
    variables = len(model.schema)
    sentence = f"{output}: {rows:,} rows of {variables:,} variables"
    report(sentence, quiet=quiet, json=json, path=str(output), rows=rows, variables=variables, seed=seed)


def _columns(drawn: Dataset, output: Path, has_labels: bool) -> dict[str, list[Any]]:
    """The columns; bins as numbers, unless labels are wanted, and all else as a table of samples has it."""
    numbers = {} if has_labels else drawn.to_dict()
    return {
        variable.name: cells_of(variable, codes, output)
        if has_labels or variable.edges is None
        else [_number(number, is_whole=variable.is_whole) for number in numbers[variable.name].tolist()]
        for variable, codes in zip(drawn.schema, drawn.codes, strict=True)
    }


def _number(number: float, *, is_whole: bool) -> float | None:
    """A number as a table has it; NaN, which makes a column of integers one of floats, is a missing cell."""
    if number != number:
        return None
    return int(number) if is_whole else number
