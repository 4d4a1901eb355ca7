"""The solvers that grow k-trees along insertion orders: k-G, k-A* and k-MAX.

Each record is the one place where its defaults live; ``docs/search.md`` has the measurements behind them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from treebound import _core
from treebound._arguments import check_choice, check_integer
from treebound.solvers._task import Statistics, Task


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

    def run(self, task: Task) -> Statistics:
        """Decode one order after another."""
        policy, sampling = _clique_policy(self.cliques), _order_sampling(self.orders)
        options = _core.KGreedyOptions(policy, sampling, task.given)
        return dict(_core.search_k_greedy(task.core, options))


@dataclass(frozen=True)
class KAStar:
    """k-A* of the paper: for each order, the best structure over all choices of k-cliques.

    ``max_nodes`` bounds the memory of an order; beyond it the best open state is completed greedily, and
    nothing is proved. The switches turn off, one by one, what the paper does not have: the answer of k-G as
    a first ``incumbent``, the ``tight_bound`` that looks at the k-tree, counting ``conflicts`` between
    optimistic sets, the merging of states with the same future by ``dominance``, and giving up an order that
    cannot beat the best one (``skip_beaten``).
    """

    name: ClassVar[str] = "ka"
    cliques: CliquePolicy = CliquePolicy.PARTNERS
    orders: OrderSampling = OrderSampling.PERTURBED
    max_nodes: int = 10_000
    incumbent: bool = True
    tight_bound: bool = True
    conflicts: bool = True
    dominance: bool = True
    skip_beaten: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_nodes", check_integer("max_nodes", self.max_nodes, 1, 2**32 - 1))

    def run(self, task: Task) -> Statistics:
        """Solve one order after another."""
        options = _core.KAStarOptions(
            _clique_policy(self.cliques),
            _order_sampling(self.orders),
            task.given,
            max_nodes=self.max_nodes,
            incumbent=self.incumbent,
            tight_bound=self.tight_bound,
            conflicts=self.conflicts,
            dominance=self.dominance,
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
