"""The search over orders, without a bound on the treewidth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treebound import _core
from treebound._arguments import check_integer
from treebound.solvers._task import Statistics, Task


@dataclass(frozen=True)
class OrderSearch:
    """ASOBS and WINASOBS: each variable takes the best parents before it in an order, which is improved.

    Windows of up to ``max_window`` neighbours slide to other places of the order. ``chains`` orders are
    improved side by side; their number does not depend on the number of threads, so the result does not
    either.
    """

    name: ClassVar[str] = "order"
    chains: int = 2
    max_window: int = 5

    def __post_init__(self) -> None:
        object.__setattr__(self, "chains", check_integer("chains", self.chains, 1, 1024))
        window = check_integer("max_window", self.max_window, 1, _core.MAX_WINDOW)
        object.__setattr__(self, "max_window", window)

    def run(self, task: Task) -> Statistics:
        """Improve the chains step by step."""
        return dict(_core.search_order(task.core, self.chains, self.max_window))
