"""The optimal forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treebound import _core
from treebound.solvers._task import Statistics, Task


@dataclass(frozen=True)
class ChowLiu:
    """One parent at most for each variable: of those in the cache, or with rows of all variables."""

    name: ClassVar[str] = "chow-liu"

    def run(self, task: Task) -> Statistics:
        """Find the one best forest."""
        return dict(_core.search_chow_liu(task.core))
