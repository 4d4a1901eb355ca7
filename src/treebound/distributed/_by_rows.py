"""Scoring by rows: every worker has some of the rows, and counts families in them.

The counts of all parts add up to those of the whole table, the same integers as in one place; so do the
scores, the rules that prune and the cache. The search for parent sets is exhaustive, level by level: it asks
for all families of a level, which are counted in batches.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._budget import MAX_STEPS, Budget
from treebound._progress import SCORING, ProgressCallback
from treebound._run import StopReason
from treebound.constraints import Constraints, families_in_core
from treebound.distributed._by_variable import Checkpoint
from treebound.distributed._merge import Part, merged, part_of
from treebound.distributed._progress import Watch
from treebound.distributed._reports import report_of
from treebound.distributed._row_terms import RowTerms
from treebound.distributed._tasks import ClusterLost, OutOfTime
from treebound.scoring import (
    CacheError,
    Coverage,
    Exhaustive,
    ParentSetCache,
    RuleName,
    ScoringResult,
    rules_in_core,
    steps_of_turn,
)

# Families of the variables that are searched together; sets that several of them ask for are counted once.
_FAMILIES_AT_ONCE = 1 << 22


class RowScoring:
    """One call of ``score`` with a table that lies in parts."""

    def __init__(
        self,
        rows: RowTerms,
        parent_sets: Exhaustive,
        rules: tuple[RuleName, ...],
        constraints: Constraints | None,
    ) -> None:
        self.rows, self.parent_sets, self.rules, self.constraints = rows, parent_sets, rules, constraints
        self.schema, self.fingerprint = rows.schema, rows.fingerprint
        self.families = families_in_core(constraints, rows.schema.names)
        self.coverage = Coverage.of(parent_sets, rules)
        self.parts: list[Part] = []
        self.num_steps = self.implied = 0
        self.pruned: dict[RuleName, int] = dict.fromkeys(rules, 0)

    def execute(
        self,
        budget: Budget | None,
        progress: ProgressCallback | None,
        checkpoint: Checkpoint | None,
        resume: ParentSetCache | None,
    ) -> ScoringResult:
        """Score until all is done, the budget is used or the user presses Ctrl-C."""
        began = time.monotonic()
        seconds = None if budget is None else budget.seconds
        self.deadline = None if seconds is None else began + seconds
        self.watch = Watch(self.rows.job, SCORING, len(self.schema), budget, progress)
        todo = np.arange(len(self.schema), dtype=np.uint32)
        if resume is not None:
            self._check_resumed(resume)
            todo = np.flatnonzero(~resume.complete).astype(np.uint32)
            self.parts.append(part_of(resume, np.flatnonzero(resume.complete).astype(np.uint32)))
        self.watch.done(0, 0, len(self.schema) - len(todo))
        stopped = StopReason.FINISHED
        try:
            with self.watch.listening(self.rows.client):
                self._score(todo, None if budget is None else budget.steps, checkpoint)
        except KeyboardInterrupt:
            stopped = StopReason.INTERRUPTED
        except OutOfTime:
            stopped = StopReason.SECONDS
        except ClusterLost as error:
            kept = ""
            if checkpoint is not None and self.parts:
                checkpoint(self._cache())
                kept = " What was scored is kept; resume from it."
            raise ClusterLost(f"{error}{kept}") from error
        cache = self._cache()
        if checkpoint is not None:
            checkpoint(cache)
        if stopped is StopReason.FINISHED and not cache.complete.all():
            stopped = StopReason.STEPS
        return ScoringResult(
            cache, report_of(self, cache, self.rows.num_rows, time.monotonic() - began, stopped)
        )

    def _check_resumed(self, resume: ParentSetCache) -> None:
        same = (self.fingerprint, self.rows.score, self.coverage, self.constraints)
        if (resume.fingerprint, resume.score, resume.coverage, resume.constraints) != same:
            raise CacheError("The cache to resume was made of other rows, or in another way.")

    def _score(self, todo: NDArray[np.uint32], steps: int | None, checkpoint: Checkpoint | None) -> None:
        if len(todo) == 0:
            return
        self.singles = self._single_terms()
        pairs = self._pair_terms()
        left = MAX_STEPS if steps is None else steps
        each = steps_of_turn(self.parent_sets, 1, left, len(todo))
        for children in self._blocks(todo):
            search = _core.CountedSearch(
                self.rows.num_rows,
                self.rows.cardinalities.tolist(),
                self.rows.in_core,
                pairs,
                self.parent_sets.max_parents,
                rules_in_core(self.rules),
                self.families,
                each,
                children,
            )
            try:
                self._search(search)
            except (KeyboardInterrupt, OutOfTime):
                self._take(children, search, is_cut_short=True)
                raise
            self._take(children, search, is_cut_short=False)
            if checkpoint is not None and len(children) < len(todo):
                checkpoint(self._cache())

    def _blocks(self, todo: NDArray[np.uint32]) -> Iterator[NDArray[np.uint32]]:
        """Variables that are searched together."""
        n = len(self.schema)
        size = max(1, _FAMILIES_AT_ONCE // max(1, n * n // 2))
        for first in range(0, len(todo), size):
            yield np.ascontiguousarray(todo[first : first + size])

    def _search(self, search: _core.CountedSearch) -> None:
        """Level by level, until the search asks for no more families."""
        while True:
            num_parents, children, parents = search.wanted()
            if len(children) == 0:
                return
            search.settle(*self.rows.family_terms(children, parents.reshape(-1, num_parents), self._tick))

    def _single_terms(self) -> dict[str, Any]:
        """Of each variable by itself, however late it is: without them there is no cache at all."""
        sets = np.arange(len(self.schema), dtype=np.uint32)[:, None]
        cardinalities = self.rows.cardinalities
        counts = self.rows.counts(sets, self.watch.tick)
        occurring = [np.count_nonzero(states) for states in np.split(counts, np.cumsum(cardinalities)[:-1])]
        terms = _core.set_terms(self.rows.in_core, cardinalities, sets, counts)
        return terms | {"num_occurring": np.array(occurring, dtype=np.uint32)}

    def _pair_terms(self) -> _core.PairTerms:
        n = len(self.schema)
        pairs: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        if n > 1 and self.parent_sets.max_parents > 0:
            low, high = np.triu_indices(n, 1)
            sets = np.column_stack([low, high]).astype(np.uint32)
            terms = self.rows.terms(sets, self._tick)["joint"]
            square = np.zeros((n, n), dtype=np.int64)
            square[high, low] = terms
            pairs = square[np.tril_indices(n, -1)]
        known = self.singles
        return _core.PairTerms(known["joint"], known["num_occurring"], int(known["others"][0]), pairs)

    def _tick(self) -> None:
        self.watch.tick()
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime

    def _take(self, children: NDArray[np.uint32], search: _core.CountedSearch, *, is_cut_short: bool) -> None:
        arrays = search.result()
        if is_cut_short:
            arrays["complete"] = np.zeros(len(children), dtype=np.bool_)
        self.parts.append(Part.of(children, arrays))
        self.num_steps += search.num_steps
        self.implied += arrays["implied"]
        for rule in self.pruned:
            self.pruned[rule] += arrays["removed"][rule]
        self.watch.done(0, search.num_steps, len(children))

    def _cache(self) -> ParentSetCache:
        return ParentSetCache(
            self.schema.names,
            **merged([*self.parts, *self._missing()]),
            schema=self.schema,
            score=self.rows.score,
            fingerprint=self.fingerprint,
            coverage=self.coverage,
            constraints=self.constraints,
        )

    def _missing(self) -> list[Part]:
        """Variables that have not had their turn: the empty set of each."""
        is_missing = np.ones(len(self.schema), dtype=np.bool_)
        for part in self.parts:
            is_missing[part.variables] = False
        variables = np.flatnonzero(is_missing).astype(np.uint32)
        if len(variables) == 0:
            return []
        if not hasattr(self, "singles"):
            raise KeyboardInterrupt  # before anything was counted
        known, none = self.singles, np.zeros(0, dtype=np.int64)
        pairs = _core.PairTerms(known["joint"], known["num_occurring"], int(known["others"][0]), none)
        rows = self.rows
        search = _core.CountedSearch(
            rows.num_rows,
            rows.cardinalities.tolist(),
            rows.in_core,
            pairs,
            0,
            [],
            _core.FamilyRules(),
            1,
            variables,
        )
        arrays = search.result()
        arrays["complete"] = np.zeros(len(variables), dtype=np.bool_)
        return [Part.of(variables, arrays)]
