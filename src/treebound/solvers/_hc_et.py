"""hc-ET: hill-climbing over arcs within an elimination tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treebound import _core
from treebound._arguments import check_integer
from treebound.solvers._task import Statistics, Task

_MAX_RESTARTS = 2**63 - 1


@dataclass(frozen=True)
class HcEt:
    """Add, remove or turn the arc that gains most and keeps the bound, until none does.

    Scores are counted from the rows when they are needed. At a local optimum the search ends, or begins
    again ``restarts`` times: a few variables lose their parents, and the better network is kept.
    """

    name: ClassVar[str] = "hc-et"
    restarts: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "restarts", check_integer("restarts", self.restarts, 0, _MAX_RESTARTS))

    def run(self, task: Task) -> Statistics:
        """Climb until the run ends."""
        return dict(_core.search_hc_et(task.core, self.restarts))
