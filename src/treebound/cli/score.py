"""``treebound score``: from a table to a cache of scored parent sets."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from treebound._budget import Budget, resolve_threads
from treebound._files import check_folder
from treebound.cli._cluster import SchedulerOption, WorkersOption, asked_cluster, is_folder, scorer
from treebound.cli._memory_options import MemoryOption, tell_estimate
from treebound.cli._options import (
    JsonOption,
    QuietOption,
    SampleSizeOption,
    ScoreOption,
    ThreadsOption,
    asked_score,
    steps_option,
    table_argument,
    time_option,
)
from treebound.cli._scoring import report_table
from treebound.cli._show import INTERRUPTED, err, out, print_json, termination_as_interrupt, usage_errors
from treebound.cli._table_options import Preparing, Reading, show_preparation, taking
from treebound.data import Dataset, load
from treebound.formats.cache_files import CACHE_ENDINGS, TBC_ENDINGS, load_cache, save_cache
from treebound.scoring import (
    DEFAULT_BUDGET,
    DEFAULT_SCORE,
    RULE_MEANINGS,
    Exhaustive,
    Independence,
    estimate_scoring,
    fitted,
    resolve_rules,
)


class ParentSetsName(StrEnum):
    """How parent sets are looked for."""

    INDEPENDENCE = "independence"
    EXHAUSTIVE = "exhaustive"


@taking(reading=Reading, preparing=Preparing)
def score(
    table: Annotated[Path, table_argument("Table to read, on a cluster also a folder of Parquet files")],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="CACHE", help="Cache to write: .tbc (native) or .jkl (also .gz)."
        ),
    ],
    parent_sets: Annotated[
        ParentSetsName,
        typer.Option(
            help="'independence': best-first within --time, for many variables or parents. "
            "'exhaustive': every set that pruning leaves open."
        ),
    ] = ParentSetsName.INDEPENDENCE,
    max_parents: Annotated[
        int | None,
        typer.Option(
            metavar="P",
            min=0,
            help=f"Most parents of a set. [default: {Independence().max_parents}, "
            f"exhaustive {Exhaustive().max_parents}]",
        ),
    ] = None,
    score: ScoreOption = None,
    ess: SampleSizeOption = None,
    time: Annotated[
        float | None,
        time_option(f"Time for the search. [default: {DEFAULT_BUDGET.seconds:.0f}, exhaustive until done]"),
    ] = None,
    steps: Annotated[
        int | None,
        steps_option("Sets to score; the same number gives the same cache anywhere."),
    ] = None,
    threads: ThreadsOption = None,
    seed: Annotated[
        int, typer.Option(metavar="S", help="Accepted for scripts; scoring draws no random numbers.")
    ] = 0,
    pruning: Annotated[
        bool, typer.Option("--pruning/--no-pruning", help="Drop sets that no optimum needs.")
    ] = True,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE", help=f"Switch one pruning rule off (repeatable): {', '.join(RULE_MEANINGS)}."
        ),
    ] = None,
    memory: MemoryOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the interrupted run that left CACHE (.tbc).")
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Score candidate parent sets of every column of a table.

    The cache can be searched by `treebound learn` or, as .jkl, by other programs. A .tbc cache is rewritten
    while the search runs; Ctrl-C leaves a valid one and exits with 130.

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
        chosen_score = asked_score(score, ess) or DEFAULT_SCORE
        rules = resolve_rules("all", chosen_score) if pruning else ()
        if unknown := set(without or ()) - set(RULE_MEANINGS):
            raise ValueError(f"--without takes {', '.join(RULE_MEANINGS)}, got {sorted(unknown)[0]!r}.")
        chosen: Exhaustive | Independence
        if parent_sets is ParentSetsName.EXHAUSTIVE:
            chosen = Exhaustive() if max_parents is None else Exhaustive(max_parents)
        else:
            parents = Independence().max_parents if max_parents is None else max_parents
            chosen = Independence(parents)
        loading = reading.options | preparing.options
        cluster = asked_cluster(workers, scheduler, threads=threads, memory=memory)
        in_parts = is_folder(table, cluster)
    if time is None and steps is None and parent_sets is ParentSetsName.INDEPENDENCE:
        time = DEFAULT_BUDGET.seconds
    budget = None if time is None and steps is None else Budget(time, steps)

    dataset = None if in_parts else load(table, **loading)
    if dataset is not None:
        _tell_of_table(dataset, quiet=quiet, json=json)
    if memory is not None and isinstance(chosen, Independence) and dataset is not None:
        chosen = fitted(chosen, dataset, memory)
    estimate = None
    if dataset is not None and not cluster:
        estimate = estimate_scoring(dataset, chosen, budget, resolve_threads(threads))
        tell_estimate(estimate, memory, quiet=quiet or json)
    with termination_as_interrupt():
        result = scorer(cluster)(
            table if dataset is None else dataset,
            parent_sets=chosen,
            score=chosen_score,
            pruning=[rule for rule in rules if rule not in (without or ())],
            budget=budget,
            threads=threads,
            memory_mb=memory,
            progress=not (quiet or json),
            checkpoint=(lambda cache: save_cache(cache, output)) if is_native else None,
            resume=load_cache(output, **reading.limit) if resume else None,
            **(loading if in_parts else {}),
        )
    if not is_native:
        save_cache(result.cache, output)
    if json:
        told = {"table": str(table), "cache": str(output), "seed": seed}
        estimated = {} if estimate is None else {"estimated_memory_mb": estimate.peak_mb}
        print_json({**told, **result.report.to_json(), **estimated})
    elif not quiet:
        out().print(report_table(result.report, f"{table.name} -> {output.name}"))
    if result.report.stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _tell_of_table(dataset: Dataset, *, quiet: bool, json: bool) -> None:
    """What was done with the columns, and which of them say nothing."""
    if not (quiet or json):
        show_preparation(dataset.schema.preparation)
    if dataset.constant_columns and not quiet:
        names = ", ".join(dataset.constant_columns[:5])
        note = f"note: {len(dataset.constant_columns)} constant columns kept with one state: {names}"
        err().print(note, markup=False)
