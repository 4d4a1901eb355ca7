"""What came of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from treebound._json import Json
from treebound.experiments._runs import RunSpec
from treebound.solvers import Improvement


class RunStatus(StrEnum):
    """How a run ended."""

    OK = "ok"  # with a structure that the checker accepts
    REFUSED = "refused"  # with a structure that the checker rejects
    MEMORY = "memory"  # without a structure, out of memory
    OVERTIME = "overtime"  # ended by force, long after its time was up
    FAILED = "failed"  # with an error


@dataclass(frozen=True)
class RunRecord:
    """The outcome of one run; where it is not ``ok``, ``message`` says why and there is no score.

    ``seconds`` and the trace count from the beginning of the search, after the cache has been read;
    ``made_by`` says by which version and on what machine.
    """

    spec: RunSpec
    status: RunStatus
    message: str | None = None
    score: float | None = None
    treewidth: int | None = None
    num_arcs: int | None = None
    steps: int | None = None
    seconds: float | None = None
    stopped: str | None = None
    bound: float | None = None
    bound_source: str | None = None
    gap: float | None = None
    is_optimal: bool | None = None
    peak_memory_mb: float | None = None
    statistics: Mapping[str, Json] = field(default_factory=dict)
    trace: tuple[Improvement, ...] = ()
    made_by: Mapping[str, Json] = field(default_factory=dict)

    @property
    def is_ok(self) -> bool:
        """Whether there is a structure that the checker accepts."""
        return self.status is RunStatus.OK

    def figures(self) -> dict[str, Json]:
        """Everything but what was requested, the trace and where it was made: the columns of a table."""
        left_out = ("spec", "trace", "statistics", "made_by")
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in left_out}

    def to_json(self) -> dict[str, Json]:
        """The record as plain data."""
        return {
            "spec": self.spec.to_json(),
            **self.figures(),
            "statistics": {name: _finite(value) for name, value in self.statistics.items()},
            "trace": [list(improvement) for improvement in self.trace],
            "made_by": dict(self.made_by),
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Json]) -> RunRecord:
        """Undo ``to_json``."""
        fields = dict(plain)
        fields["spec"] = RunSpec.from_json(fields["spec"])
        fields["status"] = RunStatus(fields["status"])
        fields["trace"] = tuple(Improvement(*entry) for entry in fields["trace"])
        return cls(**fields)


def _finite(value: Json) -> Json:
    """JSON has no infinities."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
