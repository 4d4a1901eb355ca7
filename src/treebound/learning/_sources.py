"""What to learn from: a table, or a cache of scored parent sets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol, TypeAlias, Unpack

from treebound._files import MAX_UNPACKED_MB
from treebound.data import Dataset, Schema
from treebound.formats.cache_files import is_cache_path, load_cache
from treebound.scoring import ParentSetCache, ScoringResult
from treebound.tables import LoadingOptions, load


class Rows(Protocol):
    """Encoded rows: a :class:`Dataset`, or a table in parts on a cluster."""

    @property
    def schema(self) -> Schema:
        """The variables with their states."""

    @property
    def num_rows(self) -> int:
        """The number of rows."""


Source: TypeAlias = ParentSetCache | Rows


def open_source(source: Any, **loading: Unpack[LoadingOptions]) -> ParentSetCache | Dataset:
    """Return the cache or dataset that the source is, or load it from a file or a table.

    A cache is given as such, as the path of one (``.tbc``, ``.jkl``) or as the result of ``score``;
    everything else is a table. ``loading`` holds options of :func:`treebound.load`; of these, only
    ``max_unpacked_mb`` applies to caches.
    """
    if isinstance(source, ScoringResult):
        source = source.cache
    if isinstance(source, str | os.PathLike) and is_cache_path(source):
        limit = loading.pop("max_unpacked_mb", MAX_UNPACKED_MB)
        check_unread(loading)
        return load_cache(Path(source).expanduser(), max_unpacked_mb=limit)
    if isinstance(source, ParentSetCache | Dataset):
        check_unread(loading)
        return source
    return load(source, **loading)


def check_unread(loading: LoadingOptions) -> None:
    """Reject options of ``load`` for what is not a table, or has been loaded before."""
    if loading:
        raise ValueError(f"{next(iter(loading))} applies only to tables that are yet to be read; drop it.")
