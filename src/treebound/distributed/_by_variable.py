"""Scoring by variable: every worker has the whole table, and scores the parent sets of some variables.

The cache is bit for bit that of :func:`treebound.score` for the same method and steps: variables do not
depend on each other, and the turns in which a budget of steps is spent are the same.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._budget import MAX_STEPS, Budget
from treebound._progress import SCORING, ProgressCallback
from treebound._run import StopReason
from treebound.constraints import families_in_core
from treebound.data import Dataset
from treebound.distributed._client import in_background, num_threads, version_here
from treebound.distributed._merge import Part, merged, part_of
from treebound.distributed._packed import PackedRows
from treebound.distributed._pairs import count_all_pairs
from treebound.distributed._progress import Watch
from treebound.distributed._reports import report_of
from treebound.distributed._shards import Method, Shard, ShardResult, score_shard
from treebound.distributed._sizes import ShardSizes
from treebound.distributed._tasks import ClusterLost, Shared, Tasks
from treebound.distributed._worker import forget, stop
from treebound.scoring import (
    Coverage,
    Exhaustive,
    Independence,
    ParentSetCache,
    ParentSetSearch,
    RuleName,
    ScoringResult,
    ScoringTask,
    check_same_job,
    joined_visited,
    new_job,
    steps_of_turn,
    visited_of,
)

if TYPE_CHECKING:
    from distributed import Client, Future

Checkpoint = Callable[[ParentSetCache], None]
_CHECKPOINT_SECONDS = 30.0
# What is done when a stop is asked for comes back within this time; all else is given up.
_STOP_SECONDS = 10.0


class VariableScoring:
    """One call of ``score`` with a table that is here."""

    def __init__(
        self,
        client: Client,
        data: Dataset,
        parent_sets: ParentSetSearch,
        task: ScoringTask,
    ) -> None:
        self.client, self.data = client, data
        score, rules, resume = task.score, task.rules, task.resume
        names, constraints = data.schema.names, task.constraints or None
        self.method = Method(uuid.uuid4().hex, version_here(), parent_sets, score, rules, names, constraints)
        self.families = families_in_core(constraints, names)
        self.coverage = Coverage.of(parent_sets, rules)
        self.rows = Shared(client, PackedRows.of(data.codes, data.schema.cardinalities))
        self.pairs: Shared | None = None
        self.resume = resume
        self.arrived: list[Part] = []  # yet to be checked
        self.parts: list[Part] = []
        self.visited: list[tuple[NDArray[np.uint32], dict[str, NDArray[Any]]]] = []
        self.pruned: dict[RuleName, int] = dict.fromkeys(rules, 0)
        self.implied = self.num_steps = 0
        self.todo = np.arange(data.num_variables, dtype=np.uint32)
        if resume is not None:
            check_same_job(resume, data, score, self.coverage, constraints)
            self.todo = np.flatnonzero(~resume.complete).astype(np.uint32)
            self.parts.append(part_of(resume, np.flatnonzero(resume.complete).astype(np.uint32)))

    def execute(
        self, budget: Budget | None, progress: ProgressCallback | None, checkpoint: Checkpoint | None
    ) -> ScoringResult:
        """Score on the cluster until all is done, the budget is used or the user presses Ctrl-C."""
        began = self._saved = time.monotonic()
        self._checkpoint = checkpoint
        self.watch = Watch(self.method.job, SCORING, self.data.num_variables, budget, progress)
        self.watch.done(0, 0, self.data.num_variables - len(self.todo))
        self.tasks: Tasks[Shard] = Tasks(self.client, self._submit, self._shared)
        is_interrupted = False
        with self.watch.listening(self.client), self._forgotten():
            try:
                self._share_pairs()
                self._score(budget)
            except KeyboardInterrupt:
                is_interrupted = True
                self._stop()
            except ClusterLost as error:
                self._save(self._cache(resumable=True))
                kept = "" if checkpoint is None else " What was scored is kept; resume from it."
                raise ClusterLost(f"{error}{kept}") from error
        cache = self._cache(resumable=is_interrupted)
        self._save(cache)
        stopped = self._stopped(cache, budget, is_interrupted)
        seconds = time.monotonic() - began
        return ScoringResult(cache, report_of(self, cache, self.data.num_rows, seconds, stopped))

    @contextmanager
    def _forgotten(self) -> Iterator[None]:
        """Free what workers remember, when all is over."""
        try:
            yield
        finally:
            self.tasks.give_up()
            del self.tasks  # it refers to this object, and parts would stay until such cycles are looked for
            if self.client.status == "running":
                in_background(lambda: self.client.run(forget, self.method.job, on_error="ignore"))

    def _share_pairs(self) -> None:
        arrays = count_all_pairs(self.client, self.rows, self.data, self.method, self._tick)
        self.pairs = None if arrays is None else Shared(self.client, arrays)

    def _shared(self) -> list[Shared]:
        return [self.rows] if self.pairs is None else [self.rows, self.pairs]

    def _submit(self, shard: Shard) -> Future:
        pairs = None if self.pairs is None else self.pairs.future
        return self.client.submit(
            score_shard, self.rows.future, pairs, self.method, shard, pure=False, key=self._key(shard)
        )

    def _key(self, shard: Shard) -> str:
        return f"treebound-shard-{shard.number}-{uuid.uuid4().hex}"

    def _score(self, budget: Budget | None) -> None:
        if len(self.todo) == 0:
            return
        if budget is not None and budget.seconds is not None:
            self._score_in_seconds(budget.seconds, budget.steps)
        else:
            self._score_in_turns(None if budget is None else budget.steps)

    def _score_in_seconds(self, seconds: float, steps: int | None) -> None:
        """One shard per thread, all of which end at the same time."""
        count = min(num_threads(self.client), len(self.todo))
        for number in range(count):
            variables = self.todo[number::count]
            share = None if steps is None else max(1, steps * len(variables) // len(self.todo))
            self.tasks.add(self._shard(number, variables, seconds=seconds, steps=share))
        self._take_all()

    def _score_in_turns(self, steps: int | None) -> None:
        """The turns of one machine; in the first of them shards are cut to size."""
        left = MAX_STEPS if steps is None else steps
        is_last = steps is None or isinstance(self.method.parent_sets, Exhaustive)
        unfinished, turn, shards = self.todo, 1, list[Shard]()
        while len(unfinished) and left > 0:
            each = steps_of_turn(self.method.parent_sets, turn, left, len(unfinished))
            taking = unfinished if is_last else unfinished[: left // each]
            shards, results = self._turn(turn, shards, taking, each, collects=is_last)
            left -= min(left, max(1, sum(result.steps_of_turn for result in results)))
            if is_last:
                return
            unfinished = np.sort(np.concatenate([result.unfinished for result in results]))
            turn += 1
        for shard in shards:
            self.tasks.add(self._shard(shard.number, shard.variables, shard.turns))
        self._take_all()

    def _turn(
        self, turn: int, shards: list[Shard], taking: NDArray[np.uint32], each: int, *, collects: bool
    ) -> tuple[list[Shard], list[ShardResult]]:
        """One turn of all shards."""
        done: list[Shard] = []
        results: list[ShardResult] = []
        sizes = ShardSizes(len(self.todo), num_threads(self.client))
        waiting = iter(shards if turn > 1 else self._cut(sizes, taking, each, collects))
        next_shard: Shard | None = next(waiting, None)
        while next_shard is not None or len(self.tasks):
            while next_shard is not None and len(self.tasks) < sizes.at_once:
                if turn > 1:
                    todo = np.intersect1d(next_shard.variables, taking).astype(np.uint32)
                    turns = (*(next_shard.turns or ()), (todo, each))
                    next_shard = self._shard(next_shard.number, next_shard.variables, turns, collects=False)
                self.tasks.add(next_shard)
                next_shard = next(waiting, None)
            self._check_arrived()  # while the workers have something to do
            shard, result = self.tasks.next(self._tick)
            nbytes = 0 if result.part is None else result.part.nbytes
            sizes.measure(len(shard.variables), result.seconds, nbytes)
            self._take(shard, result)
            done.append(shard)
            results.append(result)
        return sorted(done, key=lambda shard: shard.number), results

    def _cut(
        self, sizes: ShardSizes, taking: NDArray[np.uint32], each: int, collects: bool
    ) -> Iterator[Shard]:
        first = number = 0
        while first < len(self.todo):
            variables = self.todo[first : first + sizes.next()]
            turn = (np.intersect1d(variables, taking).astype(np.uint32), each)
            yield self._shard(number, variables, (turn,), collects=collects)
            first += len(variables)
            number += 1

    def _shard(
        self,
        number: int,
        variables: NDArray[np.uint32],
        turns: tuple[tuple[NDArray[np.uint32], int], ...] | None = None,
        *,
        seconds: float | None = None,
        steps: int | None = None,
        collects: bool = True,
    ) -> Shard:
        visited = None if self.resume is None else visited_of(self.resume, variables)
        return Shard(number, np.ascontiguousarray(variables), turns, seconds, steps, visited, collects)

    def _take_all(self) -> None:
        while len(self.tasks):
            self._take(*self.tasks.next(self._tick))
            self._check_arrived()

    def _take(self, shard: Shard, result: ShardResult) -> None:
        self.watch.remember(result.worker, result.memory_mb)
        if result.part is None:
            return
        self.watch.done(shard.number, result.num_steps, len(shard.variables) - len(result.unfinished))
        self.num_steps += result.num_steps
        self.arrived.append(result.part._replace(variables=shard.variables))
        for rule in self.pruned:
            self.pruned[rule] += result.removed[rule]
        self.implied += result.implied
        if result.visited is not None:
            self.visited.append((shard.variables, result.visited))

    def _check_arrived(self) -> None:
        while self.arrived:
            self.arrived[-1].check(self.data.schema.names)
            self.parts.append(self.arrived.pop())

    def _stop(self) -> None:
        """Ask the workers to stop, and take what they have by then."""
        if self.client.status != "running":
            return
        in_background(lambda: self.client.run(stop, self.method.job, on_error="ignore"))
        for shard, result in self.tasks.finished(_STOP_SECONDS):
            self._take(shard, result)

    def _tick(self) -> None:
        self.watch.tick()
        if self._checkpoint is not None and time.monotonic() - self._saved > _CHECKPOINT_SECONDS:
            self._save(self._cache(resumable=True))
            self._saved = time.monotonic()

    def _save(self, cache: ParentSetCache) -> None:
        if self._checkpoint is not None:
            self._checkpoint(cache)

    def _cache(self, *, resumable: bool) -> ParentSetCache:
        self._check_arrived()
        arrays = merged([*self.parts, *self._missing()])
        keeps_visited = resumable and isinstance(self.method.parent_sets, Independence) and self.visited
        return ParentSetCache(
            self.data.schema.names,
            **arrays,
            schema=self.data.schema,
            score=self.method.score,
            fingerprint=self.data.fingerprint,
            coverage=self.coverage,
            resume=joined_visited(self.visited) if keeps_visited else None,
            constraints=self.method.constraints,
            _has_checked_sets=True,
        )

    def _missing(self) -> list[Part]:
        """Variables of which nothing has come back: the empty set of each."""
        is_missing = np.ones(self.data.num_variables, dtype=np.bool_)
        for part in self.parts:
            is_missing[part.variables] = False
        variables = np.flatnonzero(is_missing).astype(np.uint32)
        if len(variables) == 0:
            return []
        nothing = Exhaustive(max_parents=0)
        job = new_job(self.data.in_core, nothing, self.method.score, (), self.families, variables)
        job.work(_core.Run(float("inf"), _core.Run.NO_LIMIT, 1))
        arrays = job.result(1)
        arrays["complete"] = np.zeros(len(variables), dtype=np.bool_)
        part = Part.of(variables, arrays)
        part.check(self.data.schema.names)
        return [part]

    def _stopped(self, cache: ParentSetCache, budget: Budget | None, is_interrupted: bool) -> StopReason:
        if cache.complete.all():
            return StopReason.FINISHED
        if is_interrupted:
            return StopReason.INTERRUPTED
        has_seconds = budget is not None and budget.seconds is not None
        return StopReason.SECONDS if has_seconds else StopReason.STEPS
