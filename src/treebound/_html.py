"""Descriptions as HTML for notebooks; every text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from treebound._description import Bar, Cell, Curve, Description, Histogram, Table, text_of
from treebound._visible import visible, visible_lines

_BAR_WIDTH = 120  # pixels
_COLOUR = "#6fa8d0"
_CELL = 'style="text-align:left;vertical-align:middle"'
_LONGEST = 60  # letters
_LONGEST_LINE = 240
_SPARK = (160, 40)  # pixels


def as_html(shown: Description | str) -> str:
    """Return a description as one element."""
    if isinstance(shown, str):
        lines = [line[:_LONGEST_LINE] for line in visible_lines(shown).split("\n")]
        return f"<pre>{escape(chr(10).join(lines))}</pre>"
    parts = [_facts(shown)] if shown.facts else []
    parts += map(_table, shown.tables)
    parts += (f"<div>note: {escaped(note, _LONGEST_LINE)}</div>" for note in shown.notes)
    parts += (picture if isinstance(picture, str) else _curve(picture) for picture in shown.pictures)
    return f"<div><strong>{escaped(shown.title, _LONGEST_LINE)}</strong>{''.join(parts)}</div>"


def escaped(text: object, longest: int = _LONGEST) -> str:
    """Return any text on one line, cut if it is long, and escaped."""
    flat = visible(text)
    return escape(flat if len(flat) <= longest else f"{flat[: longest - 1]}…")


def _facts(shown: Description) -> str:
    cells = [
        f"<tr><th {_CELL}>{escaped(fact.label)}</th><td {_CELL}>{escaped(fact.text, _LONGEST_LINE)}</td></tr>"
        for fact in shown.facts
    ]
    return f"<table>{''.join(cells)}</table>"


def _table(table: Table) -> str:
    head = "".join(f"<th {_CELL}>{escaped(heading)}</th>" for heading in table.headings)
    body = "".join(_row(row) for row in table.rows)
    more = f"<div>… and {table.left_out:,} more</div>" if table.left_out else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _row(cells: Sequence[Cell]) -> str:
    return f"<tr>{''.join(f'<td {_CELL}>{_cell(cell)}</td>' for cell in cells)}</tr>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, Bar):
        width = _BAR_WIDTH * cell.share if cell.share == cell.share else 0.0
        return _svg(_BAR_WIDTH, 12, f'<rect width="{width:.1f}" height="12" fill="{_COLOUR}"/>')
    return _histogram(cell.shares) if isinstance(cell, Histogram) else escaped(text_of(cell))


def _histogram(shares: Sequence[float]) -> str:
    highest, width = max([*shares, 1e-300]), _BAR_WIDTH / max(len(shares), 1)
    drawn = [
        f'<rect x="{i * width:.1f}" y="{18 * (1 - share / highest):.1f}" width="{max(width - 1, 0.5):.1f}" '
        f'height="{18 * share / highest:.1f}" fill="{_COLOUR}"/>'
        for i, share in enumerate(shares)
    ]
    return _svg(_BAR_WIDTH, 18, "".join(drawn))


def _curve(curve: Curve) -> str:
    """Draw from the lower left to the upper right of the extent."""
    (width, height), xs, ys = _SPARK, curve.xs, curve.ys
    across, up = max(max(xs) - min(xs), 1e-300), max(max(ys) - min(ys), 1e-300)
    points = [
        ((width - 4) * (x - min(xs)) / across + 2, (height - 4) * (max(ys) - y) / up + 2)
        for x, y in zip(xs, ys, strict=True)
    ]
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in points[1:])
    return _svg(width, height, f'<path d="{path}" fill="none" stroke="{_COLOUR}" stroke-width="1.5"/>')


def _svg(width: float, height: float, drawn: str) -> str:
    return f'<svg width="{width}" height="{height}">{drawn}</svg>'
