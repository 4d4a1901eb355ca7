"""How much memory there is."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_CONTAINER = Path("/sys/fs/cgroup/memory.max")


def whole_memory() -> int:
    """Bytes of the machine, or of the container that this process runs in."""
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # no container, or one without a limit
        whole = min(whole, int(_CONTAINER.read_text()))
    return whole


def half_of_memory() -> int:
    """Bytes: what tables may take by default."""
    return whole_memory() // 2
