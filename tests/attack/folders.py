"""Folders of Parquet files: nested, Hive, hidden and foreign ones, against a walk over their names."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import unquote

from ._laws import expect

SECONDS = 60.0
MEMORY_MB = None

_FOLDERS = [
    "jan.parquet", "data", "b b", "é", "_temporary", ".ipynb_checkpoints", "_delta_log", "x.pq",
    "year=2024", "year=2025", "year=07", "place=north", "place=a%20b", "place=7",
    "year=__HIVE_DEFAULT_PARTITION__", "b=1",
]  # fmt: skip
_FILES = [
    "part.0.parquet",
    "0.parquet",
    "00000_0",
    "x.pq",
    "_metadata",
    ".part.crc",
    "_SUCCESS",
    "notes.txt",
    "=.parquet",
]
_BAD = [b"", b"PAR1", b"a,b\n1,2\n", b"PK\x03\x04\0"]


class Case(NamedTuple):
    """Paths with the rows of each file, or the bytes of a file that is not Parquet."""

    files: tuple[tuple[str, int | bytes], ...]


def make(random: Random) -> Case:
    """Draw up to 6 files; most cases hold Parquet files only."""
    share_bad = random.choice([0.0, 0.0, 0.2])
    files: dict[str, int | bytes] = {}
    for _ in range(random.randint(1, 6)):
        path = "/".join([*random.choices(_FOLDERS, k=random.randint(0, 3)), random.choice(_FILES)])
        taken = any(path.startswith(f"{other}/") or other.startswith(f"{path}/") for other in files)
        keys = [part.partition("=")[0] for part in path.split("/")[:-1] if "=" in part]
        if not taken and len(set(keys)) == len(keys):
            files[path] = random.choice(_BAD) if random.random() < share_bad else random.randint(1, 4)
    return Case(tuple(files.items()))


def check(case: Case) -> None:
    """One process and a cluster read the visible files, or name a file that is not Parquet."""
    with tempfile.TemporaryDirectory() as folder:
        _write(case, Path(folder))
        visible = {path: content for path, content in case.files if not _is_hidden(path)}
        bad = [path for path, content in visible.items() if isinstance(content, bytes)]
        for reader in (_rows_here, _rows_in_parts):
            try:
                found = reader(folder)
            except ValueError as error:
                is_bad = bool(bad) or not visible or _has_empty_key(visible)
                expect(is_bad, "a good folder is read", error)
                named = any(str(Path(folder) / path) in str(error) for path in bad)
                expect(named or not bad or _has_empty_key(visible), "a bad file is named", error)
            else:
                expect(bool(visible) and not bad, "a bad folder is rejected", found)
                expect(found == _truth(visible), "rows are those of the visible files", found)


def shrink(case: Case) -> Iterator[Case]:
    """Leave out a file, a folder of a path, or rows."""
    for index, (path, content) in enumerate(case.files):
        others = case.files[:index] + case.files[index + 1 :]
        yield Case(others)
        *folders, name = path.split("/")
        for at in range(len(folders)):
            shorter = "/".join([*folders[:at], *folders[at + 1 :], name])
            if all(shorter != other and not other.startswith(f"{shorter}/") for other, _ in others):
                yield Case((*others, (shorter, content)))
        if isinstance(content, int) and content > 1:
            yield Case((*others, (path, 1)))


def _write(case: Case, folder: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    for number, (path, content) in enumerate(case.files):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            target.write_bytes(content)
        else:
            rows = pyarrow.table({"a": [f"{number}/{row}" for row in range(content)], "b": [0] * content})
            pyarrow.parquet.write_table(rows, target)


def _is_hidden(path: str) -> bool:
    return any(part.startswith(("_", ".")) for part in path.split("/"))


def _keys(path: str) -> dict[str, str | None]:
    pairs = [part.split("=") for part in path.split("/")[:-1] if "=" in part]
    return {key: None if value == "__HIVE_DEFAULT_PARTITION__" else unquote(value) for key, value in pairs}


def _has_empty_key(visible: dict[str, Any]) -> bool:
    """Whether a key has no value in any file; pyarrow cannot infer its type."""
    keys = {key for path in visible for key in _keys(path)}
    return any(all(_keys(path).get(key) is None for path in visible) for key in keys)


def _truth(visible: dict[str, Any]) -> Counter[Any]:
    keys = sorted({key for path in visible for key in _keys(path)})
    texts = {key: [text for path in visible if (text := _keys(path).get(key)) is not None] for key in keys}
    whole = {key for key in keys if all(text.isdecimal() for text in texts[key])}
    rows: Counter[Any] = Counter()
    for path, count in visible.items():
        shared: dict[str, Any] = _keys(path)
        shared = {
            key: int(shared[key]) if key in whole and shared.get(key) else shared.get(key) for key in keys
        }
        for row in range(count):
            rows[_row({"b": 0} | shared | {"a": row})] += 1
    return rows


def _row(cells: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(cells.items()))


def _rows_of(table: Any) -> Counter[Any]:
    columns = [table.read(index) for index in range(len(table.names))]
    rows: Counter[Any] = Counter()
    for row in range(table.num_rows):
        cells = {
            name: column.values[int(column.codes[row])]
            for name, column in zip(table.names, columns, strict=True)
        }
        rows[_row(cells | {"a": int(cells["a"].partition("/")[2])})] += 1
    return rows


def _rows_here(folder: str) -> Counter[Any]:
    from treebound.tables import open_table

    return _rows_of(open_table(folder))


def _rows_in_parts(folder: str) -> Counter[Any]:
    from treebound.distributed._sources import list_parts

    return sum((_rows_of(part.table()) for part in list_parts(folder)), Counter())
