"""``treebound compare``: several solvers on the same caches with the same budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treebound._budget import Budget
from treebound.cli._cluster import SchedulerOption, WorkersOption, asked_cluster, executing
from treebound.cli._comparing import failure_lines, score_table, victory_heading, victory_table, w_table
from treebound.cli._memory_options import megabytes
from treebound.cli._options import (
    JsonOption,
    QuietOption,
    SampleSizeOption,
    ScoreOption,
    asked_score,
    steps_option,
    time_option,
)
from treebound.cli._show import INTERRUPTED, err, out, print_json, termination_as_interrupt
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
from treebound.search import SOLVERS

if TYPE_CHECKING:
    from rich.table import Table


@taking(reading=Reading, preparing=Preparing)
def compare(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="TABLE_OR_CACHE",
            help="Tables (.csv, .tsv, .dat, also .gz; .parquet, .feather), each scored once, or caches "
            f"({', '.join(CACHE_ENDINGS)}).",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder for records, tables and figures; finished runs stay.",
        ),
    ],
    solvers: Annotated[
        str, typer.Option(metavar="NAMES", help=f"Solvers, with commas between: {', '.join(SOLVERS)}.")
    ],
    max_treewidth: Annotated[
        str, typer.Option("--max-treewidth", "-k", metavar="K,...", help="Bounds, with commas between.")
    ] = "",
    time: Annotated[
        float | None,
        time_option(f"Time for each search; reading is not counted. [default: {DEFAULT_BUDGET.seconds:.0f}]"),
    ] = None,
    steps: Annotated[
        int | None, steps_option("Steps of each search; the same number, the same tables.")
    ] = None,
    runs: Annotated[int, typer.Option(metavar="R", min=1, help="Runs of each, with seeds S, S+1, ...")] = 1,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Seed of the first run.")] = 0,
    score: ScoreOption = None,
    ess: SampleSizeOption = None,
    max_parents: Annotated[
        int, typer.Option(metavar="P", min=0, help="Most parents of a set when a table is scored.")
    ] = Independence().max_parents,
    scoring_time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help=f"Time for scoring a table. [default: {SCORING_BUDGET.seconds:.0f}; with --steps alone a "
            "number of sets]",
        ),
    ] = None,
    unbounded: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SCORE",
            help="Best score known without a bound, for W-scores (repeatable). [default: the best of the "
            "solvers here that keep no bound]",
        ),
    ] = None,
    threads: Annotated[int, typer.Option(metavar="T", min=1, help="Threads of each run.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(metavar="J", min=1, help="Runs at once. [default: cores / threads]")
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(
            metavar="SIZE",
            parser=megabytes,
            help="Memory of each run, such as 4GB, in MB without a unit. "
            "[default: that of the machine / jobs]",
        ),
    ] = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    retry: Annotated[bool, typer.Option("--retry", help="Repeat runs that failed before.")] = False,
    figures: Annotated[bool, typer.Option("--figures/--no-figures", help="Draw figures too.")] = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
    preparing: Preparing,
) -> None:
    """Run several solvers on tables or caches, and compare what they find.

    All combinations of source, bound, solver and seed are run, each in a process of its own on the same
    cache; solvers that keep no bound run once per source and seed. Every structure is checked. A run that
    fails is recorded and told. The same command does only what is missing, so that a comparison that was
    killed goes on where it was; Ctrl-C keeps what is finished and exits with 130.

    **Examples**

    `treebound compare survey.csv -k 2,5,8 --solvers regrow,kg,ka --time 60 --runs 3 -o comparison`

    `treebound compare a.jkl.gz b.jkl.gz -k 4 --solvers kg,kmax --steps 1000 -o comparison --json`
    """
    try:
        chosen = [name.strip() for name in solvers.split(",") if name.strip()]
        bounds = [_whole(word) for word in max_treewidth.split(",") if word.strip()]
        given = dict(_named_score(word) for word in unbounded or ())
        cluster = asked_cluster(workers, scheduler, jobs=jobs, memory=memory)
        scoring = Scoring(
            asked_score(score, ess) or DEFAULT_SCORE,
            Independence(max_parents),
            None if scoring_time is None else Budget(seconds=scoring_time),
        )
        options = reading.limit
        for_tables = reading.options | preparing.options
        if time is None and steps is None:
            time = DEFAULT_BUDGET.seconds
        budget = Budget(time, steps, DEFAULT_BUDGET.patience)
        opened = [
            Source.of(
                path, scoring=scoring.beside(budget), **(options if is_cache_path(path) else for_tables)
            )
            for path in sources
        ]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error

    if figures and not has_matplotlib():
        figures = False
        if not quiet:
            err().print(f"note: no figures will be drawn. {WITHOUT_MATPLOTLIB}", markup=False)
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
    if json:
        print_json(_report(result, paths))
    elif not quiet:
        _show(result, output)
    if result.was_interrupted:
        raise typer.Exit(INTERRUPTED)


def _show(result: ComparisonResult, output: Path) -> None:
    for words in (*result.notes, *failure_lines(result)):
        err().print(f"note: {words}", markup=False)
    if not result.runs:
        return
    _print("Scores, median over the runs (bold: the best with a bound)", score_table(result))
    if (worsening := w_table(result)) is not None:
        _print("Mean W-score in percent (lower is better)", worsening)
    if len(result.solvers) > 1:
        _print(victory_heading(result), victory_table(result))
    told = f"{len(result.runs):,} runs, {len(result.failures):,} failed; tables and figures in {output}"
    out().print(told, markup=False)


def _print(heading: str, table: Table) -> None:
    out().print(f"[bold]{heading}[/]")
    out().print(table)


def _report(result: ComparisonResult, paths: list[Path]) -> dict[str, Any]:
    return {
        "runs": len(result.runs),
        "failed": len(result.failures),
        "was_interrupted": result.was_interrupted,
        "notes": list(result.notes),
        "unbounded_scores": dict(result.unbounded_scores),
        "table": [row._asdict() for row in result.table()],
        "victories": [row._asdict() for row in result.victories()],
        "files": [str(path) for path in paths],
    }


def _whole(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise ValueError(f"--max-treewidth takes whole numbers with commas between, got {word!r}.") from None


def _named_score(word: str) -> tuple[str, float]:
    name, _, value = word.rpartition("=")
    number = parse_number(value)
    if not name or number is None:
        raise ValueError(f"--unbounded must read NAME=SCORE, got {word!r}.")
    return name, number
