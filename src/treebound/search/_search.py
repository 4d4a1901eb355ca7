"""From a parent-set cache to a structure of bounded treewidth (paper, section 3)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import numpy as np

from treebound import _core
from treebound._arguments import check_seed, check_type
from treebound._budget import Budget, resolve_threads
from treebound.data import Dataset
from treebound.scoring.cache import ParentSetCache
from treebound.search._arguments import check_arguments
from treebound.search._bounds import Bounds
from treebound.search._making import Making, start_in_core
from treebound.search._result import Progress, SearchResult
from treebound.search._solvers import KGreedy, Regrow, Rows, Solver, Task
from treebound.structure import Structure, cache_for, check

DEFAULT_SOLVER: Solver = Regrow()
DEFAULT_ORDER_SOLVER: Solver = KGreedy()
DEFAULT_BUDGET = Budget(seconds=60)  # at n = 1000 some hundred thousand orders: where the curve is flat
_NO_LIMIT = 2**64 - 1
# Handing over a structure of 10,000 variables and writing it takes part of a second.
_PAUSE_PER_CALL = 9


def search(
    cache: ParentSetCache,
    max_treewidth: int | None = None,
    *,
    max_states: int | None = None,
    data: Dataset | None = None,
    solver: Solver = DEFAULT_SOLVER,
    budget: Budget = DEFAULT_BUDGET,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_improvement: Callable[[Structure], None] | None = None,
    start: Structure | None = None,
) -> SearchResult:
    """Find a high-scoring structure of treewidth at most ``max_treewidth``.

    ``max_states`` bounds the joint states of the largest clique instead or beside: with many states a small
    width is a large table, with two a large width is a small one. With the ``data`` that the cache was made
    of, families that it lacks are scored as the search comes to want them. Both need the solver ``Regrow``.

    A step is a batch of moves of Regrow, an order decoded by k-G or k-A*, or a construction of k-MAX. Same
    seed and steps, same structure, whatever the number of ``threads`` (default: all that this process may
    use). Ctrl-C ends the search early and returns the best so far. ``progress`` is called a few times per
    second, and ``on_improvement`` with the best structure when it is a new one, as often as takes a tenth of
    the time. A structure of an earlier search of the same cache can be the ``start`` to go on from; the
    result is never worse.
    """
    check_type("cache", cache, ParentSetCache, "a ParentSetCache, such as score(table).cache")
    check_arguments(max_treewidth, max_states, budget, solver)
    seed = check_seed(seed)
    bounds = Bounds.of(cache, max_treewidth, max_states)
    if solver.is_growing_ktrees and (max_states is not None or data is not None):
        raise ValueError(f"max_states and data need the solver regrow, got {solver.name}.")
    if data is not None:
        cache = cache_for(data, cache)
    problem = _problem(cache, bounds.width)
    if start is not None:
        _check_start(start, cache, bounds, data)

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

    making = Making(cache, bounds, problem.width, solver, seed, start)
    found = solver.run(
        Task(
            problem,
            _limits(budget, seed, threads, start),
            report,
            max_states=math.inf if max_states is None else max_states,
            cardinalities=bounds.cardinalities,
            rows=None if data is None else _rows(data, cache),
            start=_core.RegrowStart() if start is None else start_in_core(start, cache, data),
        )
    )
    return making.result(found)


def solve_order(
    cache: ParentSetCache,
    max_treewidth: int,
    order: Sequence[int],
    *,
    solver: Solver = DEFAULT_ORDER_SOLVER,
    seed: int = 0,
) -> SearchResult:
    """Decode one insertion order.

    The first k+1 variables form the root clique, whatever their sequence. k-MAX, which has no order, takes
    the root from it and prefers the earlier of two variables with equal loss.
    """
    check_type("cache", cache, ParentSetCache, "a ParentSetCache, such as score(table).cache")
    check_arguments(max_treewidth, None, Budget(steps=1), solver)
    seed = check_seed(seed)
    bounds = Bounds.of(cache, max_treewidth, None)
    problem = _problem(cache, bounds.width)
    given = np.asarray(order, dtype=np.int64)
    if not np.array_equal(np.sort(given), np.arange(cache.num_variables)):
        raise ValueError(f"order must hold each of 0..{cache.num_variables - 1} once, got {list(order)}.")
    limits = _limits(Budget(steps=1), seed, 1, None)
    found = solver.run(Task(problem, limits, given=given.astype(np.uint32)))
    return Making(cache, bounds, problem.width, solver, seed, None).result(found)


def _problem(cache: ParentSetCache, width: int) -> _core.SearchProblem:
    if missing := cache.variables_without_empty_set:
        raise ValueError(
            f"Every variable needs the empty parent set; the cache has none for {missing[0]!r}"
            f" ({len(missing)} such variables)."
        )
    return _core.SearchProblem(cache.set_offsets, cache.scores, cache.parent_offsets, cache.parents, width)


def _rows(data: Dataset, cache: ParentSetCache) -> Rows:
    assert cache.score is not None
    return Rows(data.in_core, cache.score._in_core(data.num_rows))


def _check_start(start: Structure, cache: ParentSetCache, bounds: Bounds, data: Dataset | None) -> None:
    if start.names != cache.names:
        raise ValueError("The structure to start from is for other variables than the cache.")
    verdict = check(start, cache, bounds.max_treewidth, max_states=bounds.max_states, data=data)
    if not verdict:
        raise ValueError(f"The structure to start from does not hold for this cache: {verdict}")


def _limits(budget: Budget, seed: int, threads: int | None, start: Structure | None) -> _core.SearchLimits:
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
