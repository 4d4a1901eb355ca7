"""From a parent-set cache to a structure of bounded treewidth (paper, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from treebound import _core
from treebound._budget import Budget, resolve_threads
from treebound.scoring.cache import ParentSetCache
from treebound.search._result import Improvement, Progress, SearchResult, StopReason
from treebound.search._solvers import KGreedy, Solver
from treebound.structure import KTree, Structure

DEFAULT_SOLVER: Solver = KGreedy()
DEFAULT_BUDGET = Budget(seconds=60)  # at n = 1000 some hundred thousand orders: where the curve is flat
_NO_LIMIT = 2**64 - 1


def search(
    cache: ParentSetCache,
    max_treewidth: int,
    *,
    solver: Solver = DEFAULT_SOLVER,
    budget: Budget = DEFAULT_BUDGET,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> SearchResult:
    """Find a high-scoring structure of treewidth at most ``max_treewidth``.

    A step is one construction: an order decoded by k-G or k-A*, or one run of k-MAX. Same seed and steps,
    same structure, whatever the number of ``threads`` (default: all that this process may use). Ctrl-C ends
    the search early and returns the best so far. ``progress`` is called a few times per second.
    """
    problem = _problem(cache, max_treewidth)
    limits = _limits(budget, seed, threads)
    report = None if progress is None else lambda *state: progress(Progress(*state))
    return _result(cache, max_treewidth, problem, solver.run(problem, limits, report), solver, seed)


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
    found = solver.run(problem, _limits(Budget(steps=1), seed, 1), None, given.astype(np.uint32))
    return _result(cache, max_treewidth, problem, found, solver, seed)


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


def _limits(budget: Budget, seed: int, threads: int | None) -> _core.SearchLimits:
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed must be in 0..2^64-1, got {seed}.")
    seconds = float("inf") if budget.seconds is None else budget.seconds
    steps = _NO_LIMIT if budget.steps is None else budget.steps
    return _core.SearchLimits(seconds, steps, resolve_threads(threads), seed)


def _result(
    cache: ParentSetCache,
    max_treewidth: int,
    problem: _core.SearchProblem,
    found: _core.SearchOutcome,
    solver: Solver,
    seed: int,
) -> SearchResult:
    parents = [
        cache.parents[cache.parent_offsets[s] : cache.parent_offsets[s + 1]].tolist()
        for s in found.sets.tolist()
    ]
    rows = found.separators.reshape(cache.num_variables, problem.width)
    ktree = KTree.from_rows(found.insertion_order.tolist(), rows.tolist())
    structure = Structure(
        cache.names,
        tuple(map(tuple, parents)),
        ktree.decomposition,
        local_scores=tuple(cache.scores[found.sets].tolist()),
        score=found.score,
        max_treewidth=max_treewidth,
        insertion_order=ktree.insertion_order,
        schema=cache.schema,
        provenance={"solver": solver.name, "seed": seed},
    )
    return SearchResult(
        structure=structure,
        ktree=ktree,
        trace=tuple(Improvement(*entry) for entry in found.trace),
        steps=found.steps,
        seconds=found.seconds,
        stopped=StopReason[found.reason.name],
        solver=solver,
        seed=seed,
        is_optimal_for_order=found.is_optimal_for_order,
        num_proved=found.num_proved,
        num_skipped=found.num_skipped,
    )
