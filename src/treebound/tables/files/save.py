"""Tables on disk, written: separated text or Parquet, as the file's ending says.

Cells are looked up, not formatted: every state of every variable becomes one token, its label and the
delimiter after it, and a block of rows is one gather from the list of tokens.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from treebound._files import atomic_write, check_folder
from treebound.data import MAX_LISTED, Codes, Dataset, Variable
from treebound.tables.files.arrow import import_pyarrow
from treebound.tables.files.csv import DELIMITERS as SNIFFED
from treebound.tables.files.csv import MISSING

logger = logging.getLogger(__name__)

# Ending -> delimiter; both also with .gz.
DELIMITERS = {".csv": ",", ".tsv": "\t"}
TABLE_ENDINGS = (*(ending + gz for ending in DELIMITERS for gz in ("", ".gz")), ".parquet")

_MISLEADING = frozenset({*SNIFFED, "|", '"', "\r", "\n", "\ufeff"})

# Cells written at once: large enough to be quick, small enough to stay in memory whatever the table.
_CELLS_PER_BLOCK = 1 << 22
_BYTES_PER_BLOCK = 1 << 26


def save_table(dataset: Dataset, path: str | os.PathLike[str]) -> None:
    """Write a table to ``.csv``, ``.tsv`` (also ``.gz``) or ``.parquet``, replacing the file in one step."""
    target = check_table_path(path)
    is_text = target.suffix.lower() != ".parquet"
    for variable in dataset.schema:
        _check_texts([variable.name, *variable.states], variable.name, target, is_text)
    if is_text:
        _warn_of_missing(dataset, target)
    with atomic_write(target) as file:
        if is_text:
            _write_text(dataset, DELIMITERS[_ending(target).removesuffix(".gz")], file)
        else:
            _write_parquet(dataset, file)


def save_columns(
    columns: Mapping[str, Sequence[Any]], path: str | os.PathLike[str], delimiter: str | None = None
) -> None:
    """Write columns of any values, None for a missing one, to a file as ``save_table`` does.

    A text file gets the delimiter, or the one of its ending.
    """
    target = check_table_path(path)
    is_text = target.suffix.lower() != ".parquet"
    for name, values in columns.items():
        texts = {value for value in values if isinstance(value, str)}
        _check_texts([name, *texts], name, target, is_text)
    with atomic_write(target) as file:
        if not is_text:
            pyarrow = import_pyarrow()
            import_pyarrow("pyarrow.parquet").write_table(pyarrow.table(dict(columns)), file)
            return
        write_columns(columns, file, delimiter or DELIMITERS[_ending(target).removesuffix(".gz")])


def write_columns(columns: Mapping[str, Sequence[Any]], file: IO[bytes], delimiter: str = ",") -> None:
    """Write columns as text to a file that is open, such as the standard output."""
    for row in (columns, *zip(*columns.values(), strict=True)):
        cells = ("" if cell is None else _quoted(str(cell)) for cell in row)
        file.write(delimiter.join(cells).encode() + b"\n")


def check_table_path(path: str | os.PathLike[str]) -> Path:
    """Reject a path that no table can be written to, before any work is done for it."""
    target = Path(path)
    if _ending(target) not in TABLE_ENDINGS:
        raise ValueError(f"{target}: expected a file that ends in {', '.join(TABLE_ENDINGS)}.")
    check_folder(target)
    return target


def _check_texts(texts: Iterable[str], column: str, target: Path, is_text: bool) -> None:
    """Reject what a reader would not get back, before the file is touched."""
    for text in texts:
        if not _is_unicode(text):
            raise ValueError(f"{target}: {text!r} in column {column!r} cannot be written in UTF-8.")
        if is_text and "\0" in text:
            raise ValueError(
                f"{target}: text files cannot hold the character NUL of {text!r} in column {column!r}; "
                "write a .parquet file."
            )


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _warn_of_missing(dataset: Dataset, target: Path) -> None:
    marked = [v.name for v in dataset.schema if not MISSING.isdisjoint(v.states)]
    if marked:
        listed = ", ".join(map(repr, marked[:MAX_LISTED])) + (", ..." if len(marked) > MAX_LISTED else "")
        logger.warning(
            "%s: states of %s read as missing values; pass na_values=[] to load() to get them back",
            target,
            listed,
        )


def _ending(path: Path) -> str:
    name = path.name.lower()
    return next((ending for ending in TABLE_ENDINGS if name.endswith(ending)), path.suffix)


def _write_text(dataset: Dataset, delimiter: str, file: IO[bytes]) -> None:
    header = delimiter.join(_quoted(name) for name in dataset.schema.names)
    file.write(header.encode() + b"\n")
    tokens = [
        [*(_quoted(label).encode() + end for label in variable.known_states), end]
        for variable, end in zip(dataset.schema, _ends(dataset.num_variables, delimiter), strict=True)
    ]
    for block in _gather(tokens, dataset.codes):
        file.write(block)


def _quoted(label: str) -> str:
    """A label in quotes where RFC 4180 wants it or a reader could be misled.

    That is, if it is nothing or holds a quote, a line end, any delimiter that a reader may try, or the mark
    U+FEFF, which readers drop at the start of a file.
    """
    if label and _MISLEADING.isdisjoint(label):
        return label
    return '"' + label.replace('"', '""') + '"'


def _ends(num_variables: int, delimiter: str) -> list[bytes]:
    return [delimiter.encode()] * (num_variables - 1) + [b"\n"]


def _gather(tokens: list[list[bytes]], codes: Codes) -> Iterator[bytes]:
    """The text of the rows, a block at a time; ``tokens`` holds what each state of each variable becomes.

    The last token of a variable is that of a missing cell.
    """
    flat = [token for states in tokens for token in states]
    lengths = np.array([len(token) for token in flat])
    width = int(lengths.max())
    padded = np.array(flat, dtype=f"V{width}")
    first = np.cumsum([0, *map(len, tokens[:-1])])
    last = np.array([len(states) - 1 for states in tokens])
    num_cells = min(_CELLS_PER_BLOCK, _BYTES_PER_BLOCK // width)
    num_rows = max(1, num_cells // len(tokens))
    for start in range(0, codes.shape[1], num_rows):
        cells = codes[:, start : start + num_rows].T
        cells = np.where(cells < 0, last, cells) + first
        text = padded.take(cells).view(np.uint8).reshape(*cells.shape, width)
        if lengths.min() < width:
            text = text[np.arange(width) < lengths.take(cells)[..., None]]
        yield text.tobytes()


def _write_parquet(dataset: Dataset, file: IO[bytes]) -> None:
    pyarrow = import_pyarrow()
    columns = [_arrow_column(v, codes) for v, codes in zip(dataset.schema, dataset.codes, strict=True)]
    table = pyarrow.table(columns, names=list(dataset.schema.names))
    import_pyarrow("pyarrow.parquet").write_table(table, file)


def _arrow_column(variable: Variable, codes: Codes) -> Any:
    """A dictionary of values, one small integer per cell; Parquet gives numbers back as plain numbers."""
    pyarrow = import_pyarrow()
    values = variable.decode(np.arange(len(variable.known_states)))
    mask = (codes == variable.missing_code) | (codes < 0)
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes, mask=mask), pyarrow.array(values))
