"""From a parent-set cache to a structure of bounded treewidth (paper, section 3)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from treebound import _core
from treebound._budget import Budget, resolve_threads
from treebound.scoring.cache import ParentSetCache
from treebound.search._result import Improvement, Progress, SearchResult, StopReason
from treebound.search._solvers import KGreedy, Solver, Task
from treebound.structure import KTree, Structure, check

DEFAULT_SOLVER: Solver = KGreedy()
DEFAULT_BUDGET = Budget(seconds=60)  # at n = 1000 some hundred thousand orders: where the curve is flat
_NO_LIMIT = 2**64 - 1
# Handing over a structure of 10,000 variables and writing it takes part of a second.
_PAUSE_PER_CALL = 9


def search(
    cache: ParentSetCache,
    max_treewidth: int,
    *,
    solver: Solver = DEFAULT_SOLVER,
    budget: Budget = DEFAULT_BUDGET,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_improvement: Callable[[Structure], None] | None = None,
    start: Structure | None = None,
) -> SearchResult:
    """Find a high-scoring structure of treewidth at most ``max_treewidth``.

    A step is one construction: an order decoded by k-G or k-A*, or one run of k-MAX. Same seed and steps,
    same structure, whatever the number of ``threads`` (default: all that this process may use). Ctrl-C ends
    the search early and returns the best so far. ``progress`` is called a few times per second, and
    ``on_improvement`` with the best structure when it is a new one, as often as takes a tenth of the time. A
    structure of an earlier search of the same cache can be the ``start`` to go on from; the result is never
    worse.
    """
    problem = _problem(cache, max_treewidth)
    if start is not None:
        _check_start(start, cache, max_treewidth)

    shown, pause_until = -math.inf if start is None else start.score or -math.inf, 0.0

    def report(seconds: float, steps: int, best: _core.FoundStructure) -> None:
        nonlocal shown, pause_until
        if progress is not None:
            progress(Progress(seconds, steps, best.score))
        if on_improvement is not None and best.score > shown and time.monotonic() >= pause_until:
            began = time.monotonic()
            on_improvement(making.structure(best, steps))
            shown = best.score
            pause_until = time.monotonic() + _PAUSE_PER_CALL * (time.monotonic() - began)

    making = _Making(cache, max_treewidth, problem.width, solver, seed, start)
    found = solver.run(Task(problem, _limits(budget, seed, threads, start), report))
    return making.result(found)


def solve_order(
    cache: ParentSetCache,
    max_treewidth: int,
    order: Sequence[int],
    *,
    solver: Solver = DEFAULT_SOLVER,
    seed: int = 0,
) -> SearchResult:
    """Decode one insertion order.

    The first k+1 variables form the root clique, whatever their sequence. k-MAX, which has no order, takes
    the root from it and prefers the earlier of two variables with equal loss.
    """
    problem = _problem(cache, max_treewidth)
    given = np.asarray(order, dtype=np.int64)
    if not np.array_equal(np.sort(given), np.arange(cache.num_variables)):
        raise ValueError(f"order must hold each of 0..{cache.num_variables - 1} once, got {list(order)}.")
    limits = _limits(Budget(steps=1), seed, 1, None)
    found = solver.run(Task(problem, limits, given=given.astype(np.uint32)))
    return _Making(cache, max_treewidth, problem.width, solver, seed, None).result(found)


def _problem(cache: ParentSetCache, max_treewidth: int) -> _core.SearchProblem:
    if max_treewidth < 0:
        raise ValueError(f"max_treewidth must be at least 0, got {max_treewidth}.")
    if missing := cache.variables_without_empty_set:
        raise ValueError(
            f"Every variable needs the empty parent set; the cache has none for {missing[0]!r}"
            f" ({len(missing)} such variables)."
        )
    bound = min(max_treewidth, cache.num_variables - 1)
    return _core.SearchProblem(cache.set_offsets, cache.scores, cache.parent_offsets, cache.parents, bound)


def _check_start(start: Structure, cache: ParentSetCache, max_treewidth: int) -> None:
    if start.names != cache.names:
        raise ValueError("The structure to start from is for other variables than the cache.")
    verdict = check(start, cache, max_treewidth)
    if not verdict:
        raise ValueError(f"The structure to start from does not hold for this cache: {verdict}")


def _limits(budget: Budget, seed: int, threads: int | None, start: Structure | None) -> _core.SearchLimits:
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed must be in 0..2^64-1, got {seed}.")
    seconds = float("inf") if budget.seconds is None else budget.seconds
    steps = _NO_LIMIT if budget.steps is None else budget.steps
    score = float("-inf") if start is None or start.score is None else start.score
    order = start.insertion_order if start is not None else None
    first_step = 0 if start is None else int(start.provenance.get("steps", 0))
    return _core.SearchLimits(
        seconds,
        steps,
        resolve_threads(threads),
        seed,
        score,
        np.array(order or (), dtype=np.uint32),
        first_step,
    )


@dataclass(frozen=True)
class _Making:
    """What is the same for every structure of a search."""

    cache: ParentSetCache
    max_treewidth: int
    width: int
    solver: Solver
    seed: int
    start: Structure | None

    def structure(self, found: _core.FoundStructure, steps: int) -> Structure:
        """Give the core's numbers their names, scores and witness."""
        cache, ktree = self.cache, self.ktree(found)
        parents = [
            tuple(cache.parents[cache.parent_offsets[s] : cache.parent_offsets[s + 1]].tolist())
            for s in found.sets.tolist()
        ]
        before = 0 if self.start is None else int(self.start.provenance.get("steps", 0))
        return Structure(
            cache.names,
            tuple(parents),
            ktree.decomposition,
            local_scores=tuple(cache.scores[found.sets].tolist()),
            score=found.score,
            max_treewidth=self.max_treewidth,
            insertion_order=ktree.insertion_order,
            schema=cache.schema,
            provenance={"solver": self.solver.name, "seed": self.seed, "steps": before + steps},
        )

    def ktree(self, found: _core.FoundStructure) -> KTree:
        """The k-tree that the structure was grown in."""
        rows = found.separators.reshape(self.cache.num_variables, self.width)
        return KTree.from_rows(found.insertion_order.tolist(), rows.tolist())

    def result(self, outcome: _core.SearchOutcome) -> SearchResult:
        """Put the outcome together; a start that was not beaten is its own result."""
        found = outcome.best
        if len(found.sets) == 0:
            assert self.start is not None
            structure, ktree = self.start, None
        else:
            structure, ktree = self.structure(found, outcome.steps), self.ktree(found)
        return SearchResult(
            structure=structure,
            ktree=ktree,
            trace=tuple(Improvement(*entry) for entry in outcome.trace),
            steps=outcome.steps,
            seconds=outcome.seconds,
            stopped=StopReason[outcome.reason.name],
            solver=self.solver,
            seed=self.seed,
            is_optimal_for_order=found.is_optimal_for_order,
            num_proved=outcome.num_proved,
            num_skipped=outcome.num_skipped,
        )
