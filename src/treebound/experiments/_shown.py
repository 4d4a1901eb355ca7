"""A comparison as text and as HTML: median scores by source, solver and treewidth limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treebound import _html
from treebound._visible import visible

if TYPE_CHECKING:
    from treebound.experiments._result import ComparisonResult

_MOST_SHOWN = 40


def as_text(result: ComparisonResult) -> str:
    """Return the scores as lines of columns, with the notes below."""
    rows = [_headings(result), *_rows(result)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows[: _MOST_SHOWN + 1]
    ]
    more = [f"... and {len(rows) - 1 - _MOST_SHOWN:,} more rows"] if len(rows) - 1 > _MOST_SHOWN else []
    return "\n".join([title(result), *lines, *more, *(f"note: {visible(note)}" for note in result.notes)])


def as_html(result: ComparisonResult) -> str:
    """Return the same for a notebook."""
    rows = _rows(result)
    cells = [list(map(_html.told, row)) for row in rows[:_MOST_SHOWN]]
    shown = _html.table(_headings(result), cells, max(0, len(rows) - _MOST_SHOWN))
    return _html.section(title(result), shown, *map(_html.line, result.notes))


def title(result: ComparisonResult) -> str:
    """Return how much was run, in one line."""
    failed = f", {len(result.failures):,} failed" if result.failures else ""
    ended = ", interrupted" if result.was_interrupted else ""
    numbers = (
        _counted(len(result.runs), "run"),
        _counted(len(result.solvers), "solver"),
        _counted(len(result.sources), "source"),
    )
    return f"{numbers[0]} of {numbers[1]} on {numbers[2]}{failed}{ended}: median scores"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _headings(result: ComparisonResult) -> list[str]:
    limits = ("score" if limit is None else f"treewidth {limit}" for limit in result.max_treewidths)
    return ["source", "solver", *limits]


def _rows(result: ComparisonResult) -> list[list[str]]:
    return [
        [
            visible(source),
            visible(solver),
            *(_score(result, source, solver, k) for k in result.max_treewidths),
        ]
        for source in result.sources
        for solver in result.solvers
    ]


def _score(result: ComparisonResult, source: str, solver: str, limit: int | None) -> str:
    score = result.score_of(source, solver, limit)
    return "none" if score is None else f"{score:,.2f}"
