"""How much of a budget is used: by the clock, or by the steps of training where these are limited."""

from __future__ import annotations

import time

from treebound._budget import Budget

# Searches for structures take this many steps where training is limited by steps.
_SEARCH_STEPS = 2000


class BudgetClock:
    """The share of a budget that is used so far."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.num_steps = 0
        self.is_stopped = False
        self._start = time.perf_counter()

    def stop(self) -> None:
        """Use up the budget."""
        self.is_stopped = True

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
        """Return the budget of a search for a structure that may use a share of all seconds."""
        steps = None if self.budget.steps is None else _SEARCH_STEPS
        seconds = None if self.budget.seconds is None else max(0.2, share * self.budget.seconds)
        return Budget(seconds=seconds, steps=steps)
