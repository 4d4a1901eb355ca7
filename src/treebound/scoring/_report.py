"""What a scoring run did, in figures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from treebound._html import facts, section
from treebound._run import StopReason


@dataclass(frozen=True)
class ScoringReport:
    """Counts and times of one run. ``pruned`` counts the sets that each rule removed; ``implied`` are those
    never looked at because a rule had removed a subset of theirs.
    """

    variables: int
    rows: int
    sets_scored: int
    sets_kept: int
    pruned: dict[str, int]
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

    def _repr_html_(self) -> str:
        rows = [
            ("variables", f"{self.variables_finished:,} of {self.variables:,} finished"),
            ("rows", f"{self.rows:,}"),
            ("sets scored", f"{self.sets_scored:,}"),
            ("sets kept", f"{self.sets_kept:,}"),
            *((f"pruned by {rule}", f"{count:,}") for rule, count in self.pruned.items()),
            ("never looked at", f"{self.implied:,}"),
            ("seconds", f"{self.seconds:.2f}"),
            ("stopped", str(self.stopped)),
        ]
        return section("Scoring", facts(rows))

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {**asdict(self), "sets_per_second": self.sets_per_second}
