"""CSV and TSV: RFC 4180 quotes, any line ends, gzip or not; the tokenizer is in the core."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from treebound._arguments import check_type
from treebound._core import CsvFault, CsvTable, read_csv
from treebound.data._problems import DataError, Problem
from treebound.data._table import Column, Table
from treebound.data.files.text import read_text

MISSING = frozenset({"", "NA", "NaN", "nan", "null"})
DELIMITERS = (",", "\t", ";")


def read_table(
    path: Path,
    *,
    na_values: Collection[str] | None,
    delimiter: str | None,
    encoding: str,
    max_unpacked_mb: int,
) -> Table:
    """The table in a file of separated text; the delimiter is told from the ending and the first line."""
    text = read_text(path, encoding, max_unpacked_mb)
    if delimiter is None:
        delimiter = "\t" if ".tsv" in path.suffixes[-2:] else sniff(text)
    return parse_table(text, delimiter, na_values=na_values, source=str(path))


def check_delimiter(delimiter: str | None) -> None:
    """Refuse what cannot stand between cells."""
    check_type("delimiter", delimiter, str | None, "one character or None")
    if delimiter is not None and (len(delimiter.encode()) != 1 or delimiter in '"\r\n\0'):
        raise ValueError(
            f"delimiter must be one ASCII character other than a quote or line end, got {delimiter!r}."
        )


def sniff(text: bytes) -> str:
    """The delimiter that occurs most often in the first line outside quotes, a comma if none does."""
    first_line = text[: 1 << 20].lstrip(b"\xef\xbb\xbf\r\n").partition(b"\n")[0].partition(b"\r")[0]
    bare = b"".join(first_line.split(b'"')[::2])
    return max(DELIMITERS, key=lambda delimiter: bare.count(delimiter.encode()))


def parse_table(text: bytes, delimiter: str, *, na_values: Collection[str] | None, source: str) -> Table:
    """The table in separated UTF-8 text."""
    cells = read_csv(text, delimiter, '"')
    check_cells(cells, source)
    return Table(
        names=tuple(cells.names),
        num_rows=cells.num_rows,
        column=lambda index: Column(cells.codes(index), cells.labels(index)),
        source=source,
        is_text=True,
        na_values=MISSING if na_values is None else frozenset(na_values),
        line=cells.line,
    )


def check_cells(cells: CsvTable, source: str) -> None:
    """Refuse what the tokenizer could not split into a rectangle."""
    if cells.fault != CsvFault.NONE:
        raise DataError([_fault_problem(cells)], source)
    if not cells.names:
        raise DataError([Problem("empty", "the file is empty")], source)
    if cells.num_ragged:
        raise DataError(_ragged_problems(cells), source)


def _fault_problem(cells: CsvTable) -> Problem:
    place = f"line {cells.fault_line}, cell {cells.fault_cell}"
    if cells.fault == CsvFault.UNTERMINATED_QUOTE:
        return Problem("quote", f"the quote that opens in {place} is never closed")
    if cells.fault == CsvFault.TEXT_AFTER_QUOTE:
        return Problem(
            "quote", f"text follows the closing quote in {place}; a quote inside quotes is doubled"
        )
    return Problem("columns", f"the first line has more than {cells.fault_cell - 1} cells")


def _ragged_problems(cells: CsvTable) -> list[Problem]:
    expected = len(cells.names)
    problems = [
        Problem("ragged", f"line {row.line}: {row.num_cells} cells, not {expected}") for row in cells.ragged
    ]
    if cells.num_ragged > len(problems):
        problems.append(Problem("ragged", f"and {cells.num_ragged - len(problems)} more lines"))
    return problems
