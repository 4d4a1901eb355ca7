"""A scoring run as a person sees it when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treebound._run import StopReason
from treebound.cli._show import fact_table, styled
from treebound.scoring import RULE_MEANINGS, ScoringReport

if TYPE_CHECKING:
    from rich.table import Table


def report_table(report: ScoringReport, title: str) -> Table:
    """Return the report as a table to print."""
    table = fact_table(title, min_width=60)
    table.add_row("variables", f"{report.variables:,}")
    table.add_row("rows", f"{report.rows:,}")
    table.add_section()
    table.add_row("parent sets scored", f"{report.sets_scored:,}")
    for rule, count in report.pruned.items():
        if count:
            table.add_row(f"  cut: {RULE_MEANINGS[rule]}", f"{count:,}")  # type: ignore[index]
    if report.implied:
        table.add_row("  never seen: above one cut", f"{report.implied:,}")
    table.add_row("parent sets kept", styled(f"{report.sets_kept:,}", "bold"))
    table.add_row("sum of best scores", f"{report.sum_of_best:,.2f}")
    table.add_section()
    table.add_row("seconds", f"{report.seconds:.2f}")
    table.add_row("sets per second", styled(f"{report.sets_per_second:,.0f}", "bold green"))
    table.add_row("peak memory", f"{report.peak_memory_mb:,.0f} MB")
    ended = {
        StopReason.FINISHED: "search complete",
        StopReason.INTERRUPTED: f"interrupted, {report.variables_finished:,} variables complete",
    }
    out_of_budget = f"out of {report.stopped}, {report.variables_finished:,} variables complete"
    table.add_row("ended", ended.get(report.stopped, out_of_budget))
    return table
