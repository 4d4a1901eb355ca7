"""What a scoring run did, in figures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from treebound._description import Described, Description, Styled
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
        facts: list[tuple[str, str | Styled]] = [
            ("variables", f"{self.variables:,}"),
            ("rows", f"{self.rows:,}"),
            ("parent sets scored", f"{self.sets_scored:,}"),
            *(
                (f"  pruned: {RULE_MEANINGS[rule]}", f"{count:,}")
                for rule, count in self.pruned.items()
                if count
            ),
            *([("  skipped: above a pruned set", f"{self.implied:,}")] if self.implied else []),
            ("parent sets kept", Styled(f"{self.sets_kept:,}", "bold")),
            ("sum of best scores", f"{self.sum_of_best:,.2f}"),
            ("seconds", f"{self.seconds:.2f}"),
            ("sets per second", Styled(f"{self.sets_per_second:,.0f}", "bold green")),
            ("peak memory", f"{self.peak_memory_mb:,.0f} MB"),
            ("ended", ended.get(self.stopped, f"out of {self.stopped}, {done}")),
        ]
        return Description("Scoring", facts)

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {**asdict(self), "sets_per_second": self.sets_per_second}
