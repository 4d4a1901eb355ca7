"""``treebound learn``: from a table to a network of bounded treewidth, or from a cache to its structure."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from treebound._budget import Budget
from treebound._phases import peak_memory_mb
from treebound.cli._cluster import SchedulerOption, WorkersOption, requested_place
from treebound.cli._constraint_options import ConstraintOptions
from treebound.cli._learn_output import LearnOutput
from treebound.cli._memory_options import MemoryOption, report_estimate
from treebound.cli._options import (
    HiddenOption,
    JsonOption,
    QuietOption,
    SampleSizeOption,
    ScoreOption,
    SeedOption,
    ThreadsOption,
    output_option,
    requested_hidden,
    requested_score,
    steps_option,
    time_option,
    treewidth_option,
)
from treebound.cli._show import (
    INTERRUPTED,
    note,
    report,
    say,
    termination_as_interrupt,
    usage_errors,
)
from treebound.cli._table_options import (
    Preparing,
    Reading,
    options_given,
    show_preparation,
    taking,
)
from treebound.formats.cache_files import CACHE_ENDINGS, is_cache_path
from treebound.formats.network_files import WRITTEN_ENDINGS
from treebound.formats.structure_files import STRUCTURE_ENDINGS
from treebound.learning import (
    DEFAULT_BUDGET,
    DEFAULT_MAX_CELLS,
    DEFAULT_MAX_TREEWIDTH,
    ChosenStates,
    Limits,
    Schedule,
    StructuralEm,
    Wanted,
    place_of,
    recipe_of,
)
from treebound.scoring import ParentSetCache
from treebound.solvers import DEFAULT_SOLVER, SOLVERS, printed_solver
from treebound.structure import StructureError

STRUCTURE_ONLY = [ending for ending in STRUCTURE_ENDINGS if ending not in WRITTEN_ENDINGS]
SolverName = StrEnum("SolverName", {name.upper(): name for name in SOLVERS})  # type: ignore[misc]


@taking(constraint_options=ConstraintOptions, reading=Reading, preparing=Preparing)
def learn(
    context: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE_OR_CACHE",
            help="Table (.csv, .tsv, .txt, .dat, also .gz; .parquet, .feather, .xlsx; - for stdin), folder "
            f"of Parquet files, or score cache ({', '.join(CACHE_ENDINGS)}).",
        ),
    ],
    output: Annotated[
        Path,
        output_option(
            "OUT",
            f"File to write: a network ({', '.join(WRITTEN_ENDINGS)}) or only its structure "
            f"({', '.join(STRUCTURE_ONLY)}). From a cache, only a structure can be learned.",
        ),
    ],
    max_treewidth: Annotated[
        int | None,
        treewidth_option(f"Treewidth limit. [default: {DEFAULT_MAX_TREEWIDTH}, or none with --max-cells]"),
    ] = None,
    max_cells: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Limit on the number of joint states in a bag. "
            f"[default: {DEFAULT_MAX_CELLS:,}, or none with --max-treewidth]",
        ),
    ] = None,
    time: Annotated[
        float | None,
        time_option(f"Time for the whole run. [default: {DEFAULT_BUDGET.seconds:.0f}]"),
    ] = None,
    steps: Annotated[
        int | None,
        steps_option("Number of solver steps; equal steps and seed give equal networks."),
    ] = None,
    patience: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            min=0,
            max=1,
            help="Stop when the score has not improved for this share of the budget (0: never).",
        ),
    ] = DEFAULT_BUDGET.patience or 0.0,
    solver: Annotated[
        SolverName,
        typer.Option(help="; ".join(f"{name}: {entry.meaning}" for name, entry in SOLVERS.items()) + "."),
    ] = SolverName(DEFAULT_SOLVER.name),  # noqa: B008
    paper: Annotated[
        bool,
        typer.Option(
            "--paper",
            help="Run kg, ka, s2 or s2plus as published, without later improvements.",
        ),
    ] = False,
    score: ScoreOption = None,
    ess: SampleSizeOption = None,
    threads: ThreadsOption = None,
    memory: MemoryOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    hidden: HiddenOption = None,
    seed: SeedOption = 0,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="CACHE", help="Also save the scored parent sets to this file."),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Continue from the structure in OUT, and from --cache if it exists; data and score must be "
            "the same.",
        ),
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    constraint_options: ConstraintOptions,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Learn a Bayesian network of bounded treewidth, with a proof of its treewidth.

    A .json file stores everything: fitted tables, bins, scores and the tree decomposition that proves the
    treewidth. During the search it holds the best structure so far; Ctrl-C keeps it (exit code 130).

    **Examples**

    `treebound learn survey.csv -k 5 --time 60 -o network.json`

    `treebound learn raw.csv -k 3 -o network.json --drop Name --bins quantile --bins Age=mdl --na-values ?`

    `treebound learn clinic.csv -k 3 -o network.json --tier age,sex --tier '*_score' --require 'age->pain'`

    `treebound learn rows/ -k 3 -o network.json --workers 4`

    `treebound learn scores.jkl.gz -k 3 --solver kmax --steps 1000 -o structure.res`
    """
    is_cache = is_cache_path(source)
    with usage_errors():
        learned = LearnOutput(output, cache, has_rows=not is_cache)
        if is_cache:
            _reject_options(cache, options_given(reading, preparing), source)
        loading = reading.options | preparing.options
        unobserved = requested_hidden(hidden)
        where = requested_place(workers, scheduler, threads, memory)
        wanted = Wanted(
            Limits(max_treewidth if SOLVERS[solver].is_bounded else None, max_cells),
            printed_solver(solver) if paper else SOLVERS[solver].solver,
            requested_score(score, ess),
            for_all_solvers=cache is not None,
            seed=seed,
            checkpoint=learned.checkpoint,
            constraints=constraint_options.known,
        )
        if time is None and steps is None:
            time = DEFAULT_BUDGET.seconds
        budget = Budget(time, steps, patience or None)
    if max_treewidth is not None and not SOLVERS[solver].is_bounded and not quiet:
        note(f"the solver {solver} has no treewidth limit: --max-treewidth is ignored.")
    place = context.with_resource(place_of(where))
    schedule = Schedule(budget)
    uses_em = not is_cache and preparing.uses_em
    if uses_em:
        loading["missing"] = "keep"
    opened = place.open(source, may_miss=uses_em, **loading)
    names = opened.names if isinstance(opened, ParentSetCache) else opened.schema.names
    names = (*names, *unobserved)
    if resume:
        wanted = learned.resumed(wanted, reading.limit)
        if wanted.start is not None and wanted.start.names != names:
            raise StructureError(f"{output} holds other variables than {source}.")
    if not isinstance(opened, ParentSetCache) and not (quiet or json):
        show_preparation(opened.schema.preparation)
    recipe = recipe_of(wanted, place, opened, schedule, unobserved)
    if isinstance(recipe, StructuralEm | ChosenStates) and recipe.rows.num_incomplete and not quiet:
        share = f"{recipe.rows.num_incomplete:,} of {recipe.rows.num_rows:,} rows"
        note(f"{share} have missing values and are used by EM.")
    if not quiet:
        _note_limits(recipe.wanted.limits, recipe.limits, len(names))
    if recipe.memory is not None:
        report_estimate(recipe.memory, memory, quiet=quiet or json)
    with termination_as_interrupt():
        result = recipe.run(not (quiet or json), lambda checking: learned.seconds(len(names), checking))
    if not result.verdict:
        raise StructureError(f"the checker rejected the structure, and it was not saved: {result.verdict}")
    learned.write(result)
    schedule.end("writing")
    prepared = None if isinstance(opened, ParentSetCache) else result.preparation.to_json()
    used = {**schedule.phases.to_json(), "peak_memory_mb": peak_memory_mb()}
    shown = replace(result.describe(), title=f"{source.name} -> {output.name}")
    report(shown, quiet=quiet, json=json, path=str(output), preparation=prepared, **used)
    if not (quiet or json):
        say(str(result.structure.guarantee))
    if result.was_interrupted:
        raise typer.Exit(INTERRUPTED)


def _note_limits(given: Limits, used: Limits, num_variables: int) -> None:
    """Print limits that were not given, and those without effect."""
    if given != used:
        cells = "" if used.max_cells is None else f" and {used.max_cells:,} cells per bag"
        note(f"no limit given: the treewidth is limited to {used.max_treewidth}{cells}.")
    elif used.max_treewidth is not None and used.max_treewidth >= num_variables:
        most = num_variables - 1
        note(f"{num_variables} variables have a treewidth of at most {most}: the limit has no effect.")


def _reject_options(cache: Path | None, others: list[str], source: Path) -> None:
    """Reject options for tables."""
    for name in [*([] if cache is None else ["--cache"]), *others]:
        raise ValueError(f"{name} applies only to tables, and {source} is a cache; drop it.")
