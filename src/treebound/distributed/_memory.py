"""The memory of a worker: what it may take, and what its records say that they take.

Dask moves results to disk by the sizes that they report; what a worker keeps next to them it cannot move.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Any


class Sized:
    """A record that takes as much memory as its fields; without this, Dask takes it for a few bytes."""

    def __sizeof__(self) -> int:
        from dask.sizeof import sizeof

        held: Any = self  # a dataclass
        return object.__sizeof__(self) + sum(int(sizeof(getattr(held, one.name))) for one in fields(held))


def memory_limit() -> int | None:
    """Bytes that this worker may take, if that is limited."""
    from distributed import get_worker

    try:
        limit = get_worker().memory_manager.memory_limit
    except (ValueError, AttributeError):
        return None
    return None if limit is None else int(limit)


def has_room(num_bytes: int, share: float) -> bool:
    """Whether this worker would take no more than a share of its limit with so many bytes more."""
    from distributed import get_worker

    limit = memory_limit()
    if limit is None:
        return True
    used = get_worker().monitor.get_process_memory()
    return bool(used + num_bytes <= share * limit)


def give_back() -> None:
    """Return to the system what pyarrow has freed, which it would keep for the next table."""
    if pyarrow := sys.modules.get("pyarrow"):
        pyarrow.default_memory_pool().release_unused()
