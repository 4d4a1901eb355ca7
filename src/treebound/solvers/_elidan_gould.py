"""The method of Elidan and Gould (JMLR 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treebound import _core
from treebound.solvers._task import Statistics, Task


@dataclass(frozen=True)
class ElidanGould:
    """Arcs are added to the optimal forest while an incremental triangulation keeps the bound."""

    name: ClassVar[str] = "elidan-gould"

    def run(self, task: Task) -> Statistics:
        """Construct networks with other orders of the variables until the run ends."""
        return dict(_core.search_elidan_gould(task.core))
