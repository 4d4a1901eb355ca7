"""Where the time of a run went and how much memory it took, to compare both with a budget."""

from __future__ import annotations

import math
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

if sys.platform != "win32":
    import resource

_STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class PhaseSeconds:
    """Seconds that the phases of learning took one after another; zero for those that were not needed.

    All of them count in the budget: the search ends so much earlier that checking and writing, which are
    linear in the size of the structure and of the table, come to their end in time.
    """

    reading: float = 0.0
    scoring: float = 0.0
    searching: float = 0.0
    checking: float = 0.0
    writing: float = 0.0

    @property
    def total(self) -> float:
        """All phases together."""
        return math.fsum(asdict(self).values())

    def to_json(self) -> dict[str, float]:
        """Return the seconds in all and those of each phase."""
        return {"seconds": self.total} | {f"{name}_seconds": value for name, value in asdict(self).items()}


class Stopwatch:
    """Measures the seconds between calls."""

    def __init__(self) -> None:
        self.began = self._last = time.monotonic()

    def lap(self) -> float:
        """Seconds since the last lap, or since the watch was made."""
        now = time.monotonic()
        seconds, self._last = now - self._last, now
        return seconds

    @property
    def elapsed(self) -> float:
        """Seconds since the watch was made."""
        return time.monotonic() - self.began


def peak_memory_mb() -> float:
    """The most memory that this process has held so far.

    Linux counts it per program in a file of its own; what ``getrusage`` says there begins with the memory of
    the process that started this one. Zero where the system does not report it.
    """
    with suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 2**10
    if sys.platform == "win32":
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
