"""The solvers that grow k-trees along insertion orders: k-G, k-A* and k-MAX.

Each record is the one place where its defaults live; ``docs/development/tried.md`` has the measurements.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from treebound import _core
from treebound._arguments import check_choice, check_integer
from treebound.solvers._task import Statistics, Task

_NO_LIMIT = 2**63 - 1


class CliquePolicy(StrEnum):
    """Which k-clique a variable joins when several hold its parents."""

    RANDOM = "random"  # the clique made by its latest parent, without a random member
    NEWEST = "newest"  # the most recent clique found that holds them, without its earliest member
    PARTNERS = "partners"  # one with variables that share candidate sets with it, else the newest


class OrderSampling(StrEnum):
    """Where insertion orders come from."""

    UNIFORM = "uniform"  # all equally likely; small spaces are enumerated without equivalent orders
    PARENTS_FIRST = "parents-first"  # favourite parents before their child, as far as cycles allow
    PERTURBED = "perturbed"  # the best order so far with a few variables moved


@dataclass(frozen=True)
class KGreedy:
    """k-G of the paper: for each order, every variable takes the best set that lies in a k-clique."""

    name: ClassVar[str] = "kg"
    cliques: CliquePolicy = CliquePolicy.PARTNERS
    orders: OrderSampling = OrderSampling.PERTURBED

    @classmethod
    def as_printed(cls) -> KGreedy:
        """Return k-G as the paper has it: uniform orders, and any k-clique that holds the parents."""
        return cls(CliquePolicy.RANDOM, OrderSampling.UNIFORM)

    def run(self, task: Task) -> Statistics:
        """Decode one order after another."""
        policy, sampling = _clique_policy(self.cliques), _order_sampling(self.orders)
        options = _core.KGreedyOptions(policy, sampling, task.given)
        return dict(_core.search_k_greedy(task.core, options))


@dataclass(frozen=True)
class KAStar:
    """k-A* of the paper: for each order, the best structure over all choices of k-cliques.

    By default the optimum of an order is found from the back, by branch and bound, in at most ``max_nodes``
    decisions; beyond it the prefix that is solved is completed greedily, and nothing is proved.
    ``printed`` selects the A* of the paper instead: ``max_nodes`` then counts its states, ``memory_mb``
    bounds the memory that they take on each thread, and ``max_open`` keeps only so many of the most
    promising ones open. None stands for no limit. ``skip_beaten`` gives up an order that cannot beat the
    best one.
    """

    name: ClassVar[str] = "ka"
    cliques: CliquePolicy = CliquePolicy.PARTNERS
    orders: OrderSampling = OrderSampling.PERTURBED
    max_nodes: int | None = 10_000
    printed: bool = False
    max_open: int | None = None
    memory_mb: int = 1024
    skip_beaten: bool = True

    def __post_init__(self) -> None:
        for name in ("max_nodes", "max_open"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, check_integer(name, getattr(self, name), 1, _NO_LIMIT))
        object.__setattr__(self, "memory_mb", check_integer("memory_mb", self.memory_mb, 1, 2**40))
        if self.max_open is not None and not self.printed:
            raise ValueError("max_open applies only to the printed A*. Pass printed=True or drop max_open.")

    @classmethod
    def as_printed(cls) -> KAStar:
        """Return k-A* as the paper has it: uniform orders, A* without a cap or additions."""
        return cls(CliquePolicy.RANDOM, OrderSampling.UNIFORM, None, printed=True, skip_beaten=False)

    def run(self, task: Task) -> Statistics:
        """Solve one order after another."""
        options = _core.KAStarOptions(
            _clique_policy(self.cliques),
            _order_sampling(self.orders),
            task.given,
            printed=self.printed,
            max_nodes=self.max_nodes or _NO_LIMIT,
            max_open=self.max_open or _NO_LIMIT,
            max_bytes=self.memory_mb << 20,
            skip_beaten=self.skip_beaten,
        )
        return dict(_core.search_k_astar(task.core, options))


@dataclass(frozen=True)
class KMax:
    """k-MAX: next comes the variable whose best available set has the smallest relative loss.

    ``vary_limit`` lets every other construction choose among sets of fewer parents than the bound allows.
    ``refine`` gives all but one of 16 steps to moving a few variables in the order of the best structure.
    """

    name: ClassVar[str] = "kmax"
    cliques: CliquePolicy = CliquePolicy.PARTNERS
    vary_limit: bool = True
    refine: bool = True

    def run(self, task: Task) -> Statistics:
        """Construct again and again; a given order gives the root clique and breaks all ties."""
        policy = _clique_policy(self.cliques)
        options = _core.KMaxOptions(policy, self.vary_limit, self.refine, task.given)
        return dict(_core.search_k_max(task.core, options))


def _clique_policy(policy: CliquePolicy) -> _core.CliquePolicy:
    return _core.CliquePolicy[check_choice("cliques", policy, CliquePolicy).name]


def _order_sampling(sampling: OrderSampling) -> _core.OrderSampling:
    return _core.OrderSampling[check_choice("orders", sampling, OrderSampling).name]
