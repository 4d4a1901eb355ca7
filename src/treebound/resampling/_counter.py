"""Progress of work that learns many networks."""

from __future__ import annotations

import math
import time

from treebound._progress import RUNS, Progress, ProgressCallback


class Counter:
    """Reports how many networks are done."""

    def __init__(self, report: ProgressCallback | None, total: int) -> None:
        self._report, self._total = report, total
        self._done, self._began = 0, time.monotonic()

    def count(self) -> None:
        """Report one more network."""
        self._done += 1
        if self._report is not None:
            elapsed = time.monotonic() - self._began
            self._report(Progress(RUNS, elapsed, 0, -math.inf, self._done, self._total, None))
