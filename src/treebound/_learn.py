"""The whole chain: from a table, or a cache of scored parent sets, to a structure of bounded treewidth."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from treebound._arguments import check_type
from treebound._budget import Budget, resolve_threads
from treebound.data import Dataset, load
from treebound.scoring import Independence, ScoringProgress, ScoringReport, ScoringResult, score
from treebound.scoring._methods import Method
from treebound.scoring._score import DEFAULT_SCORE
from treebound.scoring._scores import SCORE_IN_WORDS, Score
from treebound.scoring.cache import ParentSetCache
from treebound.search import SearchResult, StopReason, search
from treebound.search._arguments import check_arguments
from treebound.search._result import Progress
from treebound.search._search import DEFAULT_SOLVER
from treebound.search._solvers import Solver
from treebound.structure import Structure, Verdict, check

DEFAULT_BUDGET = Budget(seconds=60)  # a coffee's worth; a thousand variables have settled by then
# Scoring finds its best sets early; the search scores what else it wants by itself.
SCORING_SHARE = 0.25
# With a budget of steps alone scoring must not look at the clock; this many sets per variable take seconds.
SCORED_PER_VARIABLE = 2_000


@dataclass(frozen=True, eq=False)
class LearnResult:
    """The structure with everything that led to it.

    ``scoring`` is None where a cache was given; ``verdict`` is the judge's word on the structure.
    """

    structure: Structure
    cache: ParentSetCache
    scoring: ScoringReport | None
    search: SearchResult
    verdict: Verdict
    seconds: float

    @property
    def score(self) -> float:
        """Score of the structure."""
        return self.search.score

    @property
    def was_interrupted(self) -> bool:
        """Whether Ctrl-C cut the work short."""
        return self.search.stopped is StopReason.INTERRUPTED


def learn(
    source: Any,
    max_treewidth: int | None = None,
    *,
    max_states: int | None = None,
    budget: Budget = DEFAULT_BUDGET,
    solver: Solver = DEFAULT_SOLVER,
    method: Method | None = None,
    score: Score = DEFAULT_SCORE,
    cache: ParentSetCache | None = None,
    seed: int = 0,
    threads: int | None = None,
    scoring_progress: Callable[[ScoringProgress], None] | None = None,
    search_progress: Callable[[Progress], None] | None = None,
    on_scored: Callable[[ParentSetCache], None] | None = None,
    on_improvement: Callable[[Structure], None] | None = None,
    start: Structure | None = None,
) -> LearnResult:
    """Learn a structure of treewidth at most ``max_treewidth``, or with at most ``max_states`` per clique.

    ``source`` is a :class:`ParentSetCache` or what :func:`treebound.score` returned, which is searched as it
    is, or a :class:`Dataset` or anything that :func:`treebound.load` takes, which is scored first;
    with the solver Regrow the search then scores further families as it comes to want them. One ``budget``
    covers both: scoring takes up to ``SCORING_SHARE`` of the seconds and leaves the search what it does not
    need; a budget of steps counts steps of the search, after scoring the same number of sets whatever the
    machine. ``method`` says how
    parent sets are looked for (default: independence selection of up to ``max_treewidth`` parents); a
    ``cache`` made of the table before takes the place of scoring.

    ``on_scored`` gets the cache once a table is scored, ``on_improvement`` every better structure soon after
    it was found; ``start`` is such a structure, to go on from. Ctrl-C ends the phase at work early, and the
    structure found by then is returned.
    """
    began = time.monotonic()
    check_arguments(max_treewidth, max_states, budget, solver)
    check_type("score", score, Score, SCORE_IN_WORDS)
    if isinstance(source, ScoringResult):
        source = source.cache
    if max_treewidth is not None and max_treewidth < 0:
        raise ValueError(f"max_treewidth must be at least 0, got {max_treewidth}.")
    threads = resolve_threads(threads)
    report, data = None, None
    if isinstance(source, ParentSetCache):
        cache = source
    else:
        data = source if isinstance(source, Dataset) else load(source)
    if data is not None and cache is None:
        cache, report = _score(data, max_treewidth, budget, method, score, threads, scoring_progress)
        if on_scored is not None:
            on_scored(cache)
    assert cache is not None
    found = search(
        cache,
        max_treewidth,
        max_states=max_states,
        data=None if solver.is_growing_ktrees else data,
        solver=solver,
        budget=_rest(budget, began, report),
        seed=seed,
        threads=threads,
        progress=search_progress,
        on_improvement=on_improvement,
        start=start,
    )
    if report is not None and report.stopped == "interrupted":
        found = replace(found, stopped=StopReason.INTERRUPTED)
    verdict = check(found.structure, cache, max_treewidth, max_states=max_states, data=data, score=score)
    return LearnResult(found.structure, cache, report, found, verdict, time.monotonic() - began)


def _score(
    data: Dataset,
    max_treewidth: int | None,
    budget: Budget,
    method: Method | None,
    local_score: Score,
    threads: int,
    progress: Callable[[ScoringProgress], None] | None,
) -> tuple[ParentSetCache, ScoringReport]:
    if budget.seconds is None:
        limit = Budget(steps=SCORED_PER_VARIABLE * data.num_variables)
    else:
        limit = Budget(seconds=SCORING_SHARE * budget.seconds)
    most = Independence().max_parents
    if max_treewidth is not None:
        most = min(max_treewidth, most)
    result = score(
        data,
        method=Independence(max_parents=most) if method is None else method,
        score=local_score,
        budget=limit,
        threads=threads,
        progress=progress,
    )
    return result.cache, result.report


def _rest(budget: Budget, began: float, scoring: ScoringReport | None) -> Budget:
    if scoring is not None and scoring.stopped == "interrupted":
        return Budget(steps=1)
    if budget.seconds is None:
        return budget
    return Budget(max(0.0, budget.seconds - (time.monotonic() - began)), budget.steps)
