"""How much of a budget is used: by the clock, or by the steps of training where these are limited."""

from __future__ import annotations

import math
import time
from threading import Lock

from treebound._budget import Budget

# A search for a structure takes at least so many steps where training is limited by steps.
_FEWEST_SEARCH_STEPS = 20


class BudgetClock:
    """The share of a budget that is used so far."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.num_steps = 0
        self.is_stopped = False
        self._start = time.perf_counter()
        self._lock = Lock()

    def stop(self) -> None:
        """Use up the budget."""
        self.is_stopped = True

    def count_step(self) -> None:
        """Count a step of any thread."""
        with self._lock:
            self.num_steps += 1

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._start

    @property
    def used(self) -> float:
        """The share that is used: the larger one of seconds and of steps."""
        if self.is_stopped:
            return 1.0
        shares = [0.0]
        if self.budget.seconds is not None:
            shares.append(self.seconds / max(self.budget.seconds, 1e-9))
        if self.budget.steps is not None:
            shares.append(self.num_steps / self.budget.steps)
        return max(shares)

    def search_budget(self, share: float) -> Budget:
        """Return the budget of a search for a structure: a share of all seconds, or of all steps.

        A step of a search takes about as long as one of training.
        """
        steps = None
        if self.budget.steps is not None:
            steps = max(_FEWEST_SEARCH_STEPS, round(share * self.budget.steps))
        seconds = None if self.budget.seconds is None else max(0.2, share * self.budget.seconds)
        return Budget(seconds=seconds, steps=steps)

    def window(self, share: float, num_trainings: int, num_workers: int) -> Window:
        """Return what each of several trainings may use of a share of the budget.

        Steps are divided by the number of trainings, whatever the number of threads; seconds by the number
        of trainings that a worker does one after the other.
        """
        steps, seconds = math.inf, math.inf
        if self.budget.steps is not None:
            steps = max(1, int(share * self.budget.steps / num_trainings))
        if self.budget.seconds is not None:
            seconds = share * self.budget.seconds / -(-num_trainings // num_workers)
        return Window(self, steps, seconds)


class Window:
    """What one training may use of a budget; it begins with ``start``."""

    def __init__(self, clock: BudgetClock, steps: float, seconds: float) -> None:
        self._clock, self._steps, self._seconds = clock, steps, seconds
        self._num_steps, self._begun = 0, 0.0

    def start(self) -> Window:
        """Return the same window for one training, beginning now."""
        begun = Window(self._clock, self._steps, self._seconds)
        begun._begun = time.perf_counter()
        return begun

    def count_step(self) -> None:
        """Count a step of the training."""
        self._num_steps += 1
        self._clock.count_step()

    @property
    def used(self) -> float:
        """The share that is used, at most one."""
        if self._clock.is_stopped:
            return 1.0
        seconds = time.perf_counter() - self._begun
        return min(1.0, max(self._num_steps / self._steps, seconds / max(self._seconds, 1e-9)))
