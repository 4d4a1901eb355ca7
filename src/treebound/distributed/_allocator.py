"""What the C library of a worker does with memory that is freed, while a job lasts.

Dask starts worker processes with ``MALLOC_TRIM_THRESHOLD_``, so they soon give back what they free. But
once it is set, the library also hands every block of more than 128 KB back to the system when it is freed,
and takes the next one from there, in fresh pages: nearly a fifth of the time of scoring in a worker, where
sets are collected in blocks of some megabytes. While a job lasts such blocks are kept for the next ones, as
in any other process; what is left of them goes back with the end of the job.
"""

from __future__ import annotations

import ctypes
import os
import sys

from treebound import _core

_TRIM, _MMAP = "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # malloc.h
# What the library itself goes up to where nothing is set, and what it begins with.
_LARGEST_BLOCK, _SMALLEST_BLOCK = 1 << 25, 1 << 17


def keep_freed_memory() -> None:
    """Keep what is freed for what comes next, unless the user has chosen otherwise."""
    if _is_of_dask():
        _set(2 * _LARGEST_BLOCK, _LARGEST_BLOCK)


def return_freed_memory() -> None:
    """Give back what was kept, and go on as Dask wants it."""
    if _is_of_dask():
        _set(int(os.environ[_TRIM]), _SMALLEST_BLOCK)
        _core.return_free_memory()


def _is_of_dask() -> bool:
    # Dask sets it everywhere; other systems do not look at it, and may have no such library to ask.
    is_heeded = sys.platform == "linux" and _MMAP not in os.environ
    return is_heeded and os.environ.get(_TRIM, "").isdigit()


def _set(trim: int, block: int) -> None:
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # it is there in glibc alone
        mallopt(_M_TRIM_THRESHOLD, trim)
        mallopt(_M_MMAP_THRESHOLD, block)
