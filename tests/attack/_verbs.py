"""The verbs that take a while, what they write, and how to tell that a file is whole, by our own parsers."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROWS = 20_000
SAMPLED = 100_000
COLUMNS = 40
LARGE = 2000


class Verb(NamedTuple):
    """Words with places for the world's folder and the output, its ending, and how to read that."""

    words: str
    ending: str
    is_whole: Callable[[bytes], bool]
    is_anytime: bool = False  # a signal may leave an earlier result

    def fill(self, folder: Path, out: Path) -> list[str]:
        """The words of a command."""
        return [word.format(world=folder, out=out) for word in self.words.split()]


def is_json(data: bytes, key: str, size: int) -> bool:
    """Whether these bytes are a whole JSON document with so many entries under a key."""
    try:
        return len(json.loads(data)[key]) == size
    except (ValueError, KeyError):
        return False


def is_csv(data: bytes, rows: int, columns: int) -> bool:
    """Whether these bytes are a table of this shape with a header."""
    found = list(csv.reader(io.StringIO(data.decode(), newline="")))
    return data.endswith(b"\n") and len(found) == rows + 1 and all(len(row) == columns for row in found)


def is_cache(data: bytes) -> bool:
    """Whether these bytes are an undamaged archive whose arrays fit each other."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if archive.testzip() is not None:
                return False
            counts, sizes, scores, parents = (
                np.load(io.BytesIO(archive.read(f"{name}.npy")))
                for name in ("set_counts", "sizes", "scores", "parents")
            )
    except zipfile.BadZipFile:
        return False
    return (
        len(counts) == COLUMNS and counts.sum() == len(sizes) == len(scores) and sizes.sum() == len(parents)
    )


def is_bif(data: bytes) -> bool:
    """Whether these bytes hold all blocks of the large network."""
    text = data.decode()
    return (
        text.count("probability (") == LARGE and text.count("{") == text.count("}") and text.endswith("}\n")
    )


VERBS = {
    "score": Verb("score {world}/table.csv -o {out} --time 2 --threads 2", ".tbc", is_cache, is_anytime=True),
    "learn": Verb(
        "learn {world}/table.csv -k 3 --time 2 -o {out}",
        ".json",
        lambda data: is_json(data, "parents", COLUMNS),
        is_anytime=True,
    ),
    "learn cache": Verb(
        "learn {world}/cache.tbc -k 3 --time 2 --threads 2 -o {out}",
        ".json",
        lambda data: is_json(data, "parents", COLUMNS),
        is_anytime=True,
    ),
    "learn em": Verb(
        "learn {world}/gaps.csv -k 2 --missing em --time 2 -o {out}",
        ".json",
        lambda data: is_json(data, "parents", COLUMNS),
    ),
    "density": Verb(
        "density {world}/table.csv --time 3 -o {out}", ".json", lambda data: data.rstrip().endswith(b"}")
    ),
    "impute table": Verb(
        "impute {world}/gaps.csv -k 2 --time 2 -o {out}",
        ".csv",
        lambda data: is_csv(data, ROWS, COLUMNS) and b",," not in data,
    ),
    "fit": Verb(
        "fit {world}/structure.json {world}/table.csv -o {out}",
        ".json",
        lambda data: is_json(data, "tables", COLUMNS),
    ),
    "impute": Verb(
        "impute {world}/network.json {world}/gaps.csv -o {out}",
        ".csv",
        lambda data: is_csv(data, ROWS, COLUMNS) and b",," not in data,
    ),
    "impute draw": Verb(
        "impute {world}/network.json {world}/gaps.csv -o {out} --strategy draw",
        ".csv",
        lambda data: is_csv(data, ROWS, COLUMNS) and b",," not in data,
    ),
    "sample": Verb(
        f"sample {{world}}/network.json -n {SAMPLED} -o {{out}}",
        ".csv",
        lambda data: is_csv(data, SAMPLED, COLUMNS),
    ),
    "convert": Verb("convert {world}/large.json {out}", ".bif", is_bif),
    "evaluate": Verb(
        "evaluate {world}/network.json {world}/gaps.csv -o {out}",
        ".csv",
        lambda data: is_csv(data, ROWS, 1),
    ),
}
