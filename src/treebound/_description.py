"""What a result shows of itself, as plain data: a title, facts, tables and notes.

A class that derives from ``Described`` says once what there is to see. Text and JSON (here), HTML for
notebooks (``_html``) and rich tables for the terminal (``cli``) are made of it. Facts keep their values, so
JSON has numbers that are not rounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from treebound._visible import one_line, visible

MOST_ROWS = 20
_BAR_WIDTH = 24
_EIGHTHS = " ▏▎▍▌▋▊▉"
_LEVELS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Styled:
    """Text with a style of rich, which other renderings ignore."""

    text: str
    style: str


@dataclass(frozen=True)
class Bar:
    """A bar as long as a share of one."""

    share: float


@dataclass(frozen=True)
class Histogram:
    """Bars next to each other, the highest of full height."""

    shares: Sequence[float]


@dataclass(frozen=True)
class Curve:
    """A line through points, in steps: for notebooks alone."""

    xs: Sequence[float]
    ys: Sequence[float]


Cell: TypeAlias = str | Styled | Bar | Histogram


@dataclass(frozen=True)
class Table:
    """Rows below headings; ``left_out`` more are not shown. Columns ``right`` are aligned to the right."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    left_out: int = 0
    right: Sequence[int] = ()


@dataclass(frozen=True)
class Fact:
    """A named value: people read ``label`` and the formatted value, programs ``key`` and the value itself.

    Without a key it is for people alone.
    """

    label: str
    value: Any
    template: str = "{}"
    key: str = ""
    style: str = ""

    @property
    def text(self) -> str:
        """The value as people read it."""
        return self.template.format(self.value)


@dataclass(frozen=True)
class Description:
    """A title above facts, tables and notes; ``pictures`` are for notebooks, ``data`` for programs alone."""

    title: str
    facts: Sequence[Fact] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    pictures: Sequence[Curve | str] = ()  # a string is SVG
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the data, and the facts that have a key."""
        return dict(self.data) | {fact.key: fact.value for fact in self.facts if fact.key}


class Described:
    """Base of results that show themselves as text and in notebooks."""

    def describe(self) -> Description | str:
        """Return what there is to see: a description, or lines of text as they are."""
        raise NotImplementedError

    def __str__(self) -> str:
        return as_text(self.describe())

    def _repr_html_(self) -> str:
        from treebound._html import as_html

        return as_html(self.describe())


def as_text(shown: Description | str) -> str:
    """Return a description as lines of text."""
    if isinstance(shown, str):
        return shown
    width = max((len(fact.label) for fact in shown.facts), default=0)
    facts = [f"  {fact.label:<{width}}  {visible(fact.text)}" for fact in shown.facts]
    tables = [line for table in shown.tables for line in _table_lines(table)]
    title = [visible(shown.title)] if shown.title else []
    return "\n".join([*title, *facts, *tables, *(f"note: {visible(note)}" for note in shown.notes)])


def text_of(cell: Cell) -> str:
    """Return a cell as text."""
    if isinstance(cell, Styled):
        return cell.text
    if isinstance(cell, Bar):
        return _bar(cell.share)
    if isinstance(cell, Histogram):
        highest = max([*cell.shares, 1e-300])
        return "".join(_LEVELS[min(7, int(8 * share / highest))] for share in cell.shares[:MOST_ROWS])
    return cell


def _table_lines(table: Table) -> list[str]:
    is_chart = any(isinstance(cell, Bar) for row in table.rows for cell in row)  # which needs no headings
    shown = one_line if is_chart else visible
    rows = [[shown(text) if (text := text_of(cell)) else "" for cell in row] for row in table.rows]
    if not is_chart and any(table.headings):
        rows.insert(0, list(table.headings))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            f"{cell:>{width}}" if place in table.right else f"{cell:<{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return lines + ([f"... and {table.left_out:,} more"] if table.left_out else [])


def _bar(share: float) -> str:
    full, part = divmod(round(8 * _BAR_WIDTH * share), 8) if share == share else (0, 0)
    return "█" * full + (_EIGHTHS[part] if part else "")
