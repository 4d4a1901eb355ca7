"""CSV and TSV: RFC 4180 quotes, any line ends, gzip or not; the tokenizer is in the core."""

from __future__ import annotations

import csv as csv_module
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from treebound._arguments import check_integer, check_type
from treebound._core import CsvFault, CsvTable, read_csv
from treebound._files import MAX_UNPACKED_MB, check_encoding, check_max_unpacked
from treebound.data import DataError, Problem, parse_numbers
from treebound.tables._table import Column, Table
from treebound.tables.files.lines import table_lines
from treebound.tables.files.text import read_text

MISSING = frozenset({"", "NA", "NaN", "nan", "null"})
DELIMITERS = (",", "\t", ";")
_OTHER_SIGNS = ("|", "\t", ";", ",", " ")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Written:
    """How a text file is written: what stands between cells, its encoding, whether it begins with names.

    ``skip_rows`` lines at its start, and lines that start with ``comment``, are no part of the table. Text
    that is not in the encoding may be in that of an earlier table, the ``fallback``.
    """

    delimiter: str | None = None
    encoding: str = "utf-8"
    header: bool = True
    max_unpacked_mb: int = MAX_UNPACKED_MB
    skip_rows: int = 0
    comment: str | None = None
    fallback: str | None = None

    def __post_init__(self) -> None:
        for option in ("delimiter", "comment"):
            sign = getattr(self, option)
            check_type(option, sign, str | None, "one character or None")
            if sign is not None and (len(sign.encode()) != 1 or sign in '"\r\n\0'):
                raise ValueError(
                    f"{option} must be one ASCII character other than a quote or line end, got {sign!r}."
                )
        check_integer("skip_rows", self.skip_rows, 0)
        check_type("header", self.header, bool, "True or False")
        check_encoding(self.encoding)
        check_max_unpacked(self.max_unpacked_mb)


def read_table(path: Path, written: Written) -> Table:
    """The table in a file of separated text; the delimiter follows from the ending and the first line."""
    text = read_text(path, written.encoding, written.max_unpacked_mb, written.fallback)
    return table_of_text(text, written, str(path), is_tsv=".tsv" in path.suffixes[-2:])


def table_of_text(text: bytes, written: Written, source: str, *, is_tsv: bool = False) -> Table:
    """The table in separated UTF-8 text that is written in some way."""
    text, lines = table_lines(text, written.skip_rows, written.comment)
    delimiter = written.delimiter
    if delimiter is None:
        delimiter = "\t" if is_tsv else sniff(text)
        check_split(text, delimiter, source)
    return parse_table(text, delimiter, header=written.header, source=source, lines=lines)


def sniff(text: bytes) -> str:
    """The delimiter that occurs most often in the first line outside quotes, a comma if none does."""
    bare = _bare_first_line(text)
    return max(DELIMITERS, key=lambda delimiter: bare.count(delimiter.encode()))


def _bare_first_line(text: bytes) -> bytes:
    """What stands outside quotes in the first line."""
    first_line = text[: 1 << 20].lstrip(b"\xef\xbb\xbf\r\n").partition(b"\n")[0].partition(b"\r")[0]
    return b"".join(first_line.split(b'"')[::2])


def check_split(text: bytes, delimiter: str, source: str) -> None:
    """Reject to read one column where another sign parts all lines into as many cells."""
    bare = _bare_first_line(text)
    if delimiter.encode() in bare:
        return
    for sign in _OTHER_SIGNS:
        if sign == delimiter or sign.encode() not in bare:
            continue
        cells = read_csv(text, sign, '"')
        is_even = cells.fault == CsvFault.NONE and not cells.num_ragged and cells.num_rows
        if is_even and all(cells.names) and (sign != " " or _has_numbers(cells)):
            message = f"{sign!r} parts each of its lines into {len(cells.names)} cells"
            raise DataError([Problem("delimiter", message)], source)


def _has_numbers(cells: CsvTable) -> bool:
    """Whether a column holds nothing but numbers; texts of several words may have equally many."""
    return any(parse_numbers(cells.labels(index)) is not None for index in range(len(cells.names)))


def parse_table(
    text: bytes, delimiter: str, *, header: bool = True, source: str, lines: Sequence[int] | None = None
) -> Table:
    """The table in separated UTF-8 text; ``lines`` are those of the file if some were skipped."""
    num_added = 0
    if not header:
        text, num_added = _with_names(text, delimiter), 1

    def line_of(line: int) -> int:
        return line - num_added if lines is None else lines[line - num_added - 1]

    cells = read_csv(text, delimiter, '"')
    check_cells(cells, source, line_of)
    return Table(
        names=tuple(cells.names),
        num_rows=cells.num_rows,
        column=lambda index: Column(cells.codes(index), cells.labels(index)),
        source=source,
        is_text=True,
        na_values=MISSING,
        line=lambda row: line_of(cells.line(row)),
        delimiter=delimiter,
    )


def _with_names(text: bytes, delimiter: str) -> bytes:
    """The text below a line of names, v0, v1 and so on, as many as its first line has cells."""
    text = text.removeprefix(_BYTE_ORDER_MARK)
    first = csv_module.reader(io.StringIO(text[: 1 << 20].decode(errors="replace")), delimiter=delimiter)
    cells = next((row for row in first if row), [])
    names = delimiter.join(f"v{index}" for index in range(len(cells)))
    return names.encode() + b"\n" + text if cells else b""


def check_cells(cells: CsvTable, source: str, line_of: Callable[[int], int] = int) -> None:
    """Reject what the tokenizer could not split into a rectangle; ``line_of`` gives lines of the file."""
    if cells.fault != CsvFault.NONE:
        raise DataError([_fault_problem(cells, line_of)], source)
    if not cells.names:
        raise DataError([Problem("empty", "the file is empty")], source)
    if cells.num_ragged:
        raise DataError(_ragged_problems(cells, line_of), source)


def _fault_problem(cells: CsvTable, line_of: Callable[[int], int]) -> Problem:
    place = f"line {line_of(cells.fault_line)}, cell {cells.fault_cell}"
    if cells.fault == CsvFault.UNTERMINATED_QUOTE:
        return Problem("quote", f"the quote that opens in {place} is never closed")
    if cells.fault == CsvFault.TEXT_AFTER_QUOTE:
        return Problem(
            "quote", f"text follows the closing quote in {place}; a quote inside quotes is doubled"
        )
    return Problem("columns", f"the first line has more than {cells.fault_cell - 1} cells")


def _ragged_problems(cells: CsvTable, line_of: Callable[[int], int]) -> list[Problem]:
    expected = len(cells.names)
    # A title or a comment stands above the names.
    kind = "first line" if expected == 1 or cells.names[0].startswith("#") else "ragged"
    problems = [
        Problem(kind, f"line {line_of(row.line)}: {row.num_cells} cells, not {expected}")
        for row in cells.ragged
    ]
    if cells.num_ragged > len(problems):
        problems.append(Problem(kind, f"and {cells.num_ragged - len(problems)} more lines"))
    return problems
