"""A comparison as a person sees it when it is done: scores, victories, and what failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from treebound._files import shortened
from treebound.cli._show import styled
from treebound.experiments import SIGNIFICANT, ComparisonResult, SignTest, WScore, is_tied

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


def score_table(result: ComparisonResult) -> Table:
    """A row per source and solver, a column per bound: median scores, the best of those with a bound bold."""
    from rich.table import Table

    table = Table()
    table.add_column("source", style="cyan")
    table.add_column("solver", style="cyan")
    for bound in result.max_treewidths:
        table.add_column("score" if bound is None else f"bound {bound}", justify="right")
    for source in result.sources:
        columns = [_marked(result, source, bound) for bound in result.max_treewidths]
        for number, (label, cells) in enumerate(zip(result.solvers, zip(*columns, strict=True), strict=True)):
            table.add_row("" if number else source, label, *cells)
        table.add_section()
    return table


def _marked(result: ComparisonResult, source: str, bound: int | None) -> list[Text]:
    """The scores of all solvers."""
    bounded = {run.spec.label for run in result.runs if run.spec.max_treewidth is not None}
    scores = {label: result.score_of(source, label, bound) for label in result.solvers}
    rivals = [score for label, score in scores.items() if score is not None and label in bounded]
    best = max(rivals, default=float("inf"))
    cells: list[Text] = []
    for label, score in scores.items():
        if score is None:
            cells.append(styled("none", "red"))
            continue
        is_best = label in bounded and is_tied(score, best)
        cells.append(styled(f"{score:,.2f}", "bold green" if is_best else ""))
    return cells


def w_table(result: ComparisonResult) -> Table | None:
    """Mean W-scores by solver and bound, in percent; None if there are none.

    A mean over fewer sources than others have says so, since it cannot be compared with theirs.
    """
    from rich.table import Table

    rows = result.w_scores()
    if not rows:
        return None
    bounds = sorted({row.max_treewidth for row in rows})
    num_sources = len({row.source for row in rows})
    table = Table()
    table.add_column("solver", style="cyan")
    for bound in bounds:
        table.add_column(f"bound {bound}", justify="right")
    for label in dict.fromkeys(row.solver for row in rows):
        cells = []
        for bound in bounds:
            found = [row for row in rows if (row.solver, row.max_treewidth) == (label, bound)]
            cells.append(_mean_w_score(found, num_sources) if found else "")
        table.add_row(label, *cells)
    return table


def _mean_w_score(rows: list[WScore], num_sources: int) -> str:
    mean = f"{100 * sum(row.w_score for row in rows) / len(rows):.3f}"
    seen = len({row.source for row in rows})
    return mean if seen == num_sources else f"{mean} ({seen} of {num_sources} sources)"


def victory_table(result: ComparisonResult) -> Table:
    """As the paper prints it: how often the row beats the column, for each bound, bold where significant."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    table.add_column("", style="cyan")
    for rival in result.solvers:
        table.add_column(rival, justify="right")
    for solver in result.solvers:
        cells = [
            Text() if rival == solver else Text("/").join(_wins(result.sign_test(solver, rival).values()))
            for rival in result.solvers
        ]
        table.add_row(solver, *cells)
    return table


def _wins(tests: Iterable[SignTest]) -> list[Text]:
    return [styled(test.wins, "bold green" if test.is_significant else "") for test in tests]


def victory_heading(result: ComparisonResult) -> str:
    """What the numbers of the table of victories are."""
    bounds = ", ".join("none" if bound is None else str(bound) for bound in result.max_treewidths)
    return (
        f"Victories of the row over the column on {len(result.sources)} sources, bounds {bounds} "
        f"(bold: sign test, p < {SIGNIFICANT})"
    )


def failure_lines(result: ComparisonResult) -> list[str]:
    """One line per run that failed."""
    return [
        f"{run.status}: {run.spec.name}: {shortened(' '.join((run.message or '').split()))}"
        for run in result.failures
    ]
