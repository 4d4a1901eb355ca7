"""How one budget is divided among reading, scoring, the search, the check and writing."""

from __future__ import annotations

import time
from dataclasses import replace

from treebound._budget import Budget, as_budget
from treebound._phases import PhaseSeconds

DEFAULT_BUDGET = Budget(seconds=60)  # with a thousand variables the score hardly improves after that
# Scoring finds its best sets early; the search scores further families by itself.
SCORING_SHARE = 0.25
# With a budget of steps alone scoring must not look at the clock; this many sets per variable take seconds.
# Where there are no more, all are scored, and what no other set can improve is known.
SCORED_PER_VARIABLE = 2_000
# The most that later phases take of what is left for the search.
_MOST_CHECKING = 1 / 2
_MOST_WRITING = 1 / 4


def budget_of(budget: Budget | float | None) -> Budget:
    """Return the budget; a number means seconds, None the default."""
    return as_budget(budget) or DEFAULT_BUDGET


class Schedule:
    """A budget that is being spent, and what each phase took of it."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.phases = PhaseSeconds()
        self._began = self._last = time.monotonic()

    def end(self, phase: str) -> None:
        """Count the time since the end of the last phase as that of the given one."""
        now = time.monotonic()
        seconds, self._last = now - self._last, now
        self.phases = replace(self.phases, **{phase: getattr(self.phases, phase) + seconds})

    @property
    def left(self) -> Budget:
        """What is left of the budget."""
        if self.budget.seconds is None:
            return self.budget
        return replace(self.budget, seconds=max(0.0, self.budget.seconds - (time.monotonic() - self._began)))

    def for_scoring(self, num_variables: int) -> Budget:
        """The budget of scoring a table: a share of the seconds, or the same sets on every machine."""
        return scoring_budget(self.left, num_variables)

    def for_search(self, checking: float, writing: float) -> Budget:
        """The budget of the search, which leaves the seconds that the check and writing will take."""
        left = self.left
        if left.seconds is None:
            return left
        seconds = left.seconds - min(writing, _MOST_WRITING * left.seconds)
        return replace(left, seconds=seconds - min(checking, _MOST_CHECKING * seconds))


def scoring_budget(budget: Budget, num_variables: int) -> Budget:
    """Return what scoring may take of a budget."""
    if budget.seconds is None:
        return Budget(steps=SCORED_PER_VARIABLE * num_variables)
    return Budget(seconds=SCORING_SHARE * budget.seconds)
