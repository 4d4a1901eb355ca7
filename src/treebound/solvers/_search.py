"""From a parent-set cache to a structure of bounded treewidth (paper, section 3)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_function, check_seed, check_type
from treebound._budget import Budget, resolve_threads
from treebound._progress import SEARCH, ProgressCallback, ProgressOption, progress_of, watched
from treebound._run import OutOfMemory, execute, new_run
from treebound.data import Dataset
from treebound.scoring.cache import ParentSetCache
from treebound.solvers._arguments import check_arguments, check_rules, check_takes, kept_bound
from treebound.solvers._bounds import Bounds
from treebound.solvers._builder import ResultBuilder, start_in_core
from treebound.solvers._problem import searchable, with_unseen
from treebound.solvers._registry import KGreedy, Needs, Regrow, Takes
from treebound.solvers._result import SearchResult
from treebound.solvers._rules import NO_RULES, FamilyRules
from treebound.solvers._task import Solver, Statistics, Task
from treebound.solvers._unseen import unseen_scores
from treebound.solvers._upper_bound import BoundSource, Optimum, UpperBound, upper_bound
from treebound.structure import Structure, TreeDecomposition, cache_for, check, moral_graph

DEFAULT_SOLVER: Solver = Regrow()
DEFAULT_ORDER_SOLVER: Solver = KGreedy()
DEFAULT_BUDGET = Budget(seconds=60)  # at n = 1000 some hundred thousand orders: where the curve is flat
# Handing over a structure of 10,000 variables and writing it takes part of a second.
_PAUSE_PER_CALL = 9


def search(
    cache: ParentSetCache,
    max_treewidth: int | None = None,
    *,
    max_cells: int | None = None,
    data: Dataset | None = None,
    solver: Solver = DEFAULT_SOLVER,
    budget: Budget = DEFAULT_BUDGET,
    seed: int = 0,
    threads: int | None = None,
    progress: ProgressOption = None,
    on_improvement: Callable[[Structure], None] | None = None,
    start: Structure | None = None,
    rules: FamilyRules = NO_RULES,
) -> SearchResult:
    """Find a high-scoring structure of limited treewidth.

    Equal seeds and steps give equal structures for any number of threads. A step is a batch of moves of
    Regrow, an order decoded by k-G or k-A*, a construction of k-MAX, or an arc changed by hc-ET. Ctrl-C or a
    shortage of memory ends the search early and returns the best structure so far. A search that reaches its
    upper bound stops.

    Parameters
    ----------
    cache : ParentSetCache
        Scored parent sets, for example ``score(table).cache``.
    max_treewidth : int, optional
        Treewidth limit.
    max_cells : int, optional
        Limit on the joint states of the largest bag, instead of the treewidth or in addition.
    data : Dataset, optional
        The rows that the cache was made from. With them, some solvers also score families outside the cache.
    solver : Solver
        One of ``treebound.solvers``; ``treebound.solvers.SOLVERS`` lists what each of them takes.
    budget : Budget
        When to stop.
    seed : int
        Seed of the random numbers.
    threads : int, optional
        Number of threads; None uses all cores.
    progress : bool or callable, optional
        True draws a bar; a function is called with a ``Progress`` a few times per second.
    on_improvement : callable, optional
        Called with each new best structure, for at most a tenth of the time.
    start : Structure, optional
        Continue from this structure, found earlier in the same cache. The result is never worse.
    rules : FamilyRules
        Which families are allowed.

    Returns
    -------
    SearchResult
        The structure with its upper bound and the trace of improvements.

    Raises
    ------
    ValueError
        If no limit is given, or the solver does not take an argument.

    Examples
    --------
    >>> import treebound as tb
    >>> cache = tb.ParentSetCache.from_sets({"a": [((), -3.0)], "b": [(["a"], -1.0), ((), -2.0)]})
    >>> tb.search(cache, 1, budget=tb.Budget(steps=10)).score
    -4.0
    """
    check_type("cache", cache, ParentSetCache, "a ParentSetCache, such as score(table).cache")
    check_type("data", data, Dataset | None, "a Dataset, such as load(table), or None")
    check_type("start", start, Structure | None, "a Structure or None")
    check_type("rules", rules, FamilyRules, "FamilyRules")
    check_function("on_improvement", on_improvement)
    entry = check_arguments(max_treewidth, max_cells, budget, solver)
    if data is not None:
        check_takes(entry, Takes.ROWS)
    max_treewidth = kept_bound(entry, max_treewidth)
    seed = check_seed(seed)
    bounds = Bounds.of(cache, max_treewidth, max_cells)
    if data is not None:
        cache = cache_for(data, cache)
    elif Needs.ROWS in entry.needs:
        raise ValueError(f"The solver {solver.name} needs the data that the cache was made of.")
    check_rules(entry, rules, cache.names)
    if start is not None:
        _check_start(start, cache, bounds, data, rules)
    run = new_run(budget, resolve_threads(threads))
    task = _task(cache, bounds, run, seed, data=data, start=start, rules=rules)
    rows = data if entry.scores_rows or (start is not None and not _is_within(start, cache)) else None
    builder = ResultBuilder(
        task, solver, seed, start, BoundSource.CACHE if rows is None else BoundSource.ROWS
    )

    def work() -> Statistics:
        bound = _bound(task, rows, rules)
        run.bound = bound.score
        return solver.run(replace(task, optimum=bound.optimum))

    try:
        with watched(progress) as callback:
            reporter = _Reporter(builder, budget, callback, on_improvement)
            statistics = execute("the search", run, work, reporter.report)
    except OutOfMemory:
        if start is None and not task.core.has_found:
            raise
        statistics = {}
        run.end(_core.StopReason.MEMORY)
    return builder.result(statistics)


def solve_order(
    cache: ParentSetCache,
    max_treewidth: int,
    order: Sequence[int],
    *,
    solver: Solver = DEFAULT_ORDER_SOLVER,
    seed: int = 0,
) -> SearchResult:
    """Decode one insertion order.

    The first k+1 variables form the root clique, in any sequence. k-MAX, which has no order, takes
    the root from it and prefers the earlier of two variables with equal loss.
    """
    check_type("cache", cache, ParentSetCache, "a ParentSetCache, such as score(table).cache")
    check_takes(check_arguments(max_treewidth, None, Budget(steps=1), solver), Takes.ORDER)
    seed = check_seed(seed)
    bounds = Bounds.of(cache, max_treewidth, None)
    check_type("order", order, Sequence | np.ndarray, "a sequence of indexes")
    for v in order:
        check_type("each of order", v, Integral, "an index")
    given = np.asarray(order, dtype=np.int64)
    if not np.array_equal(np.sort(given, axis=None), np.arange(cache.num_variables)):
        raise ValueError(f"order must hold each of 0..{cache.num_variables - 1} once, got {list(order)}.")
    run = new_run(Budget(steps=1), 1)
    task = _task(cache, bounds, run, seed, given=given.astype(np.uint32))
    statistics = execute("an order", run, lambda: solver.run(task), is_long=False)
    return ResultBuilder(task, solver, seed, None).result(statistics)


class _Reporter:
    """Reports the progress of a search to its callbacks."""

    def __init__(
        self,
        builder: ResultBuilder,
        budget: Budget,
        progress: ProgressCallback | None,
        on_improvement: Callable[[Structure], None] | None,
    ) -> None:
        self._builder, self._budget = builder, budget
        self._progress, self._on_improvement = progress, on_improvement
        self._shown = builder.task.run.score
        self._pause_until = 0.0

    def report(self) -> None:
        run = self._builder.task.run
        if self._progress is not None:
            self._progress(progress_of(SEARCH, run, self._budget))
        if self._on_improvement is None or not run.score > self._shown:
            return
        began = time.monotonic()
        if began < self._pause_until:
            return
        best = self._builder.task.core.best
        self._on_improvement(self._builder.structure(best))
        self._shown = best.score
        self._pause_until = time.monotonic() + _PAUSE_PER_CALL * (time.monotonic() - began)


def _task(
    cache: ParentSetCache,
    bounds: Bounds,
    run: _core.Run,
    seed: int,
    *,
    data: Dataset | None = None,
    start: Structure | None = None,
    given: NDArray[np.uint32] | None = None,
    rules: FamilyRules = NO_RULES,
) -> Task:
    problem = searchable(cache, bounds, data, rules)
    return Task(
        _core.SearchTask(problem, run, seed, start_in_core(start, cache, data)),
        run,
        cache,
        bounds,
        np.zeros(0, dtype=np.uint32) if given is None else given,
    )


def _bound(task: Task, rows: Dataset | None, rules: FamilyRules) -> UpperBound:
    """What no structure exceeds: of the cache, or with rows of the whole table."""
    problem, cache, width = task.core.problem, task.cache, task.bounds.width
    if rows is not None:
        assert cache.score is not None
        # A cache has no set that scores below one within it; required parents may ask for it all the same.
        if rules.required:
            problem = searchable(cache, width)
        problem = with_unseen(cache, width, unseen_scores(cache, rows, cache.score, width), problem)
    bound = upper_bound(problem, task.run)
    if problem is task.core.problem and _keeps_to(bound.optimum, task.bounds, rules):
        return bound
    return UpperBound(bound.score)


def _keeps_to(optimum: Optimum | None, bounds: Bounds, rules: FamilyRules) -> bool:
    """Whether the best structure within the treewidth limit is also within the other limits."""
    if optimum is None or not all(rules.allows(v, chosen) for v, chosen in enumerate(optimum.parents)):
        return False
    if bounds.max_cells is None:
        return True
    tree = TreeDecomposition.from_elimination_order(moral_graph(optimum.parents), optimum.elimination_order)
    return all(math.prod(bounds.cardinalities[list(bag)].tolist()) <= bounds.max_cells for bag in tree.bags)


def _is_within(structure: Structure, cache: ParentSetCache) -> bool:
    """Whether all families are of the cache."""
    return all(cache.score_of(v, chosen) is not None for v, chosen in enumerate(structure.parent_indices))


def _check_start(
    start: Structure, cache: ParentSetCache, bounds: Bounds, data: Dataset | None, rules: FamilyRules
) -> None:
    if start.names != cache.names:
        raise ValueError("The structure to start from is for other variables than the cache.")
    verdict = check(start, cache, bounds.max_treewidth, max_cells=bounds.max_cells, data=data)
    if not verdict:
        raise ValueError(f"The structure to start from does not hold for this cache: {verdict}")
    for v, parents in enumerate(start.parent_indices):
        if not rules.allows(v, parents):
            raise ValueError(
                f"The structure to start from does not obey the rules: see the parents of {start.names[v]!r}."
            )
