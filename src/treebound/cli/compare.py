"""``treebound compare``: several solvers on the same caches with the same budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treebound._budget import Budget
from treebound.cli._cluster import SchedulerOption, WorkersOption, executing, requested_cluster
from treebound.cli._comparing import failure_lines, victory_heading, victory_table, w_table
from treebound.cli._constraint_options import ConstraintOptions
from treebound.cli._memory_options import megabytes
from treebound.cli._options import (
    JsonOption,
    QuietOption,
    SampleSizeOption,
    ScoreOption,
    output_option,
    requested_score,
    steps_option,
    time_option,
    treewidth_option,
)
from treebound.cli._show import INTERRUPTED, note, out, report, rich_table, say, termination_as_interrupt
from treebound.cli._table_options import Preparing, Reading, taking
from treebound.data import parse_number
from treebound.experiments import (
    DEFAULT_BUDGET,
    ComparisonResult,
    Scoring,
    Source,
    save_comparison,
)
from treebound.experiments import compare as compare_solvers
from treebound.formats.cache_files import CACHE_ENDINGS, is_cache_path
from treebound.plot import WITHOUT_MATPLOTLIB, has_matplotlib
from treebound.scoring import DEFAULT_BUDGET as SCORING_BUDGET
from treebound.scoring import DEFAULT_SCORE, Independence
from treebound.solvers import SOLVERS

if TYPE_CHECKING:
    pass


@taking(constraint_options=ConstraintOptions, reading=Reading, preparing=Preparing)
def compare(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="TABLE_OR_CACHE",
            help="Tables (.csv, .tsv, .txt, .dat, also .gz; .parquet, .feather, .xlsx) or score caches "
            f"({', '.join(CACHE_ENDINGS)}).",
        ),
    ],
    output: Annotated[Path, output_option("DIR", "Folder for results; finished runs in it are reused.")],
    solvers: Annotated[
        str, typer.Option(metavar="NAMES", help=f"Comma-separated solvers: {', '.join(SOLVERS)}.")
    ],
    max_treewidth: Annotated[str, treewidth_option("Comma-separated treewidth limits.", "K,...")] = "",
    time: Annotated[
        float | None,
        time_option(f"Time per search, without reading the data. [default: {DEFAULT_BUDGET.seconds:.0f}]"),
    ] = None,
    steps: Annotated[
        int | None, steps_option("Solver steps for each search; equal steps give equal results.")
    ] = None,
    runs: Annotated[
        int, typer.Option(metavar="R", min=1, help="Runs per combination, with seeds S, S+1, ...")
    ] = 1,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Seed of the first run.")] = 0,
    score: ScoreOption = None,
    ess: SampleSizeOption = None,
    max_parents: Annotated[
        int, typer.Option(metavar="P", min=0, help="Maximum number of parents when scoring a table.")
    ] = Independence().max_parents,
    scoring_time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help=f"Time for scoring each table. [default: {SCORING_BUDGET.seconds:.0f}; with only --steps: a "
            "number of sets]",
        ),
    ] = None,
    unbounded: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SCORE",
            help="Best known score without a treewidth limit, for W-scores (repeatable). [default: best of "
            "the solvers without a limit]",
        ),
    ] = None,
    threads: Annotated[int, typer.Option(metavar="T", min=1, help="Threads per run.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(metavar="J", min=1, help="Parallel runs. [default: cores / threads]")
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(
            metavar="SIZE",
            parser=megabytes,
            help="Memory per run, such as 4GB; a number without a unit is in MB. "
            "[default: memory of the machine / jobs]",
        ),
    ] = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    retry: Annotated[bool, typer.Option("--retry", help="Repeat failed runs.")] = False,
    figures: Annotated[bool, typer.Option("--figures/--no-figures", help="Draw figures.")] = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    constraint_options: ConstraintOptions,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Run several solvers on tables or caches and compare their scores.

    Runs every combination of source, treewidth limit, solver and seed in its own process and verifies every
    structure; failed runs are reported. Solvers without a treewidth limit run once per source and seed. The
    same command resumes an interrupted comparison. Ctrl-C keeps finished runs (exit code 130).

    **Examples**

    `treebound compare survey.csv -k 2,5,8 --solvers regrow,kg,ka --time 60 --runs 3 -o comparison`

    `treebound compare a.jkl.gz b.jkl.gz -k 4 --solvers kg,kmax --steps 1000 -o comparison --json`
    """
    try:
        chosen = [name.strip() for name in solvers.split(",") if name.strip()]
        bounds = [_whole(word) for word in max_treewidth.split(",") if word.strip()]
        given = dict(_named_score(word) for word in unbounded or ())
        cluster = requested_cluster(workers, scheduler, jobs=jobs, memory=memory)
        scoring = Scoring(
            requested_score(score, ess) or DEFAULT_SCORE,
            Independence(max_parents),
            None if scoring_time is None else Budget(seconds=scoring_time),
            constraint_options.known,
        )
        options = reading.limit
        for_tables = reading.options | preparing.options
        if time is None and steps is None:
            time = DEFAULT_BUDGET.seconds
        budget = Budget(time, steps, DEFAULT_BUDGET.patience)
        opened = [
            Source.of(
                path,
                scoring=scoring.with_budget_for(budget),
                **(options if is_cache_path(path) else for_tables),
            )
            for path in sources
        ]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error

    if figures and not has_matplotlib():
        figures = False
        if not quiet:
            note(f"no figures will be drawn. {WITHOUT_MATPLOTLIB}")
    with termination_as_interrupt(), executing(cluster) as where:
        result = compare_solvers(
            opened,
            bounds,
            solvers=chosen,
            budget=budget,
            runs=runs,
            seed=seed,
            folder=output,
            unbounded_scores=given,
            threads=threads,
            jobs=jobs,
            memory_mb=memory,
            retry=retry,
            progress=not (quiet or json),
            **where,
        )
    paths = save_comparison(result, output, figures=figures) if result.runs else []
    if not (quiet or json):
        _show(result, output)
    report(result.describe(None), quiet=True, json=json, files=list(map(str, paths)))
    if result.was_interrupted:
        raise typer.Exit(INTERRUPTED)


def _show(result: ComparisonResult, output: Path) -> None:
    for message in (*result.notes, *failure_lines(result)):
        note(message)
    if not result.runs:
        return
    say("Median scores (bold: best with a treewidth limit)", "bold")
    out().print(rich_table(result.describe(None).tables[0]))
    if (worsening := w_table(result)) is not None:
        say("Mean W-score in percent (lower is better)", "bold")
        out().print(rich_table(worsening))
    if len(result.solvers) > 1:
        say(victory_heading(result), "bold")
        out().print(victory_table(result))
    say(f"{len(result.runs):,} runs, {len(result.failures):,} failed; tables and figures in {output}")


def _whole(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise ValueError(f"--max-treewidth expects comma-separated integers, got {word!r}.") from None


def _named_score(word: str) -> tuple[str, float]:
    name, _, value = word.rpartition("=")
    number = parse_number(value)
    if not name or number is None:
        raise ValueError(f"--unbounded must read NAME=SCORE, got {word!r}.")
    return name, number
