"""Regrow, the default solver."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from treebound import _core
from treebound._arguments import check_integer
from treebound.search._task import Statistics, Task


@dataclass(frozen=True)
class Regrow:
    """Large-neighbourhood search: remove the parents of a few variables and choose them again.

    ``islands`` networks are improved side by side and exchange families from time to time. Their number
    does not depend on the number of threads, so that the result does not either. With ``hill_climb`` they
    begin from the network of hc-ET where the table is given, and take at most half of the time for it.
    """

    name: ClassVar[str] = "regrow"
    islands: int = 2
    hill_climb: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "islands", check_integer("islands", self.islands, 1, 1024))

    def run(self, task: Task) -> Statistics:
        """Improve the islands batch by batch."""
        options = _core.RegrowOptions(
            self.islands,
            math.inf if task.bounds.max_cells is None else task.bounds.max_cells,
            task.bounds.cardinalities,
            task.rows.data if task.rows else None,
            task.rows.score if task.rows else None,
            self.hill_climb,
        )
        return dict(_core.search_regrow(task.core, options))
