"""CSV and TSV: RFC 4180 quotes, any line ends, gzip or not; the tokenizer is in the core."""

from __future__ import annotations

import csv as csv_module
import io
from dataclasses import dataclass
from pathlib import Path

from treebound._arguments import check_type
from treebound._core import CsvFault, CsvTable, read_csv
from treebound._files import MAX_UNPACKED_MB
from treebound.data._numbers import parse_numbers
from treebound.data._problems import DataError, Problem
from treebound.data._table import Column, Table
from treebound.data.files.text import read_text

MISSING = frozenset({"", "NA", "NaN", "nan", "null"})
DELIMITERS = (",", "\t", ";")
_OTHER_SIGNS = ("|", "\t", ";", ",", " ")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Written:
    """How a text file is written: what stands between cells, its encoding, whether it begins with names."""

    delimiter: str | None = None
    encoding: str = "utf-8"
    header: bool = True
    max_unpacked_mb: int = MAX_UNPACKED_MB


def read_table(path: Path, written: Written) -> Table:
    """The table in a file of separated text; the delimiter is told from the ending and the first line."""
    text = read_text(path, written.encoding, written.max_unpacked_mb)
    delimiter = written.delimiter
    if delimiter is None:
        delimiter = "\t" if ".tsv" in path.suffixes[-2:] else sniff(text)
        check_split(text, delimiter, str(path))
    return parse_table(text, delimiter, header=written.header, source=str(path))


def check_delimiter(delimiter: str | None) -> None:
    """Refuse what cannot stand between cells."""
    check_type("delimiter", delimiter, str | None, "one character or None")
    if delimiter is not None and (len(delimiter.encode()) != 1 or delimiter in '"\r\n\0'):
        raise ValueError(
            f"delimiter must be one ASCII character other than a quote or line end, got {delimiter!r}."
        )


def sniff(text: bytes) -> str:
    """The delimiter that occurs most often in the first line outside quotes, a comma if none does."""
    bare = _bare_first_line(text)
    return max(DELIMITERS, key=lambda delimiter: bare.count(delimiter.encode()))


def _bare_first_line(text: bytes) -> bytes:
    """What stands outside quotes in the first line."""
    first_line = text[: 1 << 20].lstrip(b"\xef\xbb\xbf\r\n").partition(b"\n")[0].partition(b"\r")[0]
    return b"".join(first_line.split(b'"')[::2])


def check_split(text: bytes, delimiter: str, source: str) -> None:
    """Refuse to read one column where another sign parts all lines into as many cells."""
    bare = _bare_first_line(text)
    if delimiter.encode() in bare:
        return
    for sign in _OTHER_SIGNS:
        if sign == delimiter or sign.encode() not in bare:
            continue
        cells = read_csv(text, sign, '"')
        is_even = cells.fault == CsvFault.NONE and not cells.num_ragged and cells.num_rows
        if is_even and all(cells.names) and (sign != " " or _has_numbers(cells)):
            words = f"{sign!r} parts each of its lines into {len(cells.names)} cells"
            raise DataError([Problem("delimiter", words)], source)


def _has_numbers(cells: CsvTable) -> bool:
    """Whether a column holds nothing but numbers; texts of several words may have equally many."""
    return any(parse_numbers(cells.labels(index)) is not None for index in range(len(cells.names)))


def parse_table(text: bytes, delimiter: str, *, header: bool = True, source: str) -> Table:
    """The table in separated UTF-8 text."""
    num_added = 0
    if not header:
        text, num_added = _with_names(text, delimiter), 1
    cells = read_csv(text, delimiter, '"')
    check_cells(cells, source, num_added)
    return Table(
        names=tuple(cells.names),
        num_rows=cells.num_rows,
        column=lambda index: Column(cells.codes(index), cells.labels(index)),
        source=source,
        is_text=True,
        na_values=MISSING,
        line=lambda row: cells.line(row) - num_added,
    )


def _with_names(text: bytes, delimiter: str) -> bytes:
    """The text below a line of names, v0, v1 and so on, as many as its first line has cells."""
    text = text.removeprefix(_BYTE_ORDER_MARK)
    first = csv_module.reader(io.StringIO(text[: 1 << 20].decode(errors="replace")), delimiter=delimiter)
    cells = next((row for row in first if row), [])
    names = delimiter.join(f"v{index}" for index in range(len(cells)))
    return names.encode() + b"\n" + text if cells else b""


def check_cells(cells: CsvTable, source: str, num_added: int = 0) -> None:
    """Refuse what the tokenizer could not split into a rectangle; some lines may not be those of the file."""
    if cells.fault != CsvFault.NONE:
        raise DataError([_fault_problem(cells, num_added)], source)
    if not cells.names:
        raise DataError([Problem("empty", "the file is empty")], source)
    if cells.num_ragged:
        raise DataError(_ragged_problems(cells, num_added), source)


def _fault_problem(cells: CsvTable, num_added: int) -> Problem:
    place = f"line {cells.fault_line - num_added}, cell {cells.fault_cell}"
    if cells.fault == CsvFault.UNTERMINATED_QUOTE:
        return Problem("quote", f"the quote that opens in {place} is never closed")
    if cells.fault == CsvFault.TEXT_AFTER_QUOTE:
        return Problem(
            "quote", f"text follows the closing quote in {place}; a quote inside quotes is doubled"
        )
    return Problem("columns", f"the first line has more than {cells.fault_cell - 1} cells")


def _ragged_problems(cells: CsvTable, num_added: int) -> list[Problem]:
    expected = len(cells.names)
    problems = [
        Problem("ragged", f"line {row.line - num_added}: {row.num_cells} cells, not {expected}")
        for row in cells.ragged
    ]
    if cells.num_ragged > len(problems):
        problems.append(Problem("ragged", f"and {cells.num_ragged - len(problems)} more lines"))
    return problems
