"""How to search: one frozen record of options per solver.

Each record names its method and is the one place where its defaults live; ``docs/search.md`` has the
measurements behind them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_integer

Report: TypeAlias = Callable[[float, int, _core.FoundStructure], None]


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
class Task:
    """What a solver is asked to do: search within the limits, or decode the one order given."""

    problem: _core.SearchProblem
    limits: _core.SearchLimits
    report: Report | None = None
    given: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, dtype=np.uint32))
    max_states: float = math.inf
    cardinalities: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, dtype=np.uint32))
    rows: Rows | None = None
    start: _core.RegrowStart = field(default_factory=_core.RegrowStart)


@dataclass(frozen=True)
class Rows:
    """A table to score further families from."""

    data: _core.Dataset
    score: _core.LocalScore


class Solver(Protocol):
    """What ``search`` asks of a record of options."""

    name: ClassVar[str]
    is_growing_ktrees: ClassVar[bool]  # within k-trees, along insertion orders, by the sets of a cache alone

    def run(self, task: Task) -> _core.SearchOutcome:
        """Do the task."""


@dataclass(frozen=True)
class Regrow:
    """Large-neighbourhood search: take the parents of a few variables away and let them grow again.

    ``islands`` networks are improved side by side and look at each other from time to time. The number does
    not follow that of the threads, so that the outcome does not either.
    """

    name: ClassVar[str] = "regrow"
    is_growing_ktrees: ClassVar[bool] = False
    islands: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "islands", check_integer("islands", self.islands, 1, 1024))

    def run(self, task: Task) -> _core.SearchOutcome:
        """Improve the islands batch by batch."""
        if len(task.given):
            raise ValueError("regrow has no insertion order to decode; use kg, ka or kmax.")
        return _core.search_regrow(
            task.problem,
            self.islands,
            task.max_states,
            task.cardinalities,
            task.rows.data if task.rows else None,
            task.rows.score if task.rows else None,
            task.start,
            task.limits,
            task.report,
        )


@dataclass(frozen=True)
class KGreedy:
    """k-G of the paper: for each order, every variable takes the best set that lies in a k-clique."""

    name: ClassVar[str] = "kg"
    is_growing_ktrees: ClassVar[bool] = True
    cliques: CliquePolicy = CliquePolicy.PARTNERS
    orders: OrderSampling = OrderSampling.PERTURBED

    def run(self, task: Task) -> _core.SearchOutcome:
        """Decode one order after another."""
        policy, sampling = _clique_policy(self.cliques), _order_sampling(self.orders)
        return _core.search_k_greedy(task.problem, policy, sampling, task.given, task.limits, task.report)


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
    is_growing_ktrees: ClassVar[bool] = True
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

    def run(self, task: Task) -> _core.SearchOutcome:
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
        return _core.search_k_astar(task.problem, options, task.limits, task.report)


@dataclass(frozen=True)
class KMax:
    """k-MAX: next comes the variable whose best available set has the smallest relative loss.

    ``vary_limit`` lets every other construction choose among sets of fewer parents than the bound allows.
    ``refine`` gives all but one of 16 steps to moving a few variables in the order of the best structure.
    """

    name: ClassVar[str] = "kmax"
    is_growing_ktrees: ClassVar[bool] = True
    cliques: CliquePolicy = CliquePolicy.PARTNERS
    vary_limit: bool = True
    refine: bool = True

    def run(self, task: Task) -> _core.SearchOutcome:
        """Construct again and again; a given order gives the root clique and breaks all ties."""
        policy, switches = _clique_policy(self.cliques), (self.vary_limit, self.refine)
        return _core.search_k_max(task.problem, policy, *switches, task.given, task.limits, task.report)


def _clique_policy(policy: CliquePolicy) -> _core.CliquePolicy:
    return _core.CliquePolicy[CliquePolicy(policy).name]


def _order_sampling(sampling: OrderSampling) -> _core.OrderSampling:
    return _core.OrderSampling[OrderSampling(sampling).name]
