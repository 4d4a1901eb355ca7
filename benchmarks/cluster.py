"""Work on a Dask cluster of processes of this machine, beside the threads of one process.

- ratio: scoring baudio, and 2,000 columns x 5,000 rows generated, exhaustively to a number of parents: two
  single-thread processes against two threads. The cluster is up before the clock starts, as one's own would
  be. Traffic is the packed table to each worker and the cache back.
- kills: runs in which a random worker is killed with SIGKILL at a random moment; each has to end with the
  cache of one process.
- scaling: seconds with 1, 2 and 4 workers, and a model of them, fitted: seconds(W) = fixed + sending x W +
  work / W' + straggler, W' being the workers that have a core. Drawn out to 256 workers in
  docs/figures/distributed_scaling.png, labelled as a model.
- rows: a folder of Parquet files of TREEBOUND_ROWS million rows (200) x 50 columns, generated here, by two
  workers of 2 GB each: schema, scoring to two parents, search; seconds of each, and memory of the workers.

TREEBOUND_CASES=ratio,kills runs some of them; TREEBOUND_SCALE=0.01 makes tables smaller; TREEBOUND_LARGE
names a folder in which the Parquet files are kept.

Apart from benchmarks.paper: it measures work on several machines.
"""

from __future__ import annotations

import contextlib
import math
import os
import pathlib
import random
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import treebound
from _common import Expect, Row, Skip, clocked, dataset, generated
from treebound import distributed as on_cluster
from treebound.distributed._packed import PackedRows

QUESTION = "What does a cluster cost beside threads, does it survive kills, and what would more workers give?"
EXPECTED = [
    Expect("ratio", at_most=1.15),
    Expect("right", at_least=1, where={"case": "kills"}),
    Expect("peak_worker_mb", at_most=2048, where={"case": "rows"}),
]
CASES = os.environ.get("TREEBOUND_CASES", "ratio,kills,scaling,rows").split(",")
SCALE = float(os.environ.get("TREEBOUND_SCALE", "1"))
MILLIONS = float(os.environ.get("TREEBOUND_ROWS", "200"))
FIGURE = pathlib.Path(__file__).parents[1] / "docs" / "figures" / "distributed_scaling.png"
KILLS = 20
COLUMNS = 50
ROWS_PER_FILE = 2_000_000
MOST_WORKERS = 256


def measure() -> Iterator[Row | Skip]:
    """The rows of the cases that are asked for."""
    cases = {"ratio": ratios, "kills": kills, "scaling": scaling, "rows": beyond_memory}
    for name in CASES:
        yield from cases[name]()


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
        on_cluster.score(small_table(), client=client, budget=treebound.Budget(steps=100))
        yield client


def small_table() -> treebound.Dataset:
    """Something to warm up with."""
    return generated(10, 200, (2, 3))


def sized(number: int, fewest: int) -> int:
    """A size of a table, made smaller if asked for."""
    return max(fewest, int(number * SCALE))


def tables() -> Iterator[tuple[str, treebound.Dataset | Skip, int]]:
    """Names, tables and numbers of parents."""
    yield "baudio", dataset("baudio.train"), 3
    yield "2,000 x 5,000", generated(sized(2_000, 30), sized(5_000, 200), (2, 4)), 2


def ratios() -> Iterator[Row | Skip]:
    """Two processes against two threads."""
    for name, data, max_parents in tables():
        if isinstance(data, Skip):
            yield data
            continue
        options: Any = {"parent_sets": treebound.Exhaustive(max_parents), "budget": None}
        alone, threads_s, _ = clocked(lambda d=data, o=options: treebound.score(fresh(d), threads=2, **o))
        with workers(2) as client:
            there, processes_s, _ = clocked(lambda d=data, o=options: on_cluster.score(d, client=client, **o))
        packed = PackedRows.of(data.codes, data.schema.cardinalities).nbytes
        yield {
            "case": "ratio",
            "table": name,
            "threads_s": threads_s,
            "processes_s": processes_s,
            "ratio": processes_s / threads_s,
            "same": int(alone.cache.same_sets_as(there.cache)),
            "table_mb_to_each": packed / 2**20,
            "cache_mb_back": cache_bytes(there.cache) / 2**20,
            "peak_worker_mb": there.report.peak_memory_mb,
        }


def fresh(data: treebound.Dataset) -> treebound.Dataset:
    """The same rows, not laid out yet."""
    return treebound.Dataset(data.schema, data.codes)


def cache_bytes(cache: treebound.ParentSetCache) -> int:
    """What comes back from the workers."""
    return cache.scores.nbytes + cache.parents.nbytes + cache.set_offsets.nbytes + cache.parent_offsets.nbytes


def kills() -> Iterator[Row]:
    """A random worker is killed at a random moment."""
    data = generated(sized(300, 30), sized(5_000, 500), (2, 4))
    options: Any = {"parent_sets": treebound.Exhaustive(2), "budget": None}
    expected, seconds, _ = clocked(lambda: treebound.score(fresh(data), threads=2, **options))
    rng = random.Random(1)
    for number in range(KILLS):
        with workers(2) as client:
            victim = rng.choice(list(client.run(os.getpid).values()))
            after = rng.uniform(0, seconds)
            timer = threading.Timer(after, os.kill, (victim, signal.SIGKILL))
            timer.start()
            there, wall, _ = clocked(lambda c=client: on_cluster.score(data, client=c, **options))
            timer.join()
        right = there.cache.same_sets_as(expected.cache) and there.cache.is_complete
        yield {"case": "kills", "run": number, "after_s": after, "wall_s": wall, "right": int(right)}


def scaling() -> Iterator[Row]:
    """Measured with few workers, and a model for many."""
    data = generated(sized(1_000, 30), sized(5_000, 200), (2, 4))
    options: Any = {"parent_sets": treebound.Exhaustive(2), "budget": None}
    measured = {}
    for count in (1, 2, 4):
        with workers(count) as client:
            _, measured[count], _ = clocked(lambda c=client: on_cluster.score(data, client=c, **options))
        yield {"case": "scaling", "workers": count, "wall_s": measured[count]}
    fixed, sending, work = fitted(measured)
    counts = [2**i for i in range(int(math.log2(MOST_WORKERS)) + 1)]
    model = {count: modelled(fixed, sending, work, count) for count in counts}
    draw(measured, model)
    yield {"case": "model", "fixed_s": fixed, "sending_s_per_worker": sending, "work_s": work}
    for count in counts:
        yield {"case": "model", "workers": count, "modelled_s": model[count]}


def cores() -> int:
    """Cores that the workers here share."""
    return len(os.sched_getaffinity(0))


def fitted(measured: dict[int, float]) -> tuple[float, float, float]:
    """Fixed seconds, those per worker, and those of the work, none of them negative, by least squares."""
    rows = np.array([[1.0, count, 1 / min(count, cores())] for count in measured])
    seconds = np.array(list(measured.values()))
    best, found = math.inf, np.zeros(3)
    for mask in range(1, 8):
        used = [i for i in range(3) if mask >> i & 1]
        part, *_ = np.linalg.lstsq(rows[:, used], seconds, rcond=None)
        whole = np.zeros(3)
        whole[used] = part
        loss = float(((rows @ whole - seconds) ** 2).sum())
        if (part >= 0).all() and loss < best:
            best, found = loss, whole
    return float(found[0]), float(found[1]), float(found[2])


def modelled(fixed: float, sending: float, work: float, count: int) -> float:
    """Seconds with so many workers that have a core each.

    The last shard is half a second long at the least and half of it is waited for; shards shrink with what is
    left, so that this is what stragglers cost.
    """
    straggling = 0.25 if count > 1 else 0.0
    return fixed + sending * count + work / count + straggling


def draw(measured: dict[int, float], model: dict[int, float]) -> None:
    """The model beside what was measured."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(list(model), list(model.values()), "--", label="model: a core for each worker")
    axes.plot(list(measured), list(measured.values()), "o", label=f"measured, {cores()} cores")
    axes.set(
        xscale="log", yscale="log", xlabel="workers", ylabel="seconds", title="Scoring by variable (model)"
    )
    axes.set_xticks(list(model), list(map(str, model)))
    axes.legend()
    figure.savefig(FIGURE, dpi=120)


def beyond_memory() -> Iterator[Row]:
    """More rows than the workers have memory for."""
    num_rows = int(MILLIONS * 1e6)
    with contextlib.ExitStack() as stack:
        kept = os.environ.get("TREEBOUND_LARGE")
        folder = pathlib.Path(kept or stack.enter_context(tempfile.TemporaryDirectory())) / f"rows{num_rows}"
        _, writing, _ = clocked(lambda: write_rows(folder, num_rows))
        size = sum(path.stat().st_size for path in folder.glob("*.parquet"))
        client = stack.enter_context(workers(2, memory="2GiB"))
        peak = Peak(client)
        began = time.perf_counter()
        scored = on_cluster.score(
            folder, client=client, parent_sets=treebound.Exhaustive(2), budget=None, checkpoint=None
        )
        whole = time.perf_counter() - began
        learned, searching, _ = clocked(
            lambda: on_cluster.learn(scored.cache, 3, client=client, budget=treebound.Budget(seconds=30))
        )
        yield {
            "case": "rows",
            "rows": num_rows,
            "columns": COLUMNS,
            "files_mb": size / 2**20,
            "writing_s": writing,
            "schema_and_encoding_s": whole - scored.report.seconds,
            "scoring_s": scored.report.seconds,
            "searching_s": searching,
            "sets_scored": scored.report.sets_scored,
            "score": learned.score,
            "checked": int(bool(learned.verdict)),
            "peak_worker_mb": peak.stop(),
        }


def write_rows(folder: pathlib.Path, num_rows: int) -> None:
    """Rows of a random network as Parquet files, unless they are there."""
    if folder.exists():
        return
    folder.mkdir(parents=True)
    network = treebound.random_network(COLUMNS, min_states=2, max_states=4, seed=1)
    for number, first in enumerate(range(0, num_rows, ROWS_PER_FILE)):
        rows = network.sample(min(ROWS_PER_FILE, num_rows - first), seed=number)
        write_parquet(rows.to_frame("pyarrow"), folder / f"part{number:05}.parquet")


def write_parquet(table: Any, path: pathlib.Path) -> None:
    """Row groups of half a million rows."""
    import pyarrow.parquet

    pyarrow.parquet.write_table(table, path, row_group_size=500_000)


class Peak:
    """The most memory that a worker had, looked at once a second."""

    def __init__(self, client: Any) -> None:
        self._client, self._peak, self._ended = client, 0.0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(1.0):
            found = self._client.scheduler_info(n_workers=-1)["workers"].values()
            used = [worker["metrics"].get("memory", 0) for worker in found]
            self._peak = max([self._peak, *used])

    def stop(self) -> float:
        """In megabytes."""
        self._ended.set()
        self._thread.join()
        return self._peak / 2**20
