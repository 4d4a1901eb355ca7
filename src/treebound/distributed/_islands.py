"""Islands of the search on the workers of a cluster: each improves a network of its own, and they exchange.

With a budget of steps there are always as many islands, and they exchange after fixed rounds; so the answer
does not depend on the number of workers, unless seconds run out before. With seconds alone every thread has
an island, and takes the best network of all whenever it ends a round and has nothing better. Where rows lie
in parts, islands keep rounds with seconds, too: between two rounds all workers count the families that the
islands have come to want. Structures are checked where they arrive, here and there.
"""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treebound._budget import Budget
from treebound._progress import SEARCH, Progress
from treebound._run import StopReason
from treebound.constraints import Constraints, with_cells
from treebound.data import Dataset
from treebound.distributed._client import (
    ClusterError,
    check_version,
    in_background,
    num_threads,
    version_here,
)
from treebound.distributed._further import FurtherFamilies
from treebound.distributed._packed import PackedDataset
from treebound.distributed._tasks import ClusterLost, OutOfTime, Shared, Tasks
from treebound.distributed._worker import forget, is_stopped, keep, stop
from treebound.learning import SearchTask
from treebound.scoring import ParentSetCache
from treebound.solvers import Improvement, SearchResult, Solver, search
from treebound.structure import Structure, check

if TYPE_CHECKING:
    from distributed import Client, Future

# With a budget of steps; more give each of them fewer.
NUM_ISLANDS = 4
NUM_ROUNDS = 8
# Of an island in a round: a search that begins again and again gets nowhere, but one with more families does.
_FEWEST_STEPS = 50
_FEWEST_STEPS_BETWEEN_COUNTS = 10
_STOP_SECONDS = 10.0


@dataclass(frozen=True)
class Search:
    """What all islands have in common."""

    job: str
    version: str
    max_treewidth: int | None
    solver: Solver
    constraints: Constraints | None


@dataclass(frozen=True, eq=False)
class Round:
    """One round of one island."""

    island: int
    number: int
    seed: int
    budget: Budget
    start: Structure | None


def improve(cache: ParentSetCache, rows: PackedDataset | None, task: Search, round_: Round) -> SearchResult:
    """Search for one round, on a worker."""
    check_version(task.version)

    def check_stop(_: Progress) -> None:
        if is_stopped(task.job):
            raise KeyboardInterrupt  # ends the search, which returns what it has

    return search(
        cache,
        task.max_treewidth,
        data=None if rows is None else keep(task.job, "dataset", rows.dataset),
        solver=task.solver,
        budget=round_.budget,
        seed=round_.seed,
        threads=1,
        progress=check_stop,
        start=round_.start,
        constraints=task.constraints,
    )


class Islands:
    """One search on a cluster."""

    def __init__(self, client: Client, task: SearchTask, further: FurtherFamilies | None) -> None:
        self.client, self.cache, self.seed, self.start = client, task.cache, task.seed, task.start
        self.data = task.rows if isinstance(task.rows, Dataset) else None
        self.further, self.budget = further, task.budget
        self.progress, self.on_improvement = task.progress, task.on_improvement
        known = with_cells(task.constraints, task.limits.max_cells)
        self.task = Search(uuid.uuid4().hex, version_here(), task.limits.max_treewidth, task.solver, known)
        self.shared = Shared(client, task.cache)
        self.rows = None if self.data is None else Shared(client, PackedDataset.of(self.data))
        self.tasks: Tasks[Round] = Tasks(client, self._submit, self._shared)
        self.best: SearchResult | None = None
        self.trace: list[Improvement] = []
        self.steps, self.bound = 0, math.inf

    def run(self) -> SearchResult:
        """Search until the budget is used, the optimum is found, or the user presses Ctrl-C."""
        self.began, budget = time.monotonic(), self.budget
        try:
            is_free = budget.steps is None and self.further is None
            stopped = self._freely(budget) if is_free else self._in_rounds(budget)
        except KeyboardInterrupt:
            stopped = StopReason.INTERRUPTED
            self._stop()
        except ClusterLost:
            if self.best is None:
                raise
            stopped = StopReason.INTERRUPTED  # the best so far is here
        finally:
            self.tasks.give_up()
            if self.client.status == "running":
                in_background(lambda: self.client.run(forget, self.task.job, on_error="ignore"))
        if self.best is None:
            raise KeyboardInterrupt
        return replace(
            self.best,
            trace=tuple(self.trace),
            steps=self.steps,
            seconds=self._elapsed,
            stopped=stopped,
            seed=self.seed,
            bound=self.bound if math.isfinite(self.bound) else None,
        )

    def _in_rounds(self, budget: Budget) -> StopReason:
        """All islands together: after each round the worse half goes on from the best network."""
        islands = num_threads(self.client) if budget.steps is None else min(NUM_ISLANDS, budget.steps)
        starts: list[Structure | None] = [self._known_start()] * islands
        results: list[tuple[Round, SearchResult]] = []
        num_stalled = 0
        for number, (each, is_last) in enumerate(self._rounds(budget, islands)):
            for island in range(islands):
                self.tasks.add(Round(island, number, self._seed(island, number), each, starts[island]))
            results = sorted(
                [self._next() for _ in range(islands)], key=lambda pair: (-pair[1].score, pair[0].island)
            )
            is_better = sum(self._take(found) for _, found in results) > 0
            num_stalled = 0 if is_better else num_stalled + 1
            has_grown = not is_last and self._grow([found.structure for _, found in results])
            if results[0][1].stopped is StopReason.OPTIMAL and not has_grown:
                return StopReason.OPTIMAL
            patience = math.inf if budget.patience is None else max(2, budget.patience * NUM_ROUNDS)
            if num_stalled >= patience and not has_grown:
                return StopReason.STALLED
            for rank, (round_, found) in enumerate(results):
                keeps = rank <= islands // 2 - 1 or rank == 0
                starts[round_.island] = found.structure if keeps else results[0][1].structure
        was_cut = any(found.stopped is StopReason.SECONDS for _, found in results)
        return StopReason.SECONDS if budget.steps is None or was_cut or self._is_late else StopReason.STEPS

    def _rounds(self, budget: Budget, islands: int) -> Iterator[tuple[Budget, bool]]:
        """What an island may spend in each round, and whether it is the last."""
        if budget.steps is not None:
            yield from self._rounds_of_steps(budget.steps, budget.seconds, islands)
            return
        assert self.further is not None
        assert budget.seconds is not None
        is_last = False
        while not is_last:
            counting = self.further.seconds
            left = max(0.0, budget.seconds - self._elapsed)
            seconds = max(budget.seconds / NUM_ROUNDS, counting)  # no less than was spent on counting for it
            is_last = left <= 1.25 * seconds + counting
            yield Budget(left if is_last else seconds, patience=None), is_last

    def _rounds_of_steps(
        self, steps: int, seconds: float | None, islands: int
    ) -> Iterator[tuple[Budget, bool]]:
        """Rounds of equally many steps; with seconds, each of them has a share of those that are left."""
        fewest = _FEWEST_STEPS if self.further is None else _FEWEST_STEPS_BETWEEN_COUNTS
        rounds = max(1, min(NUM_ROUNDS, steps // (islands * fewest)))
        each = max(1, steps // (islands * rounds))
        for number in range(rounds):
            is_last = number == rounds - 1
            if seconds is None:
                yield Budget(steps=each, patience=None), is_last
                continue
            left = max(0.0, seconds - self._elapsed)
            if left == 0 and number > 0:
                return
            turns = -(-islands // num_threads(self.client))  # a thread does one island after the other
            yield Budget(left / ((rounds - number) * turns), each, patience=None), is_last

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self.began

    @property
    def _is_late(self) -> bool:
        return self.budget.seconds is not None and self._elapsed > self.budget.seconds

    def _known_start(self) -> Structure | None:
        """The start; where rows lie in parts, its families are counted first."""
        if self.start is not None and self.further is not None:
            self._take_cache(self.further.with_families_of(self.start, self.cache, self._tick))
        return self.start

    def _grow(self, structures: list[Structure]) -> bool:
        """Count what the islands have come to want; says whether the cache has grown."""
        if self.further is None:
            return False
        before = self.cache
        with suppress(OutOfTime):
            self._take_cache(self.further.extend(before, structures, self._tick_in_time))
        return self.cache is not before

    def _take_cache(self, cache: ParentSetCache) -> None:
        if cache is not self.cache:
            self.cache, self.shared = cache, Shared(self.client, cache)
            self.bound = math.inf  # that of the smaller cache holds no more

    def _freely(self, budget: Budget) -> StopReason:
        """Every island at its own pace."""
        assert budget.seconds is not None
        each = budget.seconds / NUM_ROUNDS
        for island in range(num_threads(self.client)):
            self.tasks.add(Round(island, 0, self._seed(island, 0), Budget(each, patience=None), self.start))
        while len(self.tasks):
            round_, found = self._next()
            self._take(found)
            if found.stopped is StopReason.OPTIMAL:
                return StopReason.OPTIMAL
            left = budget.seconds - self._elapsed
            if left < each / 4:
                continue
            assert self.best is not None
            own = found.structure if round_.number % 2 or found.score >= self.best.score else None
            number, seconds = round_.number + 1, Budget(min(each, left), patience=None)
            start = own or self.best.structure
            self.tasks.add(Round(round_.island, number, self._seed(round_.island, number), seconds, start))
        return StopReason.SECONDS

    def _shared(self) -> list[Shared]:
        return [self.shared] if self.rows is None else [self.shared, self.rows]

    def _submit(self, round_: Round) -> Future:
        rows = None if self.rows is None else self.rows.future
        return self.client.submit(improve, self.shared.future, rows, self.task, round_, pure=False)

    def _next(self) -> tuple[Round, SearchResult]:
        return self.tasks.next(self._tick)

    def _take(self, found: SearchResult) -> bool:
        """Check what has come, and keep it if it is the best; says whether it is."""
        self.steps += found.steps
        if found.bound is not None:
            self.bound = min(self.bound, found.bound)
        verdict = check(
            found.structure,
            self.cache,
            self.task.max_treewidth,
            data=self.data,
            constraints=self.task.constraints,
        )
        if not verdict:
            raise ClusterError(f"A worker sent a structure that does not hold: {verdict}")
        if self.best is not None and found.score <= self.best.score:
            return False
        self.best = found
        self.trace.append(Improvement(self._elapsed, self.steps, found.score))
        if self.on_improvement is not None:
            self.on_improvement(found.structure)
        return True

    def _stop(self) -> None:
        if self.client.status == "running":
            in_background(lambda: self.client.run(stop, self.task.job, on_error="ignore"))
            for _, found in self.tasks.finished(_STOP_SECONDS):
                self._take(found)

    def _tick_in_time(self) -> None:
        self._tick()
        if self._is_late:
            raise OutOfTime

    def _tick(self) -> None:
        if self.progress is None:
            return
        score = float("-inf") if self.best is None else self.best.score
        self.progress(Progress(SEARCH, self._elapsed, self.steps, score, 0, 0, self.budget))

    def _seed(self, island: int, number: int) -> int:
        """A seed for each round of each island."""
        return int(np.random.SeedSequence([self.seed, island, number]).generate_state(1)[0])


def check_solver(solver: Any) -> None:
    """Solvers are records of this package: nothing else is sent to workers."""
    if type(solver).__module__.partition(".")[0] != "treebound":
        raise ValueError(f"On a cluster only solvers of treebound run, got {type(solver).__name__}.")
