"""One shard of scoring by variable, as a worker does it: the parent sets of some variables.

A budget of steps is spent in turns, as on one machine. Between turns the worker that had the shard keeps what
it has found; any other worker finds the same by doing all turns again, for nothing is random.
"""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._memory import in_mb
from treebound._phases import peak_memory_mb
from treebound.constraints import Constraints, families_in_core
from treebound.distributed._allocator import keep_freed_memory
from treebound.distributed._client import ClusterError, check_version
from treebound.distributed._memory import memory_limit
from treebound.distributed._merge import Part
from treebound.distributed._packed import PackedRows
from treebound.distributed._worker import is_stopped, keep, put, take, work_on
from treebound.scoring import ParentSetSearch, RuleName, Score, new_job, restore_visited


@dataclass(frozen=True)
class Method:
    """What all shards of a job have in common."""

    job: str
    version: str
    parent_sets: ParentSetSearch
    score: Score
    rules: tuple[RuleName, ...]
    names: tuple[str, ...]
    constraints: Constraints | None

    def families(self) -> _core.FamilyRules:
        """Which families may be scored; compiled once for all shards that a worker gets."""
        return keep(self.job, "families", lambda: families_in_core(self.constraints, self.names))


@dataclass(frozen=True, eq=False)
class PairArrays:
    """Sums of all pairs, as ``_core.PairTerms`` takes them."""

    singles: NDArray[np.int64]
    num_occurring: NDArray[np.uint32]
    empty: int
    pairs: NDArray[np.int64]

    def in_core(self) -> _core.PairTerms:
        """For a job."""
        return _core.PairTerms(self.singles, self.num_occurring, self.empty, self.pairs)


@dataclass(frozen=True, eq=False)
class Shard:
    """Variables, ascending, with the turns they get, or without turns the seconds and steps for all of them.

    ``visited`` is what an interrupted run remembers of them. ``collects`` asks for the sets that were kept.
    """

    number: int
    variables: NDArray[np.uint32]
    turns: tuple[tuple[NDArray[np.uint32], int], ...] | None = None
    seconds: float | None = None
    steps: int | None = None
    visited: dict[str, NDArray[Any]] | None = None
    collects: bool = True


@dataclass(frozen=True, eq=False)
class ShardResult:
    """What became of a shard. ``steps_of_turn`` are those of the last turn."""

    steps_of_turn: int
    num_steps: int
    unfinished: NDArray[np.uint32]
    part: Part | None
    removed: dict[str, int]  # by rule
    implied: int
    visited: dict[str, NDArray[Any]] | None
    is_interrupted: bool
    seconds: float
    worker: str
    memory_mb: float


@dataclass
class _State:
    job: _core.ScoringJob
    turns: int = 0
    num_steps: int = 0
    steps_of_turn: int = 0


def score_shard(rows: PackedRows, pairs: PairArrays | None, method: Method, shard: Shard) -> ShardResult:
    """Score the parent sets of the variables of a shard."""
    check_version(method.version)
    began = time.monotonic()
    keep_freed_memory()
    data = laid_out(rows, method.job)
    state = take(method.job, shard.number)
    if state is None or (shard.turns is not None and state.turns > len(shard.turns)):
        state = _State(_new_job(data, pairs, method, shard))
    if shard.turns is None:
        run = _core.Run(
            math.inf if shard.seconds is None else shard.seconds,
            _core.Run.NO_LIMIT if shard.steps is None else shard.steps,
            1,
        )
        work_on(method.job, shard.number, run, lambda: state.job.work(run))
        state.num_steps += run.num_steps
    else:
        for todo, steps_each in shard.turns[state.turns :]:
            _take_turn(method.job, shard.number, state, todo, steps_each)
    is_interrupted = is_stopped(method.job)
    part: Part | None = None
    found: dict[str, Any] = {"removed": {}, "implied": 0}
    if shard.collects or is_interrupted:
        found = state.job.result(1)
        part = Part.of(shard.variables, found)
    else:
        put(method.job, shard.number, state)
    return ShardResult(
        state.steps_of_turn,
        state.num_steps,
        state.job.unfinished(),
        part,
        found["removed"],
        found["implied"],
        state.job.save_visited() if is_interrupted and not state.job.is_finished else None,
        is_interrupted,
        time.monotonic() - began,
        _address(),
        peak_memory_mb(),
    )


def count_pairs(rows: PackedRows, method: Method, first: int, end: int) -> NDArray[np.int64]:
    """Sums of the pairs of some variables with all before them; none if the job was stopped."""
    check_version(method.version)
    data = laid_out(rows, method.job)
    score = method.score._in_core(rows.num_rows)
    run = _core.Run(math.inf, _core.Run.NO_LIMIT, 1)
    counted: NDArray[np.int64] = work_on(
        method.job, -1 - first, run, lambda: _core.count_pair_rows(data, score, run, first, end)
    )
    return counted


def laid_out(rows: PackedRows, job: str) -> _core.Dataset:
    """The rows of the table, laid out once for all shards of a job."""
    return keep(job, "rows", lambda: _lay_out(rows))


def _lay_out(rows: PackedRows) -> _core.Dataset:
    limit = memory_limit()
    needed = rows.num_rows * len(rows.cardinalities) + rows.nbytes + rows.layout_bytes
    if limit is not None and needed > limit:
        raise ClusterError(
            f"The worker {_address()} may take {in_mb(limit)}, and the table of {len(rows.cardinalities):,} "
            f"columns and {rows.num_rows:,} rows needs {in_mb(needed)} while it is laid out; give workers "
            "more memory, or hand over the table as a Dask frame or a folder of Parquet files."
        )
    return rows.in_core()


def _new_job(data: _core.Dataset, pairs: PairArrays | None, method: Method, shard: Shard) -> _core.ScoringJob:
    def known_pairs() -> _core.PairTerms:
        return _counted_here(data, method) if pairs is None else pairs.in_core()

    known = keep(method.job, "pairs", known_pairs)
    families = method.families()
    job = new_job(data, method.parent_sets, method.score, method.rules, families, shard.variables, known)
    if shard.visited is not None:
        restore_visited(job, shard.visited)
    return job


def _counted_here(data: _core.Dataset, method: Method) -> _core.PairTerms:
    no_variables = np.zeros(0, dtype=np.uint32)
    job = new_job(data, method.parent_sets, method.score, method.rules, _core.FamilyRules(), no_variables)
    run = _core.Run(math.inf, _core.Run.NO_LIMIT, 1)
    work_on(method.job, -1, run, lambda: job.work_turn(run, no_variables, 1))
    return job.pairs


def _take_turn(job: str, number: int, state: _State, todo: NDArray[np.uint32], steps_each: int) -> None:
    run = _core.Run(math.inf, _core.Run.NO_LIMIT, 1)
    state.steps_of_turn = work_on(job, number, run, lambda: state.job.work_turn(run, todo, steps_each))
    state.turns += 1
    state.num_steps += run.num_steps


def _address() -> str:
    from distributed import get_worker

    try:
        return f"{get_worker().address} on {os.uname().nodename}"
    except ValueError:
        return os.uname().nodename
