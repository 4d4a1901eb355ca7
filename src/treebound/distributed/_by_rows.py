"""Scoring by rows: every worker has some of the rows, and counts families in them.

The counts of all parts add up to those of the whole table, the same integers as in one place; so do the
scores, the rules that prune and the cache. The search for parent sets is exhaustive, level by level: it asks
for all families of a level, which are counted in batches.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._budget import MAX_STEPS, Budget
from treebound._progress import SCORING, ProgressCallback
from treebound._run import StopReason
from treebound.data import Fingerprint, Schema
from treebound.distributed._by_variable import Checkpoint, beside
from treebound.distributed._client import version_here
from treebound.distributed._counting import add_counts, count_part
from treebound.distributed._merge import Part, merged, part_of
from treebound.distributed._progress import Watch
from treebound.distributed._reports import report_of
from treebound.distributed._sources import tree
from treebound.distributed._tasks import ClusterLost, Shared, Tasks
from treebound.distributed._worker import forget
from treebound.scoring import (
    CacheError,
    Exhaustive,
    ParentSetCache,
    RuleName,
    Score,
    ScoringResult,
    options_of,
    rules_in_core,
    steps_of_turn,
)

if TYPE_CHECKING:
    from distributed import Client, Future

# Counts of a batch: 16 MB from every part.
_CELLS_PER_BATCH = 1 << 21
_BATCHES_AT_ONCE = 2
# Joint states of one family.
MAX_CELLS = 1 << 24
# Families of the variables that are searched together; sets that several of them ask for are counted once.
_FAMILIES_AT_ONCE = 1 << 22


class _OutOfTime(Exception):
    pass


class RowScoring:
    """One call of ``score`` with a table that lies in parts."""

    def __init__(
        self,
        client: Client,
        parts: list[Future],
        schema: Schema,
        fingerprint: Fingerprint,
        parent_sets: Exhaustive,
        score: Score,
        rules: tuple[RuleName, ...],
    ) -> None:
        self.client, self.encoded, self.schema, self.fingerprint = client, parts, schema, fingerprint
        self.parent_sets, self.score, self.rules = parent_sets, score, rules
        self.job, self.version = uuid.uuid4().hex, version_here()
        self.num_rows = fingerprint.num_rows
        self.in_core = score._in_core(self.num_rows)
        self.cardinalities = np.array(schema.cardinalities, dtype=np.uint32)
        self.options = options_of(parent_sets, rules)
        self.parts: list[Part] = []
        self.num_steps = self.implied = 0
        self.pruned: dict[str, int] = dict.fromkeys(rules, 0)

    def execute(
        self,
        budget: Budget | None,
        progress: ProgressCallback | None,
        checkpoint: Checkpoint | None,
        resume: ParentSetCache | None,
    ) -> ScoringResult:
        """Score until all is done, the budget is used or somebody presses Ctrl-C."""
        began = time.monotonic()
        seconds = None if budget is None else budget.seconds
        self.deadline = None if seconds is None else began + seconds
        self.watch = Watch(self.job, SCORING, len(self.schema), budget, progress)
        todo = np.arange(len(self.schema), dtype=np.uint32)
        if resume is not None:
            self._check_resumed(resume)
            todo = np.flatnonzero(~resume.complete).astype(np.uint32)
            self.parts.append(part_of(resume, np.flatnonzero(resume.complete).astype(np.uint32)))
        self.watch.done(0, 0, len(self.schema) - len(todo))
        stopped = StopReason.FINISHED
        try:
            with self.watch.listening(self.client):
                self._score(todo, None if budget is None else budget.steps, checkpoint)
        except KeyboardInterrupt:
            stopped = StopReason.INTERRUPTED
        except _OutOfTime:
            stopped = StopReason.SECONDS
        except ClusterLost as error:
            kept = ""
            if checkpoint is not None and self.parts:
                checkpoint(self._cache())
                kept = " What was scored is kept; resume from it."
            raise ClusterLost(f"{error}{kept}") from error
        finally:
            if self.client.status == "running":
                beside(lambda: self.client.run(forget, self.job, on_error="ignore"))
        cache = self._cache()
        if checkpoint is not None:
            checkpoint(cache)
        if stopped is StopReason.FINISHED and not cache.complete.all():
            stopped = StopReason.STEPS
        return ScoringResult(cache, report_of(self, cache, self.num_rows, time.monotonic() - began, stopped))

    def _check_resumed(self, resume: ParentSetCache) -> None:
        same = (self.fingerprint, self.score, self.options)
        if (resume.fingerprint, resume.score, resume.options) != same:
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
                self.num_rows,
                self.cardinalities.tolist(),
                self.in_core,
                pairs,
                self.parent_sets.max_parents,
                rules_in_core(self.rules),
                each,
                children,
            )
            try:
                self._search(search)
            except (KeyboardInterrupt, _OutOfTime):
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
            families = np.column_stack([children, parents.reshape(-1, num_parents)])
            families.sort(axis=1)
            sets, of_family = np.unique(families, axis=0, return_inverse=True)
            self._check_cells(sets)
            terms = self._terms(np.ascontiguousarray(sets))
            of_family = of_family.reshape(-1)
            place = (families < children[:, None]).sum(axis=1)  # of the child in its family
            others = terms["others"].reshape(len(sets), -1)[of_family, place]
            configurations = terms["configurations"].reshape(len(sets), -1)[of_family, place]
            search.settle(
                terms["joint"][of_family], np.ascontiguousarray(others), np.ascontiguousarray(configurations)
            )

    def _single_terms(self) -> dict[str, Any]:
        sets = np.arange(len(self.schema), dtype=np.uint32)[:, None]
        counts = self._counts(sets)
        ends = np.cumsum(self.cardinalities)
        occurring = [np.count_nonzero(states) for states in np.split(counts, ends[:-1])]
        terms = _core.set_terms(self.in_core, self.cardinalities, sets, counts)
        return terms | {"num_occurring": np.array(occurring, dtype=np.uint32)}

    def _pair_terms(self) -> _core.PairTerms:
        n = len(self.schema)
        pairs: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        if n > 1 and self.parent_sets.max_parents > 0:
            low, high = np.triu_indices(n, 1)
            sets = np.column_stack([low, high]).astype(np.uint32)
            self._check_cells(sets)
            terms = self._terms(sets)["joint"]
            square = np.zeros((n, n), dtype=np.int64)
            square[high, low] = terms
            pairs = square[np.tril_indices(n, -1)]
        known = self.singles
        return _core.PairTerms(known["joint"], known["num_occurring"], int(known["others"][0]), pairs)

    def _check_cells(self, sets: NDArray[np.uint32]) -> None:
        cells = self.cardinalities.astype(np.float64)[sets].prod(axis=1)
        if len(cells) and cells.max() > MAX_CELLS:
            names = ", ".join(repr(self.schema.names[v]) for v in sets[cells.argmax()])
            raise ValueError(
                f"The columns {names} have {cells.max():,.0f} joint states, more than {MAX_CELLS:,} that are "
                "counted in parts; use fewer bins or parents, or leave out one of them."
            )

    def _terms(self, sets: NDArray[np.uint32]) -> dict[str, NDArray[Any]]:
        """The sums of sets, counted in batches."""
        batches = self._batches(sets)
        found: dict[int, dict[str, NDArray[Any]]] = {}

        def submit(number: int) -> Future:
            return self._submit(batches[number])

        tasks: Tasks[int] = Tasks(self.client, submit)
        waiting = iter(range(len(batches)))
        try:
            for number in waiting:
                tasks.add(number)
                if len(tasks) == _BATCHES_AT_ONCE:
                    self._settle(tasks, batches, found)
            while len(tasks):
                self._settle(tasks, batches, found)
        finally:
            tasks.give_up()
        names = found[0]
        return {name: np.concatenate([found[i][name] for i in range(len(batches))]) for name in names}

    def _settle(
        self,
        tasks: Tasks[int],
        batches: list[NDArray[np.uint32]],
        found: dict[int, dict[str, NDArray[Any]]],
    ) -> None:
        number, counts = tasks.next(self._tick)
        found[number] = _core.set_terms(self.in_core, self.cardinalities, batches[number], counts)

    def _counts(self, sets: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The counts of a single batch, however late it is: without them there is no cache at all."""
        tasks: Tasks[int] = Tasks(self.client, lambda _: self._submit(sets))
        tasks.add(0)
        counts: NDArray[np.int64] = tasks.next(self.watch.tick)[1]
        return counts

    def _batches(self, sets: NDArray[np.uint32]) -> list[NDArray[np.uint32]]:
        cells = self.cardinalities.astype(np.int64)[sets].prod(axis=1)
        batch = (np.cumsum(cells) - 1) // _CELLS_PER_BATCH
        cuts = np.flatnonzero(np.diff(batch)) + 1
        return [np.ascontiguousarray(part) for part in np.split(sets, cuts)]

    def _submit(self, sets: NDArray[np.uint32]) -> Future:
        shared = Shared(self.client, sets).future
        counts = [
            self.client.submit(count_part, part, shared, self.job, self.version, pure=False)
            for part in self.encoded
        ]
        return tree(self.client, add_counts, counts)

    def _tick(self) -> None:
        self.watch.tick()
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise _OutOfTime

    def _take(self, children: NDArray[np.uint32], search: _core.CountedSearch, *, is_cut_short: bool) -> None:
        arrays = search.result()
        if is_cut_short:
            arrays["complete"] = np.zeros(len(children), dtype=np.bool_)
        self.parts.append(Part(children, arrays))
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
            score=self.score,
            fingerprint=self.fingerprint,
            options=self.options,
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
        cardinalities = self.cardinalities.tolist()
        search = _core.CountedSearch(self.num_rows, cardinalities, self.in_core, pairs, 0, [], 1, variables)
        arrays = search.result()
        arrays["complete"] = np.zeros(len(variables), dtype=np.bool_)
        return [Part(variables, arrays)]
