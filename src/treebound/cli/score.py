"""``treebound score``: from a table to a cache of scored parent sets."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from treebound._budget import Budget
from treebound._files import check_folder
from treebound._where import Local
from treebound.cli._cluster import SchedulerOption, WorkersOption, requested_place
from treebound.cli._constraint_options import ConstraintOptions
from treebound.cli._memory_options import MemoryOption, report_estimate
from treebound.cli._options import (
    JsonOption,
    QuietOption,
    SampleSizeOption,
    ScoreOption,
    ThreadsOption,
    output_option,
    requested_score,
    steps_option,
    table_argument,
    time_option,
)
from treebound.cli._show import INTERRUPTED, note, report, termination_as_interrupt, usage_errors
from treebound.cli._table_options import Preparing, Reading, show_preparation, taking
from treebound.data import Dataset
from treebound.formats.cache_files import CACHE_ENDINGS, TBC_ENDINGS, load_cache, save_cache
from treebound.learning import place_of
from treebound.scoring import (
    DEFAULT_BUDGET,
    DEFAULT_SCORE,
    RULE_MEANINGS,
    Exhaustive,
    Independence,
    ParentSetCache,
    estimate_scoring,
    resolve_rules,
)
from treebound.scoring import score as score_table


class ParentSetsName(StrEnum):
    """How parent sets are looked for."""

    INDEPENDENCE = "independence"
    EXHAUSTIVE = "exhaustive"


@taking(constraint_options=ConstraintOptions, reading=Reading, preparing=Preparing)
def score(
    context: typer.Context,
    table: Annotated[Path, table_argument("Table, or folder of Parquet files")],
    output: Annotated[Path, output_option("CACHE", "Cache to write: .tbc (native) or .jkl (also .gz).")],
    parent_sets: Annotated[
        ParentSetsName,
        typer.Option(
            help="independence: the most promising sets first, until --time ends; exhaustive: all sets that "
            "cannot be pruned."
        ),
    ] = ParentSetsName.INDEPENDENCE,
    max_parents: Annotated[
        int | None,
        typer.Option(
            metavar="P",
            min=0,
            help=f"Maximum number of parents. [default: {Independence().max_parents}, "
            f"exhaustive {Exhaustive().max_parents}]",
        ),
    ] = None,
    score: ScoreOption = None,
    ess: SampleSizeOption = None,
    time: Annotated[
        float | None,
        time_option(f"Time limit. [default: {DEFAULT_BUDGET.seconds:.0f}, none for exhaustive]"),
    ] = None,
    steps: Annotated[
        int | None,
        steps_option("Number of sets to score; equal numbers give equal caches."),
    ] = None,
    threads: ThreadsOption = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Ignored: scoring is not random.")] = 0,
    pruning: Annotated[
        bool, typer.Option("--pruning/--no-pruning", help="Drop parent sets that no optimal structure needs.")
    ] = True,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE", help=f"Disable a pruning rule (repeatable): {', '.join(RULE_MEANINGS)}."
        ),
    ] = None,
    memory: MemoryOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the interrupted run saved in CACHE (.tbc).")
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    constraint_options: ConstraintOptions,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Score candidate parent sets of every column and save them in a cache.

    `treebound learn` searches the cache; other programs read it as .jkl. A .tbc cache is saved during the
    run, and Ctrl-C keeps the sets scored so far (exit code 130).

    **Examples**

    `treebound score survey.csv -o survey.tbc --time 30`

    `treebound score survey.csv -o survey.jkl --parent-sets exhaustive --max-parents 2`

    `treebound score rows/ -o rows.tbc --parent-sets exhaustive --max-parents 2 --workers 4`
    """
    is_native = output.name.lower().endswith(TBC_ENDINGS)
    with usage_errors():
        if not output.name.lower().endswith(CACHE_ENDINGS):
            raise ValueError(f"{output}: expected a file that ends in {', '.join(CACHE_ENDINGS)}.")
        if resume and not is_native:
            raise ValueError(f"--resume needs a .tbc cache, got {output}.")
        check_folder(output)
        chosen_score = requested_score(score, ess) or DEFAULT_SCORE
        rules = resolve_rules("all", chosen_score) if pruning else ()
        if unknown := set(without or ()) - set(RULE_MEANINGS):
            raise ValueError(
                f"--without expects one of {', '.join(RULE_MEANINGS)}, got {sorted(unknown)[0]!r}."
            )
        chosen: Exhaustive | Independence
        if parent_sets is ParentSetsName.EXHAUSTIVE:
            chosen = Exhaustive() if max_parents is None else Exhaustive(max_parents)
        else:
            parents = Independence().max_parents if max_parents is None else max_parents
            chosen = Independence(parents)
        loading = reading.options | preparing.options
        known = constraint_options.known
        where = requested_place(workers, scheduler, threads, memory)
    if time is None and steps is None and parent_sets is ParentSetsName.INDEPENDENCE:
        time = DEFAULT_BUDGET.seconds
    budget = None if time is None and steps is None else Budget(time, steps)

    place = context.with_resource(place_of(where))
    rows = place.open(table, **loading)
    if isinstance(rows, ParentSetCache):
        raise ValueError(f"{table} is a cache; pass a table.")
    if isinstance(rows, Dataset):
        _report_table(rows, quiet=quiet, json=json)
    estimate = None
    if isinstance(rows, Dataset) and isinstance(where, Local):
        sets = place.sets_for(rows, chosen)
        estimate = estimate_scoring(rows, sets, budget, where.num_threads)
        report_estimate(estimate, memory, quiet=quiet or json)
    with termination_as_interrupt():
        result = score_table(
            rows,
            parent_sets=chosen,
            score=chosen_score,
            pruning=[rule for rule in rules if rule not in (without or ())],
            budget=budget,
            where=where,
            progress=not (quiet or json),
            checkpoint=(lambda cache: save_cache(cache, output)) if is_native else None,
            resume=load_cache(output, **reading.limit) if resume else None,
            constraints=known,
        )
    if not is_native:
        save_cache(result.cache, output)
    shown = replace(result.describe(), title=f"{table.name} -> {output.name}")
    estimated = {} if estimate is None else {"estimated_memory_mb": estimate.peak_mb}
    report(shown, quiet=quiet, json=json, table=str(table), cache=str(output), seed=seed, **estimated)
    if result.report.stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _report_table(dataset: Dataset, *, quiet: bool, json: bool) -> None:
    """What was done with the columns, and which of them say nothing."""
    if not (quiet or json):
        show_preparation(dataset.schema.preparation)
    if dataset.constant_columns and not quiet:
        names = ", ".join(dataset.constant_columns[:5])
        note(f"{len(dataset.constant_columns)} constant columns kept with one state: {names}")
