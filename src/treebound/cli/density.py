"""``treebound density``: from a table to a mixture that gives new rows high probability."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treebound._budget import Budget
from treebound.cli._options import (
    JsonOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    output_option,
    steps_option,
    table_argument,
    time_option,
)
from treebound.cli._show import INTERRUPTED, report, say, termination_as_interrupt, usage_errors
from treebound.cli._table_options import Preparing, Reading, show_preparation, taking
from treebound.density import learn_density
from treebound.formats.model_files import check_model_path, save_model
from treebound.learning import DEFAULT_BUDGET
from treebound.tables import load


@taking(reading=Reading, preparing=Preparing)
def density(
    table: Annotated[Path, table_argument("Table to learn from")],
    output: Annotated[Path, output_option("MODEL", "Model to write: .json (also .gz).")],
    valid: Annotated[
        Path | None,
        typer.Option("--valid", metavar="TABLE", help="Held-out table. [default: a tenth of the rows]"),
    ] = None,
    time: Annotated[float | None, time_option(f"Total time. [default: {DEFAULT_BUDGET.seconds:.0f}]")] = None,
    steps: Annotated[
        int | None, steps_option("Training steps; equal steps and seed give equal models.")
    ] = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Learn the joint distribution of all columns as a mixture of networks.

    Trains several kinds of models, weights them on held-out rows and writes one model. query, sample,
    evaluate, predict and impute take it; every result is exact. Missing values are summed out. Ctrl-C ends
    training early and writes the best model so far (exit code 130).

    **Examples**

    `treebound density survey.csv -o model.json --time 600`

    `treebound density train.csv --valid valid.csv -o model.json`
    """
    with usage_errors():
        check_model_path(output)
        budget = DEFAULT_BUDGET if time is None and steps is None else Budget(time, steps)
        loading = reading.options | preparing.options
    with termination_as_interrupt():
        rows = load(table, **({"missing": "keep"} | loading))
        if not (quiet or json):
            show_preparation(rows.schema.preparation)
        result = learn_density(
            rows,
            budget=budget,
            valid=valid,
            seed=seed,
            threads=threads,
            progress=not (quiet or json),
        )
    save_model(result.model, output)
    report(result.describe(), quiet=quiet, json=json, path=str(output))
    if not (quiet or json):
        say(f"{output}: written")
    if result.was_interrupted:
        raise typer.Exit(INTERRUPTED)
