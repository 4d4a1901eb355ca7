"""One search with all directions decided, and several where some are not."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._budget import Budget
from treebound._progress import SEARCH, ProgressCallback, progress_of
from treebound._run import OutOfMemory, StopReason, execute, new_run
from treebound.constraints import Constraints, FamilyRules, split_cells
from treebound.data import Dataset
from treebound.scoring.cache import ParentSetCache
from treebound.solvers._arguments import check_rules
from treebound.solvers._bounds import Bounds
from treebound.solvers._builder import ResultBuilder, start_in_core
from treebound.solvers._directions import directions_of
from treebound.solvers._problem import check_width, searchable, with_unseen
from treebound.solvers._registry import Entry, Gives
from treebound.solvers._result import Improvement, SearchResult
from treebound.solvers._task import Solver, Statistics, Task
from treebound.solvers._unscored_families import unscored_bounds
from treebound.solvers._upper_bound import BoundSource, Optimum, UpperBound, upper_bound
from treebound.structure import Structure, TreeDecomposition, moral_graph

# Handing over a structure of 10,000 variables and writing it takes part of a second.
_PAUSE_PER_CALL = 9


class Watcher:
    """Reports the progress of a search to its callbacks, and structures that are better than all before."""

    def __init__(
        self, progress: ProgressCallback | None, on_improvement: Callable[[Structure], None] | None
    ) -> None:
        self._progress, self._on_improvement = progress, on_improvement
        self._shown = -math.inf
        self._pause_until = 0.0

    def begin(self, score: float) -> None:
        """Do not report structures that are no better than this."""
        self._shown = max(self._shown, score)

    def report(self, builder: ResultBuilder, budget: Budget) -> None:
        """Report where a search is."""
        run = builder.task.run
        if self._progress is not None:
            self._progress(progress_of(SEARCH, run, budget))
        if self._on_improvement is None or not run.score > self._shown:
            return
        began = time.monotonic()
        if began < self._pause_until:
            return
        best = builder.task.core.best
        self._on_improvement(builder.structure(best))
        self._shown = best.score
        self._pause_until = time.monotonic() + _PAUSE_PER_CALL * (time.monotonic() - began)


@dataclass(frozen=True, eq=False)
class SearchJob:
    """The checked arguments of ``search``, besides rules, budget and callbacks."""

    cache: ParentSetCache
    bounds: Bounds
    data: Dataset | None
    entry: Entry
    solver: Solver
    seed: int
    threads: int
    start: Structure | None
    constraints: Constraints | None

    def run(self, rules: FamilyRules, budget: Budget, watcher: Watcher) -> SearchResult:
        """Search under rules that leave no direction undecided."""
        check_rules(self.entry, rules, self.cache.names)
        run = new_run(budget, self.threads)
        task = new_task(self.cache, self.bounds, run, self.seed, self.data, self.start, rules=rules)
        source = BoundSource.CACHE if self.rows is None else BoundSource.ROWS
        builder = ResultBuilder(task, self.solver, self.seed, self.start, source, self.constraints)
        watcher.begin(run.score)

        def work() -> Statistics:
            bound = self.bound(task, rules)
            run.bound = bound.score
            return self.solver.run(replace(task, optimum=bound.optimum))

        try:
            statistics = execute("the search", run, work, lambda: watcher.report(builder, budget))
        except OutOfMemory:
            if self.start is None and not task.core.has_found:
                raise
            statistics = {}
            run.end(_core.StopReason.MEMORY)
        return builder.result(statistics)

    @property
    def rows(self) -> Dataset | None:
        """The rows, if families outside the cache may be chosen."""
        start = self.start
        is_wider = self.entry.scores_rows or (start is not None and not _is_within(start, self.cache))
        return self.data if is_wider else None

    def bound(self, task: Task, rules: FamilyRules) -> UpperBound:
        """What no structure exceeds: of the cache, or with rows of the whole table."""
        problem, cache, width = task.core.problem, self.cache, self.bounds.width
        if self.rows is not None:
            assert cache.score is not None
            # A cache may have dropped a set because of one within it that these rules do not allow.
            if rules.required and split_cells(cache.constraints)[1] != self.constraints:
                problem = searchable(cache, width)
            unseen = unscored_bounds(cache, self.rows, cache.score, width)
            problem = with_unseen(cache, width, unseen, problem)
        bound = upper_bound(problem, task.run)
        if problem is task.core.problem and _keeps_to(bound.optimum, self.bounds, rules):
            return bound
        return UpperBound(bound.score)

    def check(self, rules: FamilyRules) -> None:
        """Raise ``ContradictionError`` if no structure of the solver obeys the rules within the limits."""
        check_rules(self.entry, rules, self.cache.names)
        check_width(rules, self.bounds, self.cache.names)

    def starting(self, rules: FamilyRules) -> SearchJob:
        """Return the job without its start if the start does not obey the rules."""
        parents = () if self.start is None else self.start.parent_indices
        obeys = all(rules.allows(v, chosen) for v, chosen in enumerate(parents))
        return self if obeys else replace(self, start=None)


def search_directions(job: SearchJob, rules: FamilyRules, budget: Budget, watcher: Watcher) -> SearchResult:
    """Search each choice of directions with an equal share of the budget, and return the best result."""
    is_exact = Gives.BOUND in job.entry.gives
    found = directions_of(rules, job.cache, job.check, is_exact=is_exact)
    share = _share(budget, len(found.choices))
    results: list[SearchResult] = []
    for choice in found.choices:
        results.append(job.starting(choice).run(choice, share, watcher))
        if results[-1].stopped is StopReason.INTERRUPTED:
            break
    are_all = found.are_all and len(results) == len(found.choices)
    bounds = [result.bound for result in results if result.bound is not None]
    if not are_all or len(bounds) < len(results):
        bounds = [_relaxed_bound(job, rules, share)]
    return _joined(results, max(bounds))


def _relaxed_bound(job: SearchJob, rules: FamilyRules, budget: Budget) -> float:
    """The bound if undecided pairs need not be joined."""
    relaxed = replace(rules, undecided=())
    task = new_task(job.cache, job.bounds, new_run(budget, job.threads), job.seed, job.data, rules=relaxed)
    return job.bound(task, relaxed).score


def _share(budget: Budget, number: int) -> Budget:
    seconds = None if budget.seconds is None else budget.seconds / number
    steps = None if budget.steps is None else max(1, budget.steps // number)
    return replace(budget, seconds=seconds, steps=steps)


def _joined(results: list[SearchResult], bound: float) -> SearchResult:
    """The best result, with the steps and the time of all."""
    best = max(results, key=lambda result: result.score)
    seconds, steps = 0.0, 0
    trace: list[Improvement] = []
    for result in results:
        for entry in result.trace:
            if not trace or entry.score > trace[-1].score:
                trace.append(entry._replace(seconds=seconds + entry.seconds, step=steps + entry.step))
        seconds, steps = seconds + result.seconds, steps + result.steps
    return replace(
        best,
        trace=tuple(trace),
        steps=steps,
        seconds=seconds,
        stopped=results[-1].stopped,
        bound=bound if math.isfinite(bound) else None,
        bound_source=best.bound_source or BoundSource.CACHE,
    )


def new_task(
    cache: ParentSetCache,
    bounds: Bounds,
    run: _core.Run,
    seed: int,
    data: Dataset | None = None,
    start: Structure | None = None,
    *,
    given: NDArray[np.uint32] | None = None,
    rules: FamilyRules | None = None,
) -> Task:
    """Return the task of a solver."""
    problem = searchable(cache, bounds, data, rules)
    return Task(
        _core.SearchTask(problem, run, seed, start_in_core(start, cache, data)),
        run,
        cache,
        bounds,
        np.zeros(0, dtype=np.uint32) if given is None else given,
    )


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
