"""The report as a list of blocks, which are written as Markdown for the docs and as one page of HTML."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; color: #1f2933; max-width: 62rem; margin: 2rem auto }
body { padding: 0 1rem }
h1, h2 { line-height: 1.2; margin-top: 2.2em } h1 { margin-top: 0 }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; margin: 1em 0 }
th, td { padding: 0.25em 0.7em; text-align: right; border-bottom: 1px solid #e4e7eb }
th:first-child, td:first-child, .words { text-align: left } td:last-child { white-space: nowrap }
thead th { border-bottom: 2px solid #9aa5b1 }
img { max-width: 100%; height: auto } figure { margin: 1.5em 0 }
figcaption { font-size: 0.85rem; color: #52606d }
code { background: #f0f4f8; padding: 0.1em 0.3em; border-radius: 3px } .scroll { overflow-x: auto }
"""


@dataclass(frozen=True)
class Heading:
    """A heading of level 1 or 2."""

    words: str
    level: int = 2

    def markdown(self) -> str:
        """As Markdown."""
        return f"{'#' * self.level} {self.words}"

    def html(self, _: Path) -> str:
        """As HTML."""
        return f"<h{self.level}>{marked(self.words)}</h{self.level}>"


@dataclass(frozen=True)
class Text:
    """A paragraph, or a list if lines begin with a dash."""

    words: str

    def markdown(self) -> str:
        """As Markdown."""
        return self.words

    def html(self, _: Path) -> str:
        """As HTML."""
        lines = self.words.splitlines()
        if lines and all(line.startswith("- ") for line in lines):
            return "<ul>" + "".join(f"<li>{marked(line[2:])}</li>" for line in lines) + "</ul>"
        return f"<p>{marked(self.words)}</p>"


@dataclass(frozen=True)
class Table:
    """Cells as they are shown; the first column has names."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """As Markdown."""
        lines = [self.header, ["---"] * len(self.header), *self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def html(self, _: Path) -> str:
        """As HTML."""
        # A column of words stands at its left end, one of numbers at its right.
        kinds = ["" if _is_of_numbers(cells) else ' class="words"' for cells in zip(*self.rows, strict=True)]
        kinds = kinds or [""] * len(self.header)
        head = "".join(
            f"<th{kind}>{marked(cell)}</th>" for kind, cell in zip(kinds, self.header, strict=True)
        )
        rows = (zip(kinds, row, strict=True) for row in self.rows)
        body = "".join(
            "<tr>" + "".join(f"<td{kind}>{marked(cell)}</td>" for kind, cell in row) + "</tr>" for row in rows
        )
        return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


@dataclass(frozen=True)
class Picture:
    """A figure of the folder ``figures`` with what it shows."""

    name: str
    caption: str

    def markdown(self) -> str:
        """As Markdown."""
        return f"![{self.caption}](../figures/{self.name}.png)\n\n*{self.caption}*"

    def html(self, folder: Path) -> str:
        """As HTML, the picture inside."""
        packed = base64.b64encode((folder / f"{self.name}.png").read_bytes()).decode()
        words = html.escape(self.caption, quote=True)
        image = f'<img alt="{words}" src="data:image/png;base64,{packed}">'
        return f"<figure>{image}<figcaption>{marked(self.caption)}</figcaption></figure>"


Block = Heading | Text | Table | Picture


def as_markdown(blocks: Sequence[Block]) -> str:
    """The whole page."""
    return "\n\n".join(block.markdown() for block in blocks) + "\n"


def as_html(blocks: Sequence[Block], title: str, figures: Path) -> str:
    """The whole page, with nothing outside of it."""
    body = "\n".join(block.html(figures) for block in blocks)
    head = f"<title>{html.escape(title)}</title><style>{STYLE}</style>"
    meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    return f'<!doctype html>\n<html lang="en"><head>{meta}{head}</head>\n<body>\n{body}\n</body></html>\n'


def marked(words: str) -> str:
    """Plain words with `code`, **bold** and [links](...) of Markdown as HTML."""
    text = html.escape(words.replace("\\*", "&#42;"), quote=False).replace("&amp;#42;", "&#42;")
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    # The page stands alone, without the other pages of the docs.
    text = re.sub(r"\[([^\]]+)\]\(([^)]+\.md)\)", r"\1 (<code>docs/\2</code>)", text)
    return re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)


def _is_of_numbers(cells: Sequence[str]) -> bool:
    """Whether most of them are numbers; some may say why there is none."""
    numbers = [re.fullmatch(r"[*+\-\u2013\d.,/ %<>e]*", cell) is not None for cell in cells]
    return 2 * sum(numbers) > len(numbers)
