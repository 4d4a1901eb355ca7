"""``treebound learn``: from a table to a network of bounded treewidth, or from a cache to its structure."""

from __future__ import annotations

from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from treebound._budget import Budget
from treebound._files import check_folder
from treebound._learn import DEFAULT_BUDGET, LearnResult, estimate_memory
from treebound._phases import PhaseSeconds, Stopwatch, peak_memory_mb
from treebound.cli._cluster import (
    SchedulerOption,
    WorkersOption,
    asked_cluster,
    fitter,
    is_folder,
    learner,
    opened_folder,
)
from treebound.cli._learned import Learned
from treebound.cli._memory_options import MemoryOption, tell_estimate
from treebound.cli._options import (
    JsonOption,
    QuietOption,
    SampleSizeOption,
    ScoreOption,
    ThreadsOption,
    asked_score,
    steps_option,
    time_option,
)
from treebound.cli._searching import learn_table
from treebound.cli._show import INTERRUPTED, err, out, print_json, termination_as_interrupt, usage_errors
from treebound.cli._table_options import Preparing, Reading, options_given, show_preparation, taking
from treebound.data import Dataset, load
from treebound.formats.cache_files import CACHE_ENDINGS, is_cache_path, load_cache, save_cache
from treebound.formats.network_files import WRITTEN_ENDINGS
from treebound.formats.structure_files import STRUCTURE_ENDINGS, load_structure
from treebound.scoring import ParentSetCache
from treebound.search import DEFAULT_SOLVER, SOLVERS, Needs, Takes, takers_of
from treebound.structure import StructureError, check_seconds

if TYPE_CHECKING:
    from treebound.distributed import PartitionedTable

_Opened: TypeAlias = "ParentSetCache | Dataset | PartitionedTable"
# A structure of ten thousand variables takes part of a second.
_WRITING_PER_VARIABLE = 1e-4
# Of the time to read rows that lie in parts: counting one family per variable in them.
_COUNTING_SHARE = 0.25
STRUCTURE_ONLY = [ending for ending in STRUCTURE_ENDINGS if ending not in WRITTEN_ENDINGS]
SolverName = StrEnum("SolverName", {name.upper(): name for name in SOLVERS})  # type: ignore[misc]


@taking(reading=Reading, preparing=Preparing)
def learn(
    context: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE_OR_CACHE",
            help="Table (.csv, .tsv, .dat, also .gz; .parquet, .feather), which is scored first, a folder of "
            "Parquet files with --workers or --scheduler, or cache "
            f"({', '.join(CACHE_ENDINGS)}), which is searched as it is.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help=f"File to write. From a table, {', '.join(WRITTEN_ENDINGS)} get the network with its "
            f"tables, ready for `treebound query`; {', '.join(STRUCTURE_ONLY)} get the structure alone, and "
            "so does .json from a cache.",
        ),
    ],
    max_treewidth: Annotated[
        int | None, typer.Option("--max-treewidth", "-k", metavar="K", min=0, help="Bound on the treewidth.")
    ] = None,
    max_cells: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Bound on the joint states of a bag."),
    ] = None,
    time: Annotated[
        float | None,
        time_option(f"Time for everything, from reading to writing. [default: {DEFAULT_BUDGET.seconds:.0f}]"),
    ] = None,
    steps: Annotated[
        int | None,
        steps_option("Steps of the solver; the same number and seed, the same network."),
    ] = None,
    patience: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            min=0,
            max=1,
            help="Share of the budget without anything better after which the search ends; 0 for never.",
        ),
    ] = DEFAULT_BUDGET.patience or 0.0,
    solver: Annotated[
        SolverName,
        typer.Option(help="; ".join(f"{name}: {entry.meaning}" for name, entry in SOLVERS.items()) + "."),
    ] = SolverName(DEFAULT_SOLVER.name),  # noqa: B008
    score: ScoreOption = None,
    ess: SampleSizeOption = None,
    threads: ThreadsOption = None,
    memory: MemoryOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Seed of all random choices.")] = 0,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="CACHE", help="Also keep the scored parent sets of a table in this file."),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on from the structure in OUT and, if it is there, the cache in --cache, which must be "
            "of the same rows and score.",
        ),
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Learn a Bayesian network whose treewidth is proved to be within a bound.

    From a table the network's tables are fitted too. .json keeps everything in one file: tables, bins, scores
    and the proof (the tree decomposition); query, predict, check, fit, convert and --resume take it.

    While the search runs, OUT holds the best structure so far (.bif and the like cannot), so that a run that
    is killed loses nothing; Ctrl-C ends early with the best so far and exits with 130.

    **Examples**

    `treebound learn survey.csv --max-treewidth 5 --time 60 -o network.json`

    `treebound learn survey.csv -k 5 -o network.bif`

    `treebound learn raw.csv -k 3 -o network.json --drop Name --bins quantile --bins Age=mdl --na-values ?`

    `treebound learn rows/ -k 3 -o network.json --workers 4`

    `treebound learn scores.jkl.gz -k 3 --solver kmax --steps 1000 --seed 7 -o structure.res --json`
    """
    is_cache = is_cache_path(source)
    with usage_errors():
        learned = Learned(output, has_rows=not is_cache)
        if cache is not None:
            if not is_cache_path(cache):
                raise ValueError(f"{cache}: expected a file that ends in {', '.join(CACHE_ENDINGS)}.")
            check_folder(cache)
        if is_cache:
            _refuse(cache, options_given(reading, preparing), source)
        loading = reading.options | preparing.options
        local_score = asked_score(score, ess)
        cluster = asked_cluster(workers, scheduler, threads=threads, memory=memory)
        in_parts = is_folder(source, cluster)
        if max_treewidth is None and max_cells is None and Needs.BOUND in SOLVERS[solver].needs:
            raise ValueError("a bound is needed: --max-treewidth, --max-cells or both.")
        if max_cells is not None and Takes.CELLS not in SOLVERS[solver].takes:
            raise ValueError(f"--max-cells needs another solver ({takers_of(Takes.CELLS)}), got {solver}.")
    if max_treewidth is not None and not SOLVERS[solver].is_bounded:
        if not quiet:
            err().print(f"note: the solver {solver} keeps no bound: --max-treewidth is ignored.")
        max_treewidth = None
    if time is None and steps is None:
        time = DEFAULT_BUDGET.seconds

    watch = Stopwatch()
    limit = reading.limit
    opened: _Opened
    if in_parts:  # its rows stay on the cluster, which is open until the end
        opened, cluster = context.with_resource(opened_folder(source, cluster, loading))
    else:
        opened = load_cache(source, **limit) if is_cache else load(source, **loading)
    if not isinstance(opened, ParentSetCache) and not (quiet or json):
        show_preparation(opened.schema.preparation)
    names = opened.names if isinstance(opened, ParentSetCache) else opened.schema.names
    kept = load_cache(cache, **limit) if resume and cache is not None and cache.exists() else None
    if max_treewidth is not None and max_treewidth >= len(names) and not quiet:
        most = len(names) - 1
        err().print(f"note: no treewidth of {len(names)} variables exceeds {most}: the bound has no effect.")
    start = load_structure(output, **limit) if resume and output.exists() else None
    if start is not None and start.names != names:
        raise StructureError(f"{output} holds other variables than {source}.")

    reading_seconds = watch.lap()
    if time is not None:
        time = max(0.0, time - reading_seconds)
        time -= min(_writing_seconds(opened, learned, reading_seconds), time / 4)
    estimate = None
    if isinstance(opened, Dataset):
        chosen, budget = SOLVERS[solver].solver, Budget(time, steps)
        estimate = estimate_memory(
            opened, max_treewidth, chosen, kept, None, budget, threads, memory, keeps_cache=cache is not None
        )
        tell_estimate(estimate, memory, quiet=quiet or json)
    with termination_as_interrupt():
        result = learner(cluster)(
            opened,
            max_treewidth,
            max_cells=max_cells,
            cache=kept,
            budget=Budget(time, steps, patience or None),
            solver=SOLVERS[solver].solver,
            score=local_score,
            seed=seed,
            threads=threads,
            memory_mb=memory,
            progress=not (quiet or json),
            on_scored=None if cache is None else lambda scored: save_cache(scored, cache),
            on_improvement=learned.checkpoint,
            start=start,
        )
    if not result.verdict:
        raise StructureError(
            f"the checker refuses the structure found, which is not written: {result.verdict}"
        )
    watch.lap()
    network = None
    if isinstance(opened, ParentSetCache):
        learned.write_structure(result)
    else:
        network = learned.write(result, fitter(opened, cluster, threads))
    if json:
        phases = replace(result.phases, reading=reading_seconds + result.phases.reading, writing=watch.lap())
        prepared = None if isinstance(opened, ParentSetCache) else opened.schema.preparation.to_json()
        estimated = {} if estimate is None else {"estimated_memory_mb": estimate.peak_mb}
        written = {"path": str(output), "parameters": None if network is None else network.num_parameters}
        print_json({**written, **_report(result, phases), **estimated, "preparation": prepared})
    elif not quiet:
        out().print(learn_table(result, f"{source.name} -> {output.name}", network))
        out().print(str(result.structure.guarantee))
    if result.was_interrupted:
        raise typer.Exit(INTERRUPTED)


def _writing_seconds(opened: _Opened, learned: Learned, reading: float) -> float:
    """About how long it takes to write the structure and, with it, to fit and write the tables."""
    if isinstance(opened, ParentSetCache):
        return _WRITING_PER_VARIABLE * opened.num_variables
    if isinstance(opened, Dataset):
        fitting = check_seconds(opened.num_variables, None, opened)
    else:
        fitting = _COUNTING_SHARE * reading
    return _WRITING_PER_VARIABLE * len(opened.schema) + (fitting if learned.is_network else 0.0)


def _refuse(cache: Path | None, others: list[str], source: Path) -> None:
    """Refuse options that are for tables."""
    for name in [*([] if cache is None else ["--cache"]), *others]:
        raise ValueError(f"{name} is for a table, and {source} is a cache.")


def _report(result: LearnResult, phases: PhaseSeconds) -> dict[str, Any]:
    structure, found = result.structure, result.search
    return {
        "score": result.score,
        "treewidth": structure.treewidth,
        "max_treewidth": structure.max_treewidth,
        "max_cells": structure.max_cells,
        "variables": structure.num_variables,
        "arcs": structure.num_arcs,
        "solver": found.solver.name,
        "seed": found.seed,
        "seconds": phases.total,
        **{f"{phase}_seconds": seconds for phase, seconds in asdict(phases).items()},
        "peak_memory_mb": peak_memory_mb(),
        "sets_scored": result.scoring.sets_scored if result.scoring else 0,
        "steps": found.steps,
        "stopped": str(found.stopped),
        "bound": found.bound,
        "bound_source": found.bound_source,
        "gap": found.gap,
        "is_optimal": found.is_optimal,
        "checked": result.verdict.is_ok,
        "verdict": str(result.verdict),
        "compared_with": list(result.verdict.compared_with),
        "trace": [improvement._asdict() for improvement in found.trace],
    }
