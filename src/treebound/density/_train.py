"""Training of one smooth mixture, which can be paused and continued.

What counts is the running mean of the parameters: it fits held-out rows better than the parameters of any
single step, and its fit rises smoothly. Whenever it has not risen for a while, the rate is cut and the best
mean put back: where rows are few the decoder overfits soon at the first rate, and still gains at a lower one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from treebound import _core
from treebound.density._clock import BudgetClock, Window
from treebound.density._member import Member
from treebound.density._smooth import SmoothMixture
from treebound.density._split import Split

_WARM_UP_STEPS = 50
# After these the rows are shared out by the probabilities themselves.
_SHARP_STEPS = 100
# A start that is to be compared with others takes no more steps than this.
_START_STEPS = 500
_CUT, _LOWEST_RATE, _PATIENCE = 0.3, 0.02, 3
# Steps between two looks at the held-out rows: an epoch, within these.
_FEWEST_STEPS, _MOST_STEPS = 25, 100
# Held-out rows beyond this do not sharpen the decision when to stop.
_MOST_ROWS = 2000
# The mean is over the last fifth of the steps, at most so many; it is updated every few steps.
_MEAN_SHARE, _MEAN_STEPS, _MEAN_EVERY = 0.2, 300, 4
# The last part of the last window trains the decoder at the points of the finite mixture.
_SETTLING = 0.35

Report = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Plan:
    """How to start: the name says over which structure; the scale is that of the last layer.

    With ``sharpness`` above one, rows are at first shared out among components by that power of their
    probabilities. Where all components give a row about the same probability, as in sparse tables, the
    latent space would otherwise never be used.
    """

    name: str
    scale: float
    sharpness: float
    seed: int


class Training:
    """A smooth mixture with the best mean of its parameters so far."""

    def __init__(self, plan: Plan, smooth: SmoothMixture, split: Split) -> None:
        self.plan, self.smooth, self.split = plan, smooth, split
        self._mean = smooth.parameters
        self._kept, self._best = self._mean, -np.inf
        self._rate, self._num_worse, self._num_steps = 1.0, 0, 0

    @property
    def valid_log_likelihood(self) -> float:
        """Mean log-likelihood of held-out rows in the best mean so far, in nats."""
        return self._best

    def advance(self, window: Window, threads: int, report: Report, *, is_last: bool) -> None:
        """Train until the window is used or nothing is gained.

        The first time, enough steps to compare it with other starts; the last time, at the final points in
        the end.
        """
        self.smooth.use_threads(threads)
        some = np.arange(min(_MOST_ROWS, self.split.valid.num_rows))
        seen = self.smooth.encode(self.split.valid.take(some))
        if not is_last:
            self._climb(window, seen, report, until=1.0, decays=False, most_steps=_START_STEPS)
        else:
            self._climb(window, seen, report, until=1 - _SETTLING, decays=True)
            self.smooth.settle()
            self.smooth.parameters = self._mean = self._kept
            self._rate, self._num_worse = max(self._rate, _CUT), 0
            self._climb(window, seen, report, until=1.0, decays=True)
        self.smooth.release()

    @property
    def _sharpness(self) -> float:
        """The power in use: it falls to one."""
        return 1 + (self.plan.sharpness - 1) * max(0.0, 1 - self._num_steps / _SHARP_STEPS)

    def member(self) -> Member:
        """Return the best so far as a member."""
        self.smooth.parameters = self._kept
        logs = self.smooth.log_likelihoods(self.smooth.encode(self.split.valid), self.smooth.final_points)
        self.smooth.release()
        return Member(self.plan.name, self.smooth, logs, self.split.valid_mean(logs))

    def _climb(
        self,
        window: Window,
        seen: _core.TrainingRows,
        report: Report,
        *,
        until: float,
        decays: bool,
        most_steps: float = math.inf,
    ) -> None:
        pause = min(max(self.smooth.steps_per_epoch, _FEWEST_STEPS), _MOST_STEPS)
        has_looked = True
        while (used := window.used) < until and self._rate >= _LOWEST_RATE and self._num_steps < most_steps:
            self._step(1 - used if decays else 1.0)
            window.count_step()
            has_looked = self._num_steps % pause == 0
            if has_looked:
                self._look(seen, report)
        if not has_looked:
            self._look(seen, report)

    def _step(self, decay: float) -> None:
        self._num_steps += 1
        self.smooth.step(self._rate * decay * min(1.0, self._num_steps / _WARM_UP_STEPS), self._sharpness)
        if self._num_steps % _MEAN_EVERY == 0:
            steps = min(max(_MEAN_SHARE * self._num_steps, _MEAN_EVERY), _MEAN_STEPS)
            self._mean = self._mean + np.float32(_MEAN_EVERY / steps) * (self.smooth.parameters - self._mean)

    def _look(self, seen: _core.TrainingRows, report: Report) -> None:
        """Compare the mean of the parameters with the best one so far."""
        current = self.smooth.parameters
        self.smooth.parameters = self._mean
        now = float(self.smooth.log_likelihoods(seen, self.smooth.final_points).mean())
        report(now)
        self.smooth.parameters = current
        # Sharp shares make rows less probable at first; what came before them is no measure.
        if now > self._best or self._sharpness > 1:
            self._best, self._kept, self._num_worse = now, self._mean, 0
            return
        self._num_worse += 1
        if self._num_worse >= _PATIENCE:
            self.smooth.parameters = self._mean = self._kept
            self._rate, self._num_worse = _CUT * self._rate, 0


def advance_all(
    trainings: Sequence[Training],
    share: float,
    clock: BudgetClock,
    threads: int,
    report: Report,
    *,
    is_last: bool,
) -> None:
    """Advance all by a share of the budget, side by side: trainings keep threads busier than one step can.

    Ctrl-C ends all trainings.
    """
    if clock.is_stopped or not trainings:
        return
    workers = max(1, min(threads, len(trainings)))
    window = clock.window(share, len(trainings), workers)

    def advance(one: Training) -> None:
        one.advance(window.start(), max(1, threads // workers), report, is_last=is_last)

    with ThreadPoolExecutor(workers) as pool:
        try:
            for future in [pool.submit(advance, one) for one in trainings]:
                future.result()
        except KeyboardInterrupt:
            clock.stop()
        except BaseException:
            clock.stop()
            raise
