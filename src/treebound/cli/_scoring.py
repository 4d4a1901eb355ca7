"""A scoring run as a person sees it: a bar while it works, a table when it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from treebound._run import StopReason
from treebound.cli._show import err, is_live
from treebound.scoring import ScoringProgress, ScoringReport
from treebound.scoring._rules import MEANINGS

if TYPE_CHECKING:
    from rich.table import Table


@contextmanager
def scoring_bar(
    num_variables: int, seconds: float | None, quiet: bool
) -> Iterator[Callable[[ScoringProgress], None] | None]:
    """Yield a callback that draws a bar: over the budget's seconds or, without any, over variables."""
    if not is_live(quiet):
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("scoring"),
        BarColumn(),
        TextColumn("{task.fields[done]}"),
        TextColumn("best {task.fields[best]:,.0f}"),
        TextColumn("{task.fields[rate]:,.0f} sets/s"),
    )
    with Progress(*columns, console=err(), transient=True) as bar:
        task = bar.add_task("", total=seconds or num_variables, done="", best=0.0, rate=0.0)

        def update(now: ScoringProgress) -> None:
            finished = f"{now.variables_finished:,}/{num_variables:,} variables"
            bar.update(
                task,
                completed=min(now.seconds, seconds) if seconds else now.variables_finished,
                done=f"{now.seconds:.0f}/{seconds:.0f} s, {finished}" if seconds else finished,
                best=now.sum_of_best,
                rate=now.sets_scored / max(now.seconds, 1e-3),
            )

        yield update


def report_table(report: ScoringReport, title: str) -> Table:
    """Return the report as a table to print."""
    from rich.table import Table

    table = Table(title=title, title_style="bold", show_header=False, min_width=60)
    table.add_column(style="cyan")
    table.add_column(justify="right")
    table.add_row("variables", f"{report.variables:,}")
    table.add_row("rows", f"{report.rows:,}")
    table.add_section()
    table.add_row("parent sets scored", f"{report.sets_scored:,}")
    for rule, count in report.pruned.items():
        if count:
            table.add_row(f"  cut: {MEANINGS[rule]}", f"{count:,}")  # type: ignore[index]
    if report.implied:
        table.add_row("  never seen: above one cut", f"{report.implied:,}")
    table.add_row("parent sets kept", f"[bold]{report.sets_kept:,}[/]")
    table.add_row("sum of best scores", f"{report.sum_of_best:,.2f}")
    table.add_section()
    table.add_row("seconds", f"{report.seconds:.2f}")
    table.add_row("sets per second", f"[bold green]{report.sets_per_second:,.0f}[/]")
    table.add_row("peak memory", f"{report.peak_memory_mb:,.0f} MB")
    ended = {
        StopReason.FINISHED: "search complete",
        StopReason.INTERRUPTED: f"interrupted, {report.variables_finished:,} variables complete",
    }
    out_of_budget = f"out of {report.stopped}, {report.variables_finished:,} variables complete"
    table.add_row("ended", ended.get(report.stopped, out_of_budget))
    return table
