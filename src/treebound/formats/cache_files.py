"""Caches on disk: the file's ending chooses the format."""

from __future__ import annotations

import os

from treebound._arguments import check_type
from treebound._files import MAX_UNPACKED_MB, check_max_unpacked, rejecting_bad_files
from treebound.formats.jkl import read_jkl, write_jkl
from treebound.formats.tbc import read_tbc, write_tbc
from treebound.scoring.cache import CacheError, ParentSetCache

JKL_ENDINGS = (".jkl", ".jkl.gz", ".jaa", ".jaa.gz")
TBC_ENDINGS = (".tbc",)
CACHE_ENDINGS = JKL_ENDINGS + TBC_ENDINGS


def load_cache(path: str | os.PathLike[str], *, max_unpacked_mb: int = MAX_UNPACKED_MB) -> ParentSetCache:
    """Read a cache from a ``.jkl``, ``.jkl.gz`` or native ``.tbc`` file.

    Parameters
    ----------
    path : str or path-like
        The file; its ending selects the format, and ``.gz`` is unpacked.
    max_unpacked_mb : int
        Reject files that unpack to more than this.

    Returns
    -------
    ParentSetCache

    Raises
    ------
    CacheError
        If the file is damaged or has another format.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> import treebound as tb
    >>> cache = tb.ParentSetCache.from_sets({"a": [((), -3.0)], "b": [(["a"], -1.0)]})
    >>> tb.save_cache(cache, "scores.tbc")
    >>> tb.load_cache("scores.tbc").num_sets
    2
    """
    read = read_tbc if _is_native(path) else read_jkl
    check_max_unpacked(max_unpacked_mb)
    with rejecting_bad_files(path, CacheError):
        return read(path, max_unpacked_mb)


def save_cache(cache: ParentSetCache, path: str | os.PathLike[str], *, header: bool = False) -> None:
    """Write a cache to a file, replacing it in one step.

    ``.jkl`` and ``.jkl.gz`` keep names, sets and scores. The native ``.tbc`` keeps everything.

    Parameters
    ----------
    cache : ParentSetCache
        What to write.
    path : str or path-like
        The file; its ending selects the format, and ``.gz`` at the end compresses it.
    header : bool
        Add comments about the score to a ``.jkl`` file, which some readers reject.

    Raises
    ------
    CacheError
        If the format is unknown or cannot hold the cache.

    Examples
    --------
    >>> import treebound as tb
    >>> cache = tb.ParentSetCache.from_sets({"a": [((), -3.0)], "b": [(["a"], -1.0)]})
    >>> tb.save_cache(cache, "scores.tbc")
    >>> tb.load_cache("scores.tbc").num_sets
    2
    """
    if _is_native(path):
        write_tbc(cache, path)
    else:
        write_jkl(cache, path, header=header)


def is_cache_path(path: str | os.PathLike[str]) -> bool:
    """Whether a file's name ends as that of a cache does."""
    check_type("path", path, str | os.PathLike, "the path of a file")
    return os.fspath(path).lower().endswith(CACHE_ENDINGS)


def _is_native(path: str | os.PathLike[str]) -> bool:
    if is_cache_path(path):
        return os.fspath(path).lower().endswith(TBC_ENDINGS)
    raise CacheError(f"{os.fspath(path)}: expected a file that ends in {', '.join(CACHE_ENDINGS)}.")
