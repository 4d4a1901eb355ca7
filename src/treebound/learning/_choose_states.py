"""Numbers of states of hidden variables, chosen while learning.

Each number is tried by a short run of structural EM, which finds a structure of its own. By the BIC of the
observed cells, the best run is continued with the rest of the budget; by held-out rows, runs see the other
rows, and the best is continued with all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treebound._budget import Budget
from treebound._progress import ProgressOption, watched
from treebound._run import StopReason
from treebound.data import Hidden, StatesCriterion
from treebound.learning._here import Here
from treebound.learning._incomplete_rows import IncompleteRows
from treebound.learning._recipe import Wanted
from treebound.learning._result import LearnResult
from treebound.learning._schedule import Schedule
from treebound.learning._structural_em import StructuralEm
from treebound.network import choose_states

# How many numbers of states are tried at most, and the share of the budget that each may take.
_MOST_TRIALS = 16
_SHARE = 1 / (2 * _MOST_TRIALS)


class ChosenStates:
    """One run of ``learn`` that also chooses numbers of states."""

    def __init__(
        self, wanted: Wanted, place: Here, rows: IncompleteRows, hidden: Hidden, schedule: Schedule
    ) -> None:
        self.wanted, self.place, self.schedule, self.hidden = wanted, place, schedule, hidden
        self.rows = rows
        # Made to check all arguments.
        self.limits, self.memory = StructuralEm(wanted, place, self.rows, schedule).limits, None

    def run(
        self, progress: ProgressOption = None, writing: Callable[[float], float] = lambda _: 0.0
    ) -> LearnResult:
        """Learn. ``writing`` returns the seconds to keep for writing, given those of the check."""
        tried: list[tuple[float, LearnResult]] = []

        def measure(numbers: dict[str, int], criterion: StatesCriterion) -> tuple[float, LearnResult]:
            rows, test = self.rows.with_states(numbers), None
            if criterion == "held-out":
                rows, test = rows.held_out(self.wanted.seed)
            wanted = replace(self.wanted, checkpoint=None)
            result = StructuralEm(wanted, self.place, rows, Schedule(self._share())).run(callback)
            value = result.score
            if test is not None:
                value = test.log_likelihood(result.network) / test.num_rows
            tried.append((value, result))
            if result.was_interrupted:
                raise KeyboardInterrupt
            return value, result

        with watched(progress) as callback:
            try:
                numbers, best = choose_states(self.hidden, measure, _MOST_TRIALS)
            except KeyboardInterrupt:
                if not tried:
                    raise
                _, best = max(tried, key=lambda one: one[0])
                return replace(best, search=replace(best.search, stopped=StopReason.INTERRUPTED))
            wanted = replace(self.wanted, start=best.structure)
            rows = self.rows.with_states(numbers)
            final = StructuralEm(wanted, self.place, rows, self.schedule, best.network)
            return final.run(callback, writing)

    def _share(self) -> Budget:
        whole = self.schedule.budget
        seconds = None if whole.seconds is None else _SHARE * whole.seconds
        steps = None if whole.steps is None else max(1, round(_SHARE * whole.steps))
        return replace(whole, seconds=seconds, steps=steps)
