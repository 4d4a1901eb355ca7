"""S2 and S2+: k-trees of high informative score, and the best DAG inside each."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import ClassVar

from treebound import _core
from treebound._arguments import check_integer
from treebound.solvers._task import Statistics, Task
from treebound.solvers._within_ktree import DEFAULT_SAMPLES, MAX_SAMPLES

_MANY_VARIABLES = 100


class SlowSolver(UserWarning):
    """A solver was given more variables than it is made for."""


@dataclass(frozen=True)
class S2:
    """k-trees drawn uniformly and accepted by their informative score; inside each the best DAG.

    The DAG inside is the best one, by dynamic programming, or, not ``exact``, the best of so many ``samples``
    of partial orders; k-trees for which the first would take too long are sampled too. ``skip_beaten`` leaves
    k-trees unsolved inside which nothing can be better than the best structure; without it, ``median_score``
    of the statistics is that of all steps.
    """

    name: ClassVar[str] = "s2"
    exact: bool = True
    samples: int = DEFAULT_SAMPLES
    skip_beaten: bool = True

    def __post_init__(self) -> None:
        _check(self)

    def run(self, task: Task) -> Statistics:
        """Draw and solve one k-tree after another."""
        return dict(_core.search_s2(task.core, _options(self)))


@dataclass(frozen=True)
class S2Plus:
    """k-trees of the best informative score by A*, first from the best clique, then from random ones.

    A* gives up its proof after ``max_nodes`` states and completes the best of them greedily. It is slow for
    more than a hundred variables, and warns. ``finish_first`` lets it finish its first k-tree when its time
    is up, as in the paper. The other options are those of ``S2``.
    """

    name: ClassVar[str] = "s2plus"
    max_nodes: int = 10_000
    finish_first: bool = False
    exact: bool = True
    samples: int = DEFAULT_SAMPLES
    skip_beaten: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_nodes", check_integer("max_nodes", self.max_nodes, 1, 2**31))
        _check(self)

    @classmethod
    def as_printed(cls) -> S2Plus:
        """Return S2+ as the paper runs it: it may finish its first k-tree when its time is up.

        The paper waits for a proof, however long. Fifty thousand states keep the wait within minutes.
        """
        return cls(max_nodes=50_000, finish_first=True)

    def run(self, task: Task) -> Statistics:
        """Grow and solve one k-tree after another."""
        if task.cache.num_variables > _MANY_VARIABLES:
            warnings.warn(
                f"The solver s2plus is slow for more than {_MANY_VARIABLES} variables, here are"
                f" {task.cache.num_variables}: it may not finish a single k-tree in its budget and then"
                " completes it greedily.",
                SlowSolver,
                stacklevel=2,
            )
        return dict(_core.search_s2_plus(task.core, _options(self), self.max_nodes, self.finish_first))


def _check(solver: S2 | S2Plus) -> None:
    object.__setattr__(solver, "samples", check_integer("samples", solver.samples, 1, MAX_SAMPLES))


def _options(solver: S2 | S2Plus) -> _core.KTreeStepOptions:
    return _core.KTreeStepOptions(exact=solver.exact, samples=solver.samples, skip_beaten=solver.skip_beaten)
