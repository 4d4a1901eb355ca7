"""Pieces of HTML for notebooks: tables of facts, bars and small pictures; every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from treebound._visible import visible, visible_lines

_BAR_WIDTH = 120  # pixels
_COLOUR = "#6fa8d0"
_CELL = 'style="text-align:left;vertical-align:middle"'
_LONGEST = 60  # letters
_LONGEST_LINE = 240
_SPARK = (160, 40)  # pixels


def told(text: object, longest: int = _LONGEST) -> str:
    """Any text, on one line, not too long and escaped."""
    flat = visible(text)
    return escape(flat if len(flat) <= longest else f"{flat[: longest - 1]}…")


def text_block(text: object) -> str:
    """Several lines as they are."""
    lines = [line[:_LONGEST_LINE] for line in visible_lines(text).split("\n")]
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def line(text: object) -> str:
    """One line of text below a table."""
    return f"<div>{told(text, _LONGEST_LINE)}</div>"


def section(title: str, *parts: str) -> str:
    """A title above pieces of HTML."""
    return f"<div><strong>{told(title, _LONGEST_LINE)}</strong>{''.join(parts)}</div>"


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """A table of names and values."""
    cells = [
        f"<tr><th {_CELL}>{told(name)}</th><td {_CELL}>{told(value, _LONGEST_LINE)}</td></tr>"
        for name, value in rows
    ]
    return f"<table>{''.join(cells)}</table>"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], left_out: int = 0) -> str:
    """A table whose cells are HTML already, with a line that counts the omitted rows."""
    head = "".join(f"<th {_CELL}>{told(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(f'<td {_CELL}>{cell}</td>' for cell in row)}</tr>" for row in rows)
    more = f"<div>… and {left_out:,} more</div>" if left_out else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def bar(share: float) -> str:
    """A bar as long as a share of one."""
    width = _BAR_WIDTH * share if share == share else 0.0
    rect = f'<rect width="{width:.1f}" height="12" fill="{_COLOUR}"/>'
    return f'<svg width="{_BAR_WIDTH}" height="12">{rect}</svg>'


def histogram(shares: Sequence[float]) -> str:
    """Bars beside each other, the highest of full height."""
    highest, width = max([*shares, 1e-300]), _BAR_WIDTH / max(len(shares), 1)
    drawn = [
        f'<rect x="{i * width:.1f}" y="{18 * (1 - share / highest):.1f}" width="{max(width - 1, 0.5):.1f}" '
        f'height="{18 * share / highest:.1f}" fill="{_COLOUR}"/>'
        for i, share in enumerate(shares)
    ]
    return f'<svg width="{_BAR_WIDTH}" height="18">{"".join(drawn)}</svg>'


def curve(xs: Sequence[float], ys: Sequence[float]) -> str:
    """A line through points, from the lower left to the upper right of its extent, in steps."""
    width, height = _SPARK
    across, up = max(max(xs) - min(xs), 1e-300), max(max(ys) - min(ys), 1e-300)
    points = [
        ((width - 4) * (x - min(xs)) / across + 2, (height - 4) * (max(ys) - y) / up + 2)
        for x, y in zip(xs, ys, strict=True)
    ]
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in points[1:])
    line = f'<path d="{path}" fill="none" stroke="{_COLOUR}" stroke-width="1.5"/>'
    return f'<svg width="{width}" height="{height}">{line}</svg>'
