"""What scoring on a cluster has done, by variable or by rows, as scoring in one process reports it."""

from __future__ import annotations

from typing import Protocol

from treebound._phases import peak_memory_mb
from treebound._run import StopReason
from treebound.distributed._progress import Watch
from treebound.scoring import ParentSetCache, RuleName, ScoringReport


class ClusterScoring(Protocol):
    """Scoring on a cluster that has counted what it did."""

    num_steps: int
    pruned: dict[RuleName, int]
    implied: int
    watch: Watch


def report_of(
    scoring: ClusterScoring, cache: ParentSetCache, num_rows: int, seconds: float, stopped: StopReason
) -> ScoringReport:
    """The report of a scoring that ended with this cache."""
    return ScoringReport(
        variables=cache.num_variables,
        rows=num_rows,
        sets_scored=scoring.num_steps,
        sets_kept=cache.num_sets,
        pruned=dict(scoring.pruned),
        implied=scoring.implied,
        seconds=seconds,
        stopped=stopped,
        variables_finished=int(cache.complete.sum()),
        sum_of_best=cache.sum_of_best,
        peak_memory_mb=max([peak_memory_mb(), *scoring.watch.memory_mb.values()]),
    )
