"""From a table to scored candidate parent sets (paper, sections 2 and 2.1)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from treebound import _core
from treebound._arguments import check_function, check_type
from treebound._budget import Budget, resolve_threads
from treebound._phases import peak_memory_mb
from treebound._progress import SCORING, ProgressCallback, ProgressOption, progress_of, watched
from treebound._run import StopReason, execute, new_run
from treebound.data import Dataset, load
from treebound.scoring._estimate import check_memory_mb, estimate_scoring, fitted, held_by
from treebound.scoring._job import new_job, options_of
from treebound.scoring._local_scores import DEFAULT_SCORE, SCORE_IN_WORDS, Score
from treebound.scoring._methods import PARENT_SETS_IN_WORDS, Independence, ParentSetSearch
from treebound.scoring._report import ScoringReport
from treebound.scoring._resume import check_same_job, restore
from treebound.scoring._rules import Pruning, RuleName, resolve_rules
from treebound.scoring.cache import ParentSetCache

DEFAULT_PARENT_SETS: ParentSetSearch = Independence()
# Half a second per variable at a hundred variables: independence selection rarely finds better sets later.
DEFAULT_BUDGET = Budget(seconds=60)
_CHECKPOINT_SECONDS = 30.0


@dataclass(frozen=True)
class ScoringResult:
    """The cache, and a report of the run."""

    cache: ParentSetCache
    report: ScoringReport

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def score(
    table: Any,
    *,
    parent_sets: ParentSetSearch = DEFAULT_PARENT_SETS,
    score: Score = DEFAULT_SCORE,
    pruning: Pruning = "all",
    budget: Budget | None = DEFAULT_BUDGET,
    threads: int | None = None,
    memory_mb: int | None = None,
    progress: ProgressOption = None,
    checkpoint: Callable[[ParentSetCache], None] | None = None,
    resume: ParentSetCache | None = None,
) -> ScoringResult:
    """Score candidate parent sets of every variable of a table.

    ``table`` is a :class:`Dataset` or anything that :func:`treebound.load` takes. A step of the ``budget`` is
    one set scored; without a budget the search runs to its end. Nothing is random, so that equal
    steps give equal caches for any number of ``threads``. Ctrl-C ends the run early and returns what there
    is, with ``report.stopped == "interrupted"``; such a cache can be handed to ``resume`` to go on, and so
    can what ``checkpoint`` is called with, twice a minute and at the end. ``progress`` is called several
    times a second with the progress of the run; True draws a bar.

    The memory is estimated before it is taken, and ``NotEnoughMemory`` says what would fit if that is more
    than is free. ``memory_mb`` is what the process may take in all: independence selection remembers no more
    than it leaves room for.

    >>> import treebound
    >>> rows = {"rain": ["no", "no", "yes", "yes"] * 9, "wet": ["no", "no", "yes", "yes"] * 9}
    >>> treebound.score(rows).cache.best("wet")
    ParentSet(parents=('rain',), score=-3.58351893845611, parent_indices=(0,))
    """
    check_type("parent_sets", parent_sets, ParentSetSearch, PARENT_SETS_IN_WORDS)
    check_type("score", score, Score, SCORE_IN_WORDS)
    check_type("budget", budget, Budget | None, "a Budget, such as Budget(seconds=60), or None")
    check_function("checkpoint", checkpoint)
    check_type("resume", resume, ParentSetCache | None, "a ParentSetCache or None")
    data = table if isinstance(table, Dataset) else load(table)
    data.check_rows()
    threads, memory_mb = resolve_threads(threads), check_memory_mb(memory_mb)
    if memory_mb is not None and isinstance(parent_sets, Independence):
        parent_sets = fitted(parent_sets, data, memory_mb)
    estimate_scoring(data, parent_sets, budget, threads).check(held_by(data), memory_mb)
    run = _Run(data, parent_sets, score, resolve_rules(pruning, score), threads, resume)
    with watched(progress) as callback:
        result = run.execute(budget, callback, checkpoint)
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
        score: Score,
        rules: tuple[RuleName, ...],
        threads: int,
        resume: ParentSetCache | None,
    ) -> None:
        self.data, self.parent_sets, self.score, self.rules, self.threads = (
            data,
            parent_sets,
            score,
            rules,
            threads,
        )
        self.options = options_of(parent_sets, rules)
        self.job = new_job(data.in_core, parent_sets, score, rules)
        if resume is not None:
            check_same_job(resume, data, score, self.options)
            restore(self.job, resume)

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
            score=self.score,
            fingerprint=self.data.fingerprint,
            options=self.options,
            complete=arrays["complete"].astype(np.bool_),
            resume=self.job.save_visited() if keeps_visited else None,
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
            pruned={rule: arrays["removed"][rule] for rule in self.rules},
            implied=arrays["implied"],
            seconds=seconds,
            stopped=reason,
            variables_finished=int(cache.complete.sum()),
            sum_of_best=cache.sum_of_best,
            peak_memory_mb=peak_memory_mb(),
        )
