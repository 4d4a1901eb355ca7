"""What a scoring run did, in figures."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from treebound._description import Described, Description, Fact
from treebound._run import StopReason
from treebound.scoring._rules import RULE_MEANINGS, RuleName


@dataclass(frozen=True)
class ScoringReport(Described):
    """Counts and times of one run. ``pruned`` counts the sets that each rule removed; ``implied`` are those
    never looked at because a rule had removed a subset of theirs.
    """

    variables: int
    rows: int
    sets_scored: int
    sets_kept: int
    pruned: dict[RuleName, int]
    implied: int
    seconds: float
    stopped: StopReason
    variables_finished: int
    sum_of_best: float
    peak_memory_mb: float

    @property
    def sets_per_second(self) -> float:
        """Sets scored per second."""
        return self.sets_scored / max(self.seconds, 1e-9)

    def describe(self) -> Description:
        """Return the figures."""
        done = f"{self.variables_finished:,} variables complete"
        ended = {StopReason.FINISHED: "search complete", StopReason.INTERRUPTED: f"interrupted, {done}"}
        pruned = [
            Fact(f"  pruned: {RULE_MEANINGS[rule]}", count, "{:,}")
            for rule, count in self.pruned.items()
            if count
        ]
        facts = [
            Fact("variables", self.variables, "{:,}"),
            Fact("rows", self.rows, "{:,}"),
            Fact("parent sets scored", self.sets_scored, "{:,}"),
            *pruned,
            *([Fact("  skipped: above a pruned set", self.implied, "{:,}")] if self.implied else []),
            Fact("parent sets kept", self.sets_kept, "{:,}", style="bold"),
            Fact("sum of best scores", self.sum_of_best, "{:,.2f}"),
            Fact("seconds", self.seconds, "{:.2f}"),
            Fact("sets per second", self.sets_per_second, "{:,.0f}", "sets_per_second", "bold green"),
            Fact("peak memory", self.peak_memory_mb, "{:,.0f} MB"),
            Fact("ended", ended.get(self.stopped, f"out of {self.stopped}, {done}")),
        ]
        return Description("Scoring", facts, data=asdict(self))
