"""A comparison as a table: median scores by source, solver and treewidth limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treebound._description import Cell, Description, Styled, Table
from treebound._visible import counted
from treebound.experiments._statistics import is_tied

if TYPE_CHECKING:
    from treebound.experiments._result import ComparisonResult

MOST_SHOWN = 40


def describe(result: ComparisonResult, most: int | None) -> Description:
    """Return the median scores, the best of those with a treewidth limit marked, with the notes below."""
    limits = ("score" if limit is None else f"treewidth {limit}" for limit in result.max_treewidths)
    headings = ["source", "solver", *limits]
    rows = [row for source in result.sources for row in _rows(result, source)]
    shown = rows[:most]
    table = Table(headings, shown, len(rows) - len(shown), right=range(2, len(headings)))
    data = {
        "runs": len(result.runs),
        "failed": len(result.failures),
        "was_interrupted": result.was_interrupted,
        "notes": list(result.notes),
        "unbounded_scores": dict(result.unbounded_scores),
        "table": [row._asdict() for row in result.table()],
        "victories": [row._asdict() for row in result.victories()],
    }
    return Description(f"{title(result)}: median scores", tables=[table], notes=result.notes, data=data)


def title(result: ComparisonResult) -> str:
    """Return how much was run, in one line."""
    failed = f", {len(result.failures):,} failed" if result.failures else ""
    ended = ", interrupted" if result.was_interrupted else ""
    runs, solvers = counted(len(result.runs), "run"), counted(len(result.solvers), "solver")
    return f"{runs} of {solvers} on {counted(len(result.sources), 'source')}{failed}{ended}"


def _rows(result: ComparisonResult, source: str) -> list[list[Cell]]:
    columns = [_scores(result, source, limit) for limit in result.max_treewidths]
    return [[source, *row] for row in zip(result.solvers, *columns, strict=True)]


def _scores(result: ComparisonResult, source: str, limit: int | None) -> list[Cell]:
    """The scores of all solvers."""
    bounded = {run.spec.label for run in result.runs if run.spec.max_treewidth is not None}
    scores = {label: result.score_of(source, label, limit) for label in result.solvers}
    limited = [score for label, score in scores.items() if score is not None and label in bounded]
    best = max(limited, default=None)
    cells: list[Cell] = []
    for label, score in scores.items():
        if score is None:
            cells.append(Styled("none", "red"))
        else:
            is_best = best is not None and label in bounded and is_tied(score, best)
            cells.append(Styled(f"{score:,.2f}", "bold green" if is_best else ""))
    return cells
