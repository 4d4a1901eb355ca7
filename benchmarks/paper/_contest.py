"""Whether a victory is one: the loser must have made about as much of its constructions as the winner.

All methods of the paper may make the same share of the constructions that the paper reports for them, and a
time ends those that are slow. A method that lost when its time was up, with less than half of the share that
the winner made, lost another contest than the paper's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from benchmarks.paper._cells import shown
from benchmarks.paper._claim import HOLDS, IN_PART, spelled, verdict
from benchmarks.paper._results import Results

from treebound.experiments import SignTest

LEAST_SHARE = 0.5


@dataclass(frozen=True)
class Contest:
    """One method against another at a treewidth."""

    found: Results
    method: str
    rival: str
    k: int

    @cached_property
    def test(self) -> SignTest:
        """Wins and losses over the sources."""
        return self.found.victories(self.method, self.rival, self.k)

    @property
    def cut_short(self) -> str | None:
        """The loser, if its time was up long before the winner's share was made."""
        mine, theirs = (self.found.share_made(name, self.k) for name in (self.method, self.rival))
        if mine is None or theirs is None:
            return None
        if self.test.wins > self.test.losses:
            return self.rival if theirs < LEAST_SHARE * mine else None
        return self.method if mine < LEAST_SHARE * theirs else None

    def __str__(self) -> str:
        loser = self.cut_short
        if loser is None:
            return spelled(self.test)
        share = self.found.share_made(loser, self.k) or 0.0
        return (
            f"{spelled(self.test)}, but {shown(loser)} had time for {100 * share:.0f} % of its constructions"
        )


def judged(contests: Sequence[Contest], holds: Sequence[object]) -> str:
    """The verdict over the contests that count: not tested if none does, in part if some do not."""
    fair = [is_so for one, is_so in zip(contests, holds, strict=True) if one.cut_short is None]
    found = verdict(fair)
    return IN_PART if found == HOLDS and len(fair) < len(contests) else found
