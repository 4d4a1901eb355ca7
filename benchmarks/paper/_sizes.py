"""How many variables a source has, without its rows: planning must not read every table."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

from benchmarks.paper._definitions import SourceDefinition

_VARIABLE = "variable "  # as lines begin in BIF


def num_variables(source: SourceDefinition, paths: list[Path]) -> int:
    """The number of variables of a source that has these files, or is made."""
    for made in (source.inverted_tree, source.random_network):
        if made is not None:
            return int(made["variables"])
    if source.network is not None:
        with gzip.open(paths[0], "rt", encoding="utf-8") as file:
            return sum(line.startswith(_VARIABLE) for line in file)
    if source.cache is not None:
        with gzip.open(paths[0], "rt", encoding="utf-8") as file:
            return int(next(line for line in file if not line.startswith("#")))
    return len(column_names(paths[0]))


def column_names(path: Path) -> list[str]:
    """The first line of a table, which names its columns."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        line = file.readline()
    return line.split() if path.name.endswith(".dat.gz") else next(csv.reader([line]))
