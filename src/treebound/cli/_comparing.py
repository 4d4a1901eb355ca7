"""A comparison as a person sees it when it is done: scores, victories, and what failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from treebound._description import Table
from treebound._files import shortened
from treebound.cli._show import styled
from treebound.experiments import SIGNIFICANT, ComparisonResult, SignTest, WScore

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text


def w_table(result: ComparisonResult) -> Table | None:
    """Mean W-scores by solver and bound, in percent; None if there are none.

    A mean over fewer sources than others have says so, since it cannot be compared with theirs.
    """
    rows = result.w_scores()
    if not rows:
        return None
    bounds = sorted({row.max_treewidth for row in rows})
    num_sources = len({row.source for row in rows})
    found: dict[tuple[str, int], list[WScore]] = {(row.solver, bound): [] for row in rows for bound in bounds}
    for row in rows:
        found[row.solver, row.max_treewidth].append(row)
    cells = [
        [label, *(_mean_w_score(found[label, bound], num_sources) for bound in bounds)]
        for label in dict.fromkeys(row.solver for row in rows)
    ]
    headings = ["solver", *(f"treewidth {bound}" for bound in bounds)]
    return Table(headings, cells, right=range(1, len(headings)))


def _mean_w_score(rows: list[WScore], num_sources: int) -> str:
    if not rows:
        return ""
    mean = f"{100 * sum(row.w_score for row in rows) / len(rows):.3f}"
    seen = len({row.source for row in rows})
    return mean if seen == num_sources else f"{mean} ({seen} of {num_sources} sources)"


def victory_table(result: ComparisonResult) -> RichTable:
    """As the paper prints it: how often the row beats the column, for each bound, bold where significant."""
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable()
    table.add_column("", style="cyan")
    for other in result.solvers:
        table.add_column(other, justify="right")
    for solver in result.solvers:
        cells = [
            Text() if other == solver else Text("/").join(_wins(result.sign_test(solver, other).values()))
            for other in result.solvers
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
