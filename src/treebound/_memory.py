"""How much memory there is."""

from __future__ import annotations

import os


def half_of_memory() -> int:
    """Bytes: what tables may take by default."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
