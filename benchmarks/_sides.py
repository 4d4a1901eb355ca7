"""Scoring by two threads, or by two processes of a Dask cluster, in a process that has done nothing before.

A first call takes its memory from the system, and so do the workers; a later one finds what was freed. So
each side is asked twice in a new process, and first calls are compared with first ones.
"""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import treebound
from _common import generated
from treebound import Local
from treebound.distributed import Cluster

_CALLS = 2


@dataclass(frozen=True)
class Call:
    """What a call of ``score`` took, in all processes, and a digest of its cache."""

    wall_s: float
    cpu_s: float
    digest: str
    peak_mb: float


def calls_apart(side: str, data: treebound.Dataset, options: dict[str, Any]) -> list[Call]:
    """The first call of a side, "threads" or "processes", in a new process, and the second."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_calls, side, data, options).result()


def _calls(side: str, data: treebound.Dataset, options: dict[str, Any]) -> list[Call]:
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(workers(2)) if side == "processes" else None

        def score() -> treebound.scoring.ScoringResult:
            if client is None:
                return treebound.score(fresh(data), where=Local(threads=2), **options)
            return treebound.score(data, where=Cluster(client), **options)

        treebound.score(small_table(), budget=treebound.Budget(steps=100))  # as the workers have
        return [_called(score, client) for _ in range(_CALLS)]


def _called(score: Callable[[], treebound.scoring.ScoringResult], client: Any) -> Call:
    cpu, wall = _processor_seconds(client), time.perf_counter()
    result = score()
    wall = time.perf_counter() - wall
    cpu = _processor_seconds(client) - cpu
    return Call(wall, cpu, _digest(result.cache), result.report.peak_memory_mb)


def _processor_seconds(client: Any) -> float:
    workers = [] if client is None else client.run(time.process_time).values()
    return time.process_time() + sum(workers)


def _digest(cache: treebound.ParentSetCache) -> str:
    found = hashlib.sha256()
    for array in (cache.set_offsets, cache.scores, cache.parent_offsets, cache.parents):
        found.update(array)
    return found.hexdigest()


@contextlib.contextmanager
def workers(count: int, memory: str = "auto") -> Iterator[Any]:
    """A client of so many single-thread processes that have treebound imported."""
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address=":0",
            memory_limit=memory,
            silence_logs="CRITICAL",
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        treebound.score(small_table(), where=Cluster(client), budget=treebound.Budget(steps=100))
        yield client


def small_table() -> treebound.Dataset:
    """Something to warm up with."""
    return generated(10, 200, (2, 3))


def fresh(data: treebound.Dataset) -> treebound.Dataset:
    """The same rows, not laid out yet."""
    return treebound.Dataset(data.schema, data.codes)
