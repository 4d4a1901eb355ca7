"""The optimal forest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from treebound import _core
from treebound.search._task import Statistics, Task


@dataclass(frozen=True)
class ChowLiu:
    """One parent at most for each variable: of those in the cache, or with rows of all variables."""

    name: ClassVar[str] = "chow-liu"

    def run(self, task: Task) -> Statistics:
        """Find the one best forest."""
        return dict(
            _core.search_chow_liu(
                task.core,
                math.inf if task.bounds.max_cells is None else task.bounds.max_cells,
                task.bounds.cardinalities,
                task.rows.data if task.rows else None,
                task.rows.score if task.rows else None,
            )
        )
