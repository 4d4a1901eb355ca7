"""How much memory there is, and whether work fits in it: rejected before it is taken, not when it is gone."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import resource

MB = 2**20
# What the interpreter and the libraries hold before any table is there.
BASE_BYTES = 220 * MB
_UNKNOWN = 1 << 62

_MEMINFO = Path("/proc/meminfo")
_STATUS = Path("/proc/self/status")
_CGROUP = Path("/proc/self/cgroup")
_CGROUPS = Path("/sys/fs/cgroup")


class NotEnoughMemory(MemoryError):
    """The work would need more memory than is free or allowed; raised before it starts."""


def whole_memory() -> int:
    """Bytes of the machine, or of the control groups that this process runs in."""
    limits = (_number_in(folder / "memory.max") for folder in _groups())
    return min([_physical(), *(limit for limit in limits if limit is not None)])


def half_of_memory() -> int:
    """Bytes: what tables may take by default."""
    return whole_memory() // 2


def free_memory() -> int:
    """Bytes that this process can still take: of the machine, of its control group and of its own limit."""
    return max(0, min(_limits()))


def check_fits(
    needed: int, what: str, fix: Callable[[int], str], *, held: int = 0, cap: int | None = None
) -> None:
    """Reject work whose peak is ``needed`` bytes, of which this process holds ``held`` already.

    ``cap`` is what the whole may take; None means what is free now. ``fix`` says what would fit.
    """
    room = held + free_memory() if cap is None else cap
    if needed > room:
        there = f"{in_mb(room)} are {'free' if cap is None else 'allowed'}"
        raise NotEnoughMemory(f"{what} needs about {in_mb(needed)} of memory, {there}: {fix(room)}.")


def in_mb(count: int) -> str:
    """A number of bytes in words."""
    return f"{-(-count // MB):,} MB"


def _physical() -> int:
    if not hasattr(os, "sysconf"):  # Windows: nothing is known, and nothing is rejected
        return _UNKNOWN
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _limits() -> Iterator[int]:
    """What each of those who set limits would still give."""
    available = _number_after(_MEMINFO, "MemAvailable:")
    yield _physical() if available is None else available << 10
    yield from _cgroup_limits()
    if sys.platform == "win32":
        return
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        yield soft - ((_number_after(_STATUS, "VmSize:") or 0) << 10)


def _cgroup_limits() -> Iterator[int]:
    """What the control groups of this process would still give."""
    for folder in _groups():
        limit = _number_in(folder / "memory.max")
        used = _number_in(folder / "memory.current")
        if limit is not None and used is not None:
            # What files are held for is given up when it is asked for.
            cached = _number_after(folder / "memory.stat", "inactive_file") or 0
            yield limit - used + cached


def _groups() -> Iterator[Path]:
    """Folders of the control groups of version 2 that this process is in, from the innermost out."""
    with suppress(OSError):
        for line in _CGROUP.read_text().splitlines():
            if not line.startswith("0::/"):
                continue
            group = _CGROUPS / line.removeprefix("0::/")
            for folder in (group, *group.parents):
                if not folder.is_relative_to(_CGROUPS):
                    break
                yield folder


def _number_in(path: Path) -> int | None:
    """The number that a file holds, if it does."""
    with suppress(OSError, ValueError):
        return int(path.read_text())
    return None


def _number_after(path: Path, word: str) -> int | None:
    """The number behind a word at the beginning of a line."""
    with suppress(OSError):
        for line in path.read_text().splitlines():
            first, *rest = line.split()
            if first == word:
                return int(rest[0])
    return None
