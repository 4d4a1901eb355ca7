"""A text file with some of its cells replaced: every other byte stays as it is.

So the delimiter, the quotes, the line ends, the byte order mark and the encoding of the file are kept.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import TypeAlias

from treebound._files import MAX_UNPACKED_MB, atomic_write
from treebound.tables._table import Table
from treebound.tables.files.save import DELIMITERS, check_table_path
from treebound.tables.files.text import read_text

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\n|\r")

#: New cells by the index of the column, then by row.
NewCells: TypeAlias = Mapping[int, Mapping[int, str]]


def can_splice(table: Table, output: str | os.PathLike[str]) -> bool:
    """Whether a table comes from a text file, with the delimiter that the ending of the output asks for."""
    ending = Path(output).name.lower().removesuffix(".gz")[-4:]
    if table.delimiter is None or table.line is None or ending not in DELIMITERS:
        return False
    return (DELIMITERS[ending] == "\t") == (table.delimiter == "\t")


def save_spliced(
    path: Path,
    table: Table,
    cells: NewCells,
    output: str | os.PathLike[str],
    *,
    max_unpacked_mb: int = MAX_UNPACKED_MB,
) -> None:
    """Write the text file that a table was read from, with new cells in their places."""
    target = check_table_path(output)
    text = read_text(path, table.encoding, max_unpacked_mb)
    parts, at = [], 0
    for start, end, cell in _Places(text, table).replacements(cells):
        parts += [text[at:start], cell]
        at = end
    written = _encoded(b"".join([*parts, text[at:]]), table.encoding, target)
    with atomic_write(target) as file:
        file.write(written)


def _encoded(text: bytes, encoding: str, target: Path) -> bytes:
    if codecs.lookup(encoding).name == "utf-8":
        return text
    try:
        return text.decode().encode(encoding)
    except UnicodeEncodeError as error:
        sign = error.object[error.start : error.end]
        message = f"{target}: {sign!r} cannot be written in {encoding}; write a .parquet file."
        raise ValueError(message) from None


class _Places:
    """Where the cells of a table are in its text."""

    def __init__(self, text: bytes, table: Table) -> None:
        self.text = text
        self.table = table
        self.delimiter = (table.delimiter or ",").encode()
        self.cell = re.compile(rb'"(?:[^"]|"")*"|[^\r\n' + re.escape(self.delimiter) + rb"]*")
        first = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
        self.lines = [first, *(found.end() for found in _LINE_END.finditer(text))]

    def replacements(self, cells: NewCells) -> Iterator[tuple[int, int, bytes]]:
        """Where the text is replaced and by what, in order."""
        by_row: dict[int, list[int]] = {}
        for column in sorted(cells):
            for row in cells[column]:
                by_row.setdefault(row, []).append(column)
        quoted = {column: self._has_quotes(column, cells[column]) for column in cells}
        for row in sorted(by_row):
            places = self._row(row)
            for column in by_row[row]:
                start, end = places[column]
                must_quote = quoted[column] or self.text[start : start + 1] == b'"'
                yield start, end, self._written(cells[column][row], must_quote)

    def _row(self, row: int) -> list[tuple[int, int]]:
        """Start and end of each cell of a row, quotes included."""
        places = []
        at = self.lines[self.table.line(row) - 1] if self.table.line else 0
        while True:
            found = self.cell.match(self.text, at)
            at = found.end() if found else at
            places.append(found.span() if found else (at, at))
            if self.text[at : at + 1] != self.delimiter:
                return places
            at += 1

    def _has_quotes(self, column: int, new: Mapping[int, str]) -> bool:
        """Whether the first known cell of a column is in quotes."""
        known = next((row for row in count() if row not in new), 0)
        if known >= self.table.num_rows:
            return False
        start, _ = self._row(known)[column]
        return self.text[start : start + 1] == b'"'

    def _written(self, cell: str, must_quote: bool) -> bytes:
        text = cell.encode()
        if must_quote or not text or any(sign in text for sign in (b'"', b"\r", b"\n", self.delimiter)):
            return b'"' + text.replace(b'"', b'""') + b'"'
        return text
