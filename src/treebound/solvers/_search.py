"""From a parent-set cache to a structure of bounded treewidth (paper, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral

import numpy as np

from treebound._arguments import check_function, check_seed, check_type
from treebound._budget import Budget, resolve_threads
from treebound._progress import ProgressOption, watched
from treebound._run import execute, new_run
from treebound.constraints import Constraints, check_constraints, merged, rules_of, split_cells
from treebound.data import Dataset
from treebound.scoring.cache import ParentSetCache
from treebound.solvers._arguments import check_arguments, check_takes, kept_bound
from treebound.solvers._bounds import Bounds
from treebound.solvers._builder import ResultBuilder
from treebound.solvers._registry import KGreedy, Needs, Regrow, Takes
from treebound.solvers._result import SearchResult
from treebound.solvers._search_job import SearchJob, Watcher, new_task, search_directions
from treebound.solvers._task import Solver
from treebound.structure import Structure, cache_for, check

DEFAULT_SOLVER: Solver = Regrow()
DEFAULT_ORDER_SOLVER: Solver = KGreedy()
DEFAULT_BUDGET = Budget(seconds=60)  # at n = 1000 some hundred thousand orders: where the curve is flat


def search(
    cache: ParentSetCache,
    max_treewidth: int | None = None,
    *,
    data: Dataset | None = None,
    solver: Solver = DEFAULT_SOLVER,
    budget: Budget = DEFAULT_BUDGET,
    seed: int = 0,
    threads: int | None = None,
    progress: ProgressOption = None,
    on_improvement: Callable[[Structure], None] | None = None,
    start: Structure | None = None,
    constraints: Constraints | None = None,
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
    constraints : Constraints, optional
        What the structure must obey, in addition to the constraints that the cache was scored under.
        ``Constraints(max_cells=...)`` limits the bags instead of ``max_treewidth`` or in addition.

    Returns
    -------
    SearchResult
        The structure with its upper bound and the trace of improvements.

    Raises
    ------
    ContradictionError
        If no structure obeys the constraints within the limits; the message gives the shortest reason.
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
    check_constraints(constraints)
    check_function("on_improvement", on_improvement)
    known = merged(cache.constraints, constraints)
    max_cells, families = split_cells(known)
    entry = check_arguments(max_treewidth, max_cells, budget, solver)
    if data is not None:
        check_takes(entry, Takes.ROWS)
    max_treewidth = kept_bound(entry, max_treewidth)
    bounds = Bounds.of(cache, max_treewidth, max_cells)
    if data is not None:
        cache = cache_for(data, cache)
    elif Needs.ROWS in entry.needs:
        raise ValueError(f"The solver {solver.name} needs the data that the cache was made of.")
    job = SearchJob(
        cache, bounds, data, entry, solver, check_seed(seed), resolve_threads(threads), start, families
    )
    rules = rules_of(families, cache.names)
    if start is not None:
        _check_start(start, cache, max_treewidth, data, known)
    with watched(progress) as callback:
        watcher = Watcher(callback, on_improvement)
        if rules.undecided:
            return search_directions(job, rules, budget, watcher)
        return job.run(rules, budget, watcher)


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
    task = new_task(cache, bounds, run, seed, given=given.astype(np.uint32))
    statistics = execute("an order", run, lambda: solver.run(task), is_long=False)
    return ResultBuilder(task, solver, seed, None).result(statistics)


def _check_start(
    start: Structure,
    cache: ParentSetCache,
    max_treewidth: int | None,
    data: Dataset | None,
    constraints: Constraints | None,
) -> None:
    if start.names != cache.names:
        raise ValueError("The structure to start from is for other variables than the cache.")
    verdict = check(start, cache, max_treewidth, data=data, constraints=constraints)
    if not verdict:
        raise ValueError(f"The structure to start from does not hold for this cache: {verdict}")
