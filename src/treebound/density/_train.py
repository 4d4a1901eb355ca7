"""Training of one smooth mixture: steps until the held-out rows no longer get more probable.

The rate is cut, and the best parameters are put back, whenever they have not for a while: where rows are few
the decoder overfits soon at the first rate, and still gains at a lower one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treebound.density._clock import BudgetClock
from treebound.density._member import Member
from treebound.density._smooth import SmoothMixture
from treebound.density._split import Split
from treebound.structure import Structure

_WARM_UP_STEPS = 100
_FEWEST_STEPS = 20
_CUT = 0.3
_LOWEST_RATE = 0.02
_PATIENCE = 2
_NUM_POINTS = 1024
# Held-out rows beyond this do not sharpen the decision when to stop.
_MOST_ROWS = 4000


@dataclass(frozen=True, eq=False)
class Plan:
    """What to train: a shared structure, the scale of the last layer at the start, and a seed."""

    name: str
    structure: Structure
    scale: float
    seed: int


def train(
    plan: Plan, split: Split, clock: BudgetClock, limit: float, threads: int, report: Callable[[float], None]
) -> Member:
    """Train a smooth mixture until it converges or ``limit``, a share of the budget, is used."""
    smooth = SmoothMixture(
        plan.structure, split.train, split.weights, scale=plan.scale, seed=plan.seed, threads=threads
    )
    try:
        _climb(smooth, split, clock, limit, report)
    except KeyboardInterrupt:
        clock.stop()
    logs = smooth.log_likelihoods(smooth.encode(split.valid), smooth.points(_NUM_POINTS))
    return Member(plan.name, smooth, logs)


def _climb(
    smooth: SmoothMixture, split: Split, clock: BudgetClock, limit: float, report: Callable[[float], None]
) -> None:
    seen = smooth.encode(split.valid.take(np.arange(min(_MOST_ROWS, split.valid.num_rows))))
    points, pause = smooth.points(_NUM_POINTS), max(_FEWEST_STEPS, smooth.steps_per_epoch)
    best, kept, rate, num_worse, num_steps = -np.inf, smooth.parameters, 1.0, 0, 0
    try:
        while clock.used < limit and rate >= _LOWEST_RATE:
            smooth.step(rate * min(1.0, (num_steps + 1) / _WARM_UP_STEPS))
            num_steps, clock.num_steps = num_steps + 1, clock.num_steps + 1
            if num_steps % pause:
                continue
            now = float(smooth.log_likelihoods(seen, points).mean())
            report(now)
            if now > best:
                best, kept, num_worse = now, smooth.parameters, 0
            elif (num_worse := num_worse + 1) >= _PATIENCE:
                smooth.parameters, rate, num_worse = kept, _CUT * rate, 0
    finally:
        if np.isfinite(best):
            smooth.parameters = kept
