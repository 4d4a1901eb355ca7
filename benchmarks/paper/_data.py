"""Rows for the experiments: files of the folder TREEBOUND_DATA, and tables generated as the paper says."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from benchmarks.paper._definitions import SourceDefinition
from benchmarks.paper._sizes import column_names, num_variables

from treebound import (
    Dataset,
    ParentSetCache,
    Schema,
    Variable,
    load,
    load_cache,
    load_network,
    random_network,
)
from treebound.network import random_inverted_tree

PARTS = ("train", "valid", "test")


@dataclass(frozen=True)
class Instance:
    """A table, or a cache, of a source: a copy of its own or one of the splits."""

    name: str
    source: SourceDefinition
    number: int
    open: Callable[[], Dataset | ParentSetCache]


def instances(source: SourceDefinition, repeats: int | None = None) -> list[Instance]:
    """The copies or the splits of a source, at most so many."""
    count = max(source.copies, source.splits)
    shown = count if repeats is None else min(count, repeats)
    names = [source.name] if count == 1 else [f"{source.name} #{number + 1}" for number in range(shown)]
    return [
        Instance(name, source, number, partial(_opened, source_key(source), number))
        for number, name in enumerate(names)
    ]


def lacking(source: SourceDefinition) -> str | None:
    """Why a source cannot be had; None if it can."""
    paths = needed_files(source)
    if not paths:
        return None
    if "TREEBOUND_DATA" not in os.environ:
        return f"{source.name}: TREEBOUND_DATA is not set."
    absent = [path for path in paths if not (data_folder() / path).exists()]
    return f"{source.name}: {', '.join(absent)} not in TREEBOUND_DATA." if absent else None


def needed_files(source: SourceDefinition) -> list[str]:
    """Paths inside the data folder."""
    if source.parts is not None:
        return [f"{source.parts}.{part}.csv.gz" for part in PARTS]
    if source.network is not None:
        return [f"networks/{source.network['name']}.bif.gz"]
    if source.cache is not None:
        return [f"jkl/{source.cache}.jkl.gz"]
    files = (*((source.file,) if source.file else ()), *(source.variants or ()), *source.held_out)
    return [table_path(name) for name in files]


def table_path(name: str) -> str:
    """The path of a table inside the data folder."""
    return f"dat/{name}.dat.gz" if name.endswith("-5000") else f"{name}.csv.gz"


def size_of(source: SourceDefinition) -> int:
    """The number of variables of a source, without its rows."""
    return num_variables(source, [data_folder() / path for path in needed_files(source)])


def data_folder() -> Path:
    """The folder that TREEBOUND_DATA names."""
    return Path(os.environ["TREEBOUND_DATA"])


def open_file(name: str) -> Dataset:
    """A table of the data folder. Those in three parts are binary, also where a part is constant."""
    path = data_folder() / table_path(name)
    if not name.endswith(tuple(f".{part}" for part in PARTS)):
        return load(path)
    return load(path, schema=binary_schema(path))


def binary_schema(path: Path) -> Schema:
    """The columns of a file, each with the states 0 and 1."""
    return Schema(tuple(Variable(name, ("0", "1"), "integer", True) for name in column_names(path)))


def split(data: Dataset, number: int, count: int, seed: int) -> Dataset:
    """One of several random parts of the rows that have no row in common."""
    rows = np.random.default_rng(seed).permutation(data.num_rows)
    return Dataset(data.schema, data.codes[:, np.array_split(rows, count)[number]])


def source_key(source: SourceDefinition) -> tuple[str, str, int, int]:
    """What a source is made of, as a value that can be looked up."""
    for origin in ("file", "parts", "cache"):
        if (name := getattr(source, origin)) is not None:
            return origin, name, source.copies, source.splits
    for origin in ("network", "inverted_tree", "random_network"):
        if (made := getattr(source, origin)) is not None:
            return origin, " ".join(str(value) for value in made.values()), source.copies, source.splits
    raise ValueError(f"{source.name}: there is no single table of several variants.")


def _opened(key: tuple[str, str, int, int], number: int) -> Dataset | ParentSetCache:
    origin, words, copies, splits = key
    if splits > 1:
        whole = _whole(origin, words, 0)
        assert isinstance(whole, Dataset)
        return split(whole, number, splits, zlib.crc32(words.encode()))
    return _whole(origin, words, number if copies > 1 else 0)


# The splits of a table come one after the other, and the largest takes a while to make.
@lru_cache(maxsize=1)
def _whole(origin: str, words: str, number: int) -> Dataset | ParentSetCache:
    if origin == "file":
        return open_file(words)
    if origin == "cache":
        return load_cache(data_folder() / "jkl" / f"{words}.jkl.gz")
    if origin == "parts":
        parts = [open_file(f"{words}.{part}") for part in PARTS]
        return Dataset(parts[0].schema, np.concatenate([part.codes for part in parts], axis=1))
    if origin == "network":
        name, count = words.split()
        return load_network(data_folder() / "networks" / f"{name}.bif.gz").sample(int(count), seed=1)
    variables, *parents, rows = (int(size) for size in words.split())
    if origin == "inverted_tree":
        network = random_inverted_tree(variables, *parents, seed=number + 1)
    else:
        network = random_network(variables, seed=number + 1)
    return network.sample(rows, seed=number + 1)
