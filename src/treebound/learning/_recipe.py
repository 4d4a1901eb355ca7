"""The one way from a table, or a cache, to a checked structure: open, score, search, check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from treebound._arguments import check_function, check_seed, check_type
from treebound._budget import Budget
from treebound._phases import peak_memory_mb
from treebound._progress import ProgressOption, watched
from treebound.constraints import Constraints, check_constraints, merged, split_cells, with_cells
from treebound.data import Schema
from treebound.learning._default_sets import default_sets
from treebound.learning._here import Here, Limits, SearchTask
from treebound.learning._result import LearnResult
from treebound.learning._schedule import Schedule
from treebound.learning._sources import Rows, Source
from treebound.scoring import (
    DEFAULT_SCORE,
    SCORE_IN_WORDS,
    Exhaustive,
    ParentSetCache,
    ParentSetSearch,
    Score,
    ScoringReport,
    ScoringTask,
    resolve_rules,
)
from treebound.solvers import (
    Needs,
    Solver,
    StopReason,
    Takes,
    check_arguments,
    check_possible,
    entry_of,
)
from treebound.structure import Structure, Verdict

Checkpoint: TypeAlias = Callable[[ParentSetCache | Structure], None]
# Used where no limit is given: queries take milliseconds. docs/development/decisions.md has the figures.
DEFAULT_MAX_TREEWIDTH = 5
DEFAULT_MAX_CELLS = 10_000


@dataclass(frozen=True, eq=False)
class Wanted:
    """What to learn: the arguments of ``learn``, checked.

    A limit on cells that the constraints have moves to the limits.
    """

    limits: Limits
    solver: Solver
    score: Score | ParentSetCache | None = None
    start: Structure | None = None
    seed: int = 0
    checkpoint: Checkpoint | None = None
    constraints: Constraints | None = None
    #: Score the parent sets that any solver makes use of, to keep them.
    for_all_solvers: bool = False

    def __post_init__(self) -> None:
        check_constraints(self.constraints)
        width = self.limits.max_treewidth
        cells, families = split_cells(with_cells(self.constraints, self.limits.max_cells))
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "limits", Limits(width, cells))
        put(self, "constraints", families)
        has_default = width is None and cells is None
        check_arguments(0 if has_default else width, cells, Budget(steps=1), self.solver)
        check_type("score", self.score, Score | ParentSetCache | None, f"{SCORE_IN_WORDS}, a cache or None")
        check_type("start", self.start, Structure | None, "a Structure or None")
        check_seed(self.seed)
        check_function("checkpoint", self.checkpoint)

    def limits_for(self, schema: Schema | None) -> Limits:
        """The limits given, or the default ones."""
        entry = entry_of(self.solver)
        if self.limits != Limits(None, None) or Needs.BOUND not in entry.needs:
            return self.limits
        if Takes.CELLS not in entry.takes or schema is None:
            return Limits(DEFAULT_MAX_TREEWIDTH, None)
        return Limits(DEFAULT_MAX_TREEWIDTH, max(DEFAULT_MAX_CELLS, *schema.cardinalities))


class Recipe:
    """One run of ``learn``; ``memory`` is estimated before anything is scored."""

    def __init__(self, wanted: Wanted, place: Here, source: Source, schedule: Schedule) -> None:
        self.wanted, self.place, self.schedule = wanted, place, schedule
        self.entry = entry_of(wanted.solver)
        self.rows: Rows | None = None
        self.memory = None
        if isinstance(source, ParentSetCache):
            if wanted.score is not None:
                raise ValueError("score applies only to tables, and the source is a cache; drop it.")
            self.sets: ParentSetSearch | ParentSetCache = source
        else:
            self.rows, self.sets = source, self._sets_of(source)
            self.memory = place.estimate(source, self.sets, wanted.solver, schedule.left)
        if isinstance(self.sets, ParentSetCache):
            known = merged(self.sets.constraints, wanted.constraints)
            self.wanted = replace(wanted, constraints=known)
        self.limits, self.constraints = self.wanted.limits_for(source.schema), self.wanted.constraints
        self._check_possible(source)
        schedule.end("reading")

    def run(
        self, progress: ProgressOption = None, writing: Callable[[float], float] = lambda _: 0.0
    ) -> LearnResult:
        """Learn. ``writing`` returns the seconds to keep for writing, given those of the check."""
        if self.memory is not None:
            self.place.check_memory(self.rows, self.memory)
        with watched(progress) as callback:
            scored, report = self._score(callback)
            is_interrupted = report is not None and report.stopped is StopReason.INTERRUPTED
            checking = 0.0
            if self.schedule.budget.seconds is not None:
                checking = self.place.check_seconds(self.rows, scored, self.schedule.phases.reading)
            budget = self.schedule.for_search(checking, writing(checking))
            task = SearchTask(
                scored,
                self.rows if Takes.ROWS in self.entry.takes else None,
                self.limits,
                self.wanted.solver,
                Budget(steps=1) if is_interrupted else budget,
                self.wanted.seed,
                self._start(scored),
                callback,
                self._on_improvement(scored),
                self.constraints,
            )
            found, cache = self.place.search(task)
        if is_interrupted:
            found = replace(found, stopped=StopReason.INTERRUPTED)
        self.schedule.end("searching")
        verdict = self._verdict_of(found.structure, cache)
        self.schedule.end("checking")
        return LearnResult(
            found.structure,
            cache,
            report,
            found,
            verdict,
            self.schedule.phases,
            peak_memory_mb(),
            self.memory,
            self.rows,
            self.place,
        )

    def _check_possible(self, source: Source) -> None:
        """Raise ContradictionError if no structure obeys the constraints."""
        if self.constraints is not None:
            names = source.names if isinstance(source, ParentSetCache) else source.schema.names
            width, cells = self.limits.max_treewidth, self.limits.max_cells
            check_possible(self.constraints, names, source.schema, self.entry, width, cells)

    def _sets_of(self, rows: Rows) -> ParentSetSearch | ParentSetCache:
        """The scored parent sets given, or which to score."""
        if isinstance(self.wanted.score, ParentSetCache):
            return self.place.matching(rows, self.wanted.score)
        sets = default_sets(
            self.entry,
            len(rows.schema),
            rows.num_rows,
            self.wanted.limits_for(rows.schema).max_treewidth,
            self.schedule.budget,
            for_all_solvers=self.wanted.for_all_solvers,
        )
        return self.place.sets_for(rows, sets)

    def _score(self, progress: Any) -> tuple[ParentSetCache, ScoringReport | None]:
        """Return the scored parent sets."""
        if isinstance(self.sets, ParentSetCache):
            return self.sets, None
        assert self.rows is not None
        score = self.wanted.score or DEFAULT_SCORE
        assert not isinstance(score, ParentSetCache)
        # With steps alone, sets that are exhaustive are all scored.
        is_whole = self.schedule.budget.seconds is None and isinstance(self.sets, Exhaustive)
        budget = None if is_whole else self.schedule.for_scoring(len(self.rows.schema))
        task = ScoringTask(
            self.sets, score, resolve_rules("all", score), budget, progress, constraints=self.constraints
        )
        result = self.place.score(self.rows, task)
        if self.wanted.checkpoint is not None:
            self.wanted.checkpoint(result.cache)
        self.schedule.end("scoring")
        return result.cache, result.report

    def _start(self, cache: ParentSetCache) -> Structure | None:
        """The structure to start from, with its scores on these rows, whatever rows it was learned from."""
        start = self.wanted.start
        if start is None or self.rows is None or start.names != self.rows.schema.names:
            return start
        own = replace(start, schema=self.rows.schema)
        return self.place.scored(own, self.rows, cache.score or DEFAULT_SCORE)

    def _verdict_of(self, structure: Structure, cache: ParentSetCache) -> Verdict:
        return self.place.check(self.rows, structure, cache, self.limits, self.constraints)

    def _on_improvement(self, cache: ParentSetCache) -> Callable[[Structure], None] | None:
        """Pass on only what the checker accepts, where the scores of the cache come from elsewhere."""
        checkpoint = self.wanted.checkpoint
        if checkpoint is None or self.rows is None or cache.fingerprint is not None:
            return checkpoint

        def pass_on(structure: Structure) -> None:
            if self._verdict_of(structure, cache):
                checkpoint(structure)

        return pass_on
