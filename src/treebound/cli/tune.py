"""``treebound tune``: which bound on the treewidth to take."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from treebound._budget import Budget
from treebound.cli._constraint_options import ConstraintOptions
from treebound.cli._options import (
    JsonOption,
    QuietOption,
    SampleSizeOption,
    ScoreOption,
    SeedOption,
    ThreadsOption,
    requested_score,
    steps_option,
    table_argument,
    time_option,
    treewidth_option,
)
from treebound.cli._show import INTERRUPTED, report, say, termination_as_interrupt, usage_errors
from treebound.cli._table_options import Preparing, Reading, show_preparation, taking
from treebound.plot import check_picture_path, plot_treewidths, save_page
from treebound.resampling import (
    DEFAULT_BUDGET,
    CrossValidation,
    Split,
    Validation,
    choose_treewidth,
)
from treebound.tables import load

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_MOST_BOUNDS = 100


@taking(constraint_options=ConstraintOptions, reading=Reading, preparing=Preparing)
def tune(
    table: Annotated[Path, table_argument("Table to learn from")],
    max_treewidth: Annotated[
        str, treewidth_option("Treewidth limits to try: 1..8 or 1,2,4,8.", "K,...")
    ] = "1..8",
    folds: Annotated[
        int | None,
        typer.Option(
            metavar="F", min=2, help=f"Number of cross-validation folds. [default: {CrossValidation().folds}]"
        ),
    ] = None,
    split: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="Hold out this share of the rows once instead of cross-validating."
        ),
    ] = None,
    time: Annotated[
        float | None,
        time_option(f"Time for each network. [default: {DEFAULT_BUDGET.seconds:.0f}]"),
    ] = None,
    steps: Annotated[
        int | None, steps_option("Solver steps for each network; equal steps and seed give equal networks.")
    ] = None,
    score: ScoreOption = None,
    ess: SampleSizeOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="PICTURE", help="Plot the held-out log-likelihood: .png, .svg, .pdf."),
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    constraint_options: ConstraintOptions,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Learn networks with several treewidth limits and recommend one.

    Recommends the smallest limit whose held-out log-likelihood is within one standard error of the best.
    Ctrl-C chooses among the finished limits (exit code 130).

    **Examples**

    `treebound tune survey.csv -k 1..8 --time 10 --plot curve.png`

    `treebound tune survey.csv -k 2,4,8 --split 0.25 --steps 200 --json`
    """
    with usage_errors():
        bounds = parse_bounds(max_treewidth)
        local_score = requested_score(score, ess)
        if folds is not None and split is not None:
            raise ValueError("pass either --folds or --split, not both.")
        validation = (
            Split(split) if split is not None else CrossValidation(*([] if folds is None else [folds]))
        )
        if time is None and steps is None:
            time = DEFAULT_BUDGET.seconds
        budget = Budget(time, steps)
        if plot is not None:
            check_picture_path(plot)
        loading = reading.options | preparing.options
        known = constraint_options.known
    with termination_as_interrupt():
        data = load(table, **loading)
        if not (quiet or json):
            show_preparation(data.schema.preparation)
            say(_plan(len(set(bounds)), validation, budget))
        choice = choose_treewidth(
            data,
            bounds,
            validation=validation,
            budget=budget,
            score=local_score,
            seed=seed,
            threads=threads,
            progress=not (quiet or json),
            constraints=known,
        )
    if plot is not None:
        ax = plot_treewidths(choice.table, recommended=choice.recommended)
        save_page(cast("Figure", ax.figure), plot)
    report(choice.describe(), quiet=quiet, json=json)
    if choice.was_interrupted:
        raise typer.Exit(INTERRUPTED)


def _plan(num_bounds: int, validation: Validation, budget: Budget) -> str:
    """How many networks will be learned, and how long that takes at most."""
    num_networks = num_bounds * (1 + validation.num_parts)
    if budget.seconds is None:
        return f"{num_networks} networks will be learned."
    minutes = num_networks * budget.seconds / 60
    of_each = f"{num_networks} networks of up to {budget.seconds:g} s"
    return f"{of_each} will be learned: {minutes:.2g} minutes at most."


def parse_bounds(typed: str) -> list[int]:
    """Bounds with commas between; 2..5 stands for 2, 3, 4 and 5."""
    bounds: list[int] = []
    for word in typed.split(","):
        if found := _RANGE.fullmatch(word.strip()):
            first, last = map(int, found.groups())
            if last - first >= _MOST_BOUNDS:
                raise ValueError(f"--max-treewidth takes up to {_MOST_BOUNDS} bounds, got {word!r}.")
            bounds += range(first, last + 1)
        elif word.strip().isdecimal():
            bounds.append(int(word))
        else:
            raise ValueError(f"--max-treewidth takes bounds such as 1..8 or 1,2,4, got {word!r}.")
    if not bounds or min(bounds) < 1:
        raise ValueError(f"--max-treewidth takes bounds from 1 on, got {typed!r}.")
    return bounds
