"""When to stop."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """How long to work: seconds by the clock, steps, or whichever runs out first.

    A budget of steps has one outcome for a given seed, whatever the machine and the number of threads; a
    budget of seconds does as many steps as fit in.
    """

    seconds: float | None = None
    steps: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is None and self.steps is None:
            raise ValueError("A budget needs seconds, steps or both, got neither.")
        if self.seconds is not None and not (math.isfinite(self.seconds) and self.seconds >= 0):
            raise ValueError(f"seconds must be finite and not negative, got {self.seconds}.")
        if self.steps is not None and self.steps < 1:
            raise ValueError(f"steps must be at least 1, got {self.steps}.")


def resolve_threads(threads: int | None) -> int:
    """Return the number of threads to use; None means all that this process may use."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}.")
    return threads
