"""From a table to scored candidate parent sets (paper, sections 2 and 2.1)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from treebound import _core
from treebound._arguments import check_function, check_type
from treebound._budget import Budget
from treebound._phases import peak_memory_mb
from treebound._progress import SCORING, ProgressCallback, ProgressOption, progress_of, watched
from treebound._run import StopReason, execute, new_run
from treebound._where import HERE, Local
from treebound.constraints import Constraints, check_constraints, families_in_core
from treebound.data import Dataset
from treebound.scoring._coverage import Coverage
from treebound.scoring._estimate import estimate_scoring, fitted, held_by
from treebound.scoring._job import new_job
from treebound.scoring._local_scores import DEFAULT_SCORE, SCORE_IN_WORDS, Score
from treebound.scoring._methods import PARENT_SETS_IN_WORDS, Independence, ParentSetSearch
from treebound.scoring._report import ScoringReport
from treebound.scoring._resume import check_same_job, restore
from treebound.scoring._rules import Pruning, resolve_rules
from treebound.scoring._task import Scorer, ScoringResult, ScoringTask
from treebound.scoring.cache import ParentSetCache
from treebound.tables import load

DEFAULT_PARENT_SETS: ParentSetSearch = Independence()
# Half a second per variable at a hundred variables: independence selection rarely finds better sets later.
DEFAULT_BUDGET = Budget(seconds=60)
_CHECKPOINT_SECONDS = 30.0


def score(
    table: Any,
    *,
    parent_sets: ParentSetSearch | None = None,
    score: Score = DEFAULT_SCORE,
    pruning: Pruning = "all",
    budget: Budget | None = DEFAULT_BUDGET,
    where: Local | Scorer = HERE,
    progress: ProgressOption = None,
    checkpoint: Callable[[ParentSetCache], None] | None = None,
    resume: ParentSetCache | None = None,
    constraints: Constraints | None = None,
) -> ScoringResult:
    """Score candidate parent sets of every variable of a table.

    Nothing is random: equal steps give equal caches for any number of threads and workers. Ctrl-C ends the
    run early and returns whatever was scored so far, with ``report.stopped == "interrupted"``.

    Parameters
    ----------
    table : Dataset or anything that ``load`` takes
        The rows.
    parent_sets : Exhaustive or Independence, optional
        Which parent sets to score. By default ``Independence()``, or ``Exhaustive(2)`` for tables whose rows
        stay in parts on a cluster.
    score : Bic or Bdeu
        The local score.
    pruning : "all", iterable of str or None
        Which pruning rules to apply, by name; None applies none.
    budget : Budget, optional
        When to stop; a step is one scored set. None scores all sets.
    where : Local or Cluster
        Score in this process, with its threads and memory, or on a ``treebound.distributed.Cluster``.
    progress : bool or callable, optional
        True draws a bar; a function is called with a ``Progress`` a few times per second.
    checkpoint : callable, optional
        Called with the cache so far, twice a minute and at the end.
    resume : ParentSetCache, optional
        Continue from the cache of an interrupted run or of a checkpoint.
    constraints : Constraints, optional
        Score only parent sets that these allow. The cache keeps them, and a search of it obeys them.

    Returns
    -------
    ScoringResult
        The cache and a report of the run.

    Raises
    ------
    DataError
        If the table cannot be used.
    NotEnoughMemory
        If the run needs more memory than there is; the message says what would fit.

    Examples
    --------
    >>> import treebound as tb
    >>> rows = {"rain": ["no", "no", "yes", "yes"] * 9, "wet": ["no", "no", "yes", "yes"] * 9}
    >>> tb.score(rows).cache.best("wet")
    ParentSet(parents=('rain',), score=-3.58351893845611, parent_indices=(0,))
    """
    check_type("parent_sets", parent_sets, ParentSetSearch | None, f"{PARENT_SETS_IN_WORDS}, or None")
    check_type("score", score, Score, SCORE_IN_WORDS)
    check_type("budget", budget, Budget | None, "a Budget, such as Budget(seconds=60), or None")
    check_function("checkpoint", checkpoint)
    check_constraints(constraints)
    check_type("resume", resume, ParentSetCache | None, "a ParentSetCache or None")
    check_type("where", where, Local | Scorer, "Local() or a treebound.distributed.Cluster")
    with watched(progress) as callback:
        task = ScoringTask(
            parent_sets,
            score,
            resolve_rules(pruning, score),
            budget,
            callback,
            checkpoint,
            resume,
            constraints,
        )
        if not isinstance(where, Local):
            return where.score(table, task)
        data = table if isinstance(table, Dataset) else load(table)
        data.require_countable("scoring")
        sets = parent_sets or DEFAULT_PARENT_SETS
        if where.memory_mb is not None and isinstance(sets, Independence):
            sets = fitted(sets, data, where.memory_mb)
        estimate_scoring(data, sets, budget, where.num_threads).check(held_by(data), where.memory_mb)
        return score_here(data, replace(task, parent_sets=sets), where.num_threads)


def score_here(data: Dataset, task: ScoringTask, threads: int) -> ScoringResult:
    """Score in this process; the caller has checked that the memory suffices."""
    assert task.parent_sets is not None
    run = _Run(data, task.parent_sets, task, threads)
    result = run.execute(task.budget, task.progress, task.checkpoint)
    # What the search remembered is the most that this process holds; later work needs the memory.
    del run
    _core.return_free_memory()
    return result


class _Run:
    """One call of :func:`score`."""

    def __init__(
        self,
        data: Dataset,
        parent_sets: ParentSetSearch,
        task: ScoringTask,
        threads: int,
    ) -> None:
        self.data, self.parent_sets, self.task, self.threads = data, parent_sets, task, threads
        self.coverage = Coverage.of(parent_sets, task.rules)
        families = families_in_core(task.constraints, data.schema.names)
        self.job = new_job(data.in_core, parent_sets, task.score, task.rules, families)
        if task.resume is not None:
            check_same_job(task.resume, data, task.score, self.coverage, task.constraints)
            restore(self.job, task.resume)

    def execute(
        self,
        budget: Budget | None,
        progress: ProgressCallback | None,
        checkpoint: Callable[[ParentSetCache], None] | None,
    ) -> ScoringResult:
        saved = time.monotonic()
        job, run = self.job, new_run(budget, self.threads)

        def on_tick() -> None:
            nonlocal saved
            now = time.monotonic()
            if progress is not None:
                progress(progress_of(SCORING, run, budget, self.data.num_variables))
            if checkpoint is not None and now - saved > _CHECKPOINT_SECONDS and job.has_result:
                checkpoint(self._cache(job.result(self.threads), resumable=True))
                saved = time.monotonic()

        execute(SCORING, run, lambda: job.work(run), on_tick)
        elapsed, reason = run.elapsed, StopReason[run.reason.name]
        arrays = job.result(self.threads)
        cache = self._cache(arrays, resumable=reason is StopReason.INTERRUPTED)
        if checkpoint is not None:
            checkpoint(cache)
        return ScoringResult(cache, self._report(cache, arrays, run.num_steps, elapsed, reason))

    def _cache(self, arrays: dict[str, Any], *, resumable: bool) -> ParentSetCache:
        keeps_visited = resumable and isinstance(self.parent_sets, Independence) and not self.job.is_finished
        return ParentSetCache(
            self.data.schema.names,
            arrays["set_offsets"],
            arrays["scores"],
            arrays["parent_offsets"],
            arrays["parents"],
            schema=self.data.schema,
            score=self.task.score,
            fingerprint=self.data.fingerprint,
            coverage=self.coverage,
            complete=arrays["complete"].astype(np.bool_),
            resume=self.job.save_visited() if keeps_visited else None,
            constraints=self.task.constraints or None,
        )

    def _report(
        self,
        cache: ParentSetCache,
        arrays: dict[str, Any],
        num_scored: int,
        seconds: float,
        reason: StopReason,
    ) -> ScoringReport:
        return ScoringReport(
            variables=self.data.num_variables,
            rows=self.data.num_rows,
            sets_scored=num_scored,
            sets_kept=cache.num_sets,
            pruned={rule: arrays["removed"][rule] for rule in self.task.rules},
            implied=arrays["implied"],
            seconds=seconds,
            stopped=reason,
            variables_finished=int(cache.complete.sum()),
            sum_of_best=cache.sum_of_best,
            peak_memory_mb=peak_memory_mb(),
        )
