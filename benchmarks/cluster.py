"""Work on a Dask cluster of processes of this machine, beside the threads of one process.

- ratio: scoring baudio, and 2,000 columns x 5,000 rows generated, exhaustively to a number of parents: two
  single-thread processes against two threads. The cluster is up before the clock starts, as one's own would
  be. Traffic is the packed table to each worker and the cache back.
- kills: runs in which a random worker is killed with SIGKILL at a random moment; each has to end with the
  cache of one process.
- scaling: seconds with 1, 2 and 4 workers, and a model of them. What the workers compute is measured as
  processor seconds, and fitted as what every worker does again (layout, pairs) and what is divided among
  them. The rest of the wall time is fitted as what happens once at the client and what each worker adds. The
  table and the cache travel at an assumed rate, beyond one machine; the last shard is waited for. Workers
  beyond the cores share them, which the fit takes into account: 4 workers on 2 cores tell what a worker adds,
  not what a fourth core gives. Drawn out to 256 workers, a core for each, in
  docs/figures/distributed_scaling.png, labelled as a model.
- rows: a folder of Parquet files of TREEBOUND_ROWS million rows (200) x 50 columns, generated here, by two
  workers of 2 GB each: schema, scoring to two parents, search with further families, check, tables of the
  network; seconds of each, and memory of the workers.

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
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import treebound
from _common import Expect, Row, Skip, clocked, dataset, generated
from treebound import distributed as on_cluster
from treebound.distributed._further import FurtherFamilies
from treebound.distributed._merge import part_of
from treebound.distributed._packed import PackedRows

QUESTION = "What does a cluster cost beside threads, does it survive kills, and what would more workers give?"
EXPECTED = [
    Expect("ratio", at_most=1.15),
    Expect("right", at_least=1, where={"case": "kills"}),
    Expect("peak_worker_mb", at_most=2048, where={"case": "rows"}),
    Expect("checked", at_least=1, where={"case": "rows"}),
]
CASES = os.environ.get("TREEBOUND_CASES", "ratio,kills,scaling,rows").split(",")
SCALE = float(os.environ.get("TREEBOUND_SCALE", "1"))
MILLIONS = float(os.environ.get("TREEBOUND_ROWS", "200"))
FIGURE = pathlib.Path(__file__).parents[1] / "docs" / "figures" / "distributed_scaling.png"
KILLS = 20
WIDE_SETS = 100_000_000  # of the wide table that are scored
COLUMNS = 50
ROWS_PER_FILE = 2_000_000
MOST_WORKERS = 256
SEARCH_STEPS = 1_600


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


def tables() -> Iterator[tuple[str, treebound.Dataset | Skip, int, treebound.Budget | None]]:
    """Names, tables, numbers of parents, and budgets."""
    yield "baudio", dataset("baudio.train"), 3, None
    # All pairs of parents are four thousand million sets: minutes.
    wide = generated(sized(2_000, 30), sized(5_000, 200), (2, 4))
    yield "2,000 x 5,000", wide, 2, treebound.Budget(steps=WIDE_SETS)


def ratios() -> Iterator[Row | Skip]:
    """Two processes against two threads."""
    for name, data, max_parents, budget in tables():
        if isinstance(data, Skip):
            yield data
            continue
        options: Any = {"parent_sets": treebound.Exhaustive(max_parents), "budget": budget}
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
    part = part_of(cache, np.arange(len(cache), dtype=np.uint32))
    return sum(array.nbytes for array in part)


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
    measured = []
    for count in (1, 2, 4):
        with workers(count) as client:
            before = client.run(time.process_time)
            there, wall, _ = clocked(lambda c=client: on_cluster.score(data, client=c, **options))
            after = client.run(time.process_time)
        used = sum(after[worker] - before[worker] for worker in before)
        measured.append(Measured(count, wall, used))
        yield {"case": "scaling", "workers": count, "wall_s": wall, "workers_cpu_s": used}
    packed = PackedRows.of(data.codes, data.schema.cardinalities).nbytes
    model = Model.of(measured, packed, cache_bytes(there.cache))
    counts = [2**i for i in range(int(math.log2(MOST_WORKERS)) + 1)]
    draw(measured, model, counts)
    yield {"case": "model", "cores_here": cores(), **asdict(model)}
    for count in counts:
        yield {"case": "model", "workers": count, "modelled_s": model.seconds(count)}
    for one in measured:
        there_s = model.seconds(one.workers, cores(), travels=False)
        yield {"case": "model_here", "workers": one.workers, "modelled_s": there_s, "wall_s": one.wall_s}


@dataclass(frozen=True)
class Measured:
    """One run: workers, wall seconds, processor seconds of all workers."""

    workers: int
    wall_s: float
    cpu_s: float


@dataclass(frozen=True)
class Model:
    """Seconds of scoring by variable on W workers. It is a model: nothing beyond four workers is measured.

    Every worker computes ``again_s`` by itself and 1/W of ``divided_s``. ``client_s`` is what happens once,
    at the client, and ``each_s`` what each worker adds to it. The packed table goes to each worker and the
    cache comes back, all through the client, at ``bytes_per_s``, which is assumed. The last shard is half a
    second long, and the other workers wait for half of it on average.
    """

    again_s: float
    divided_s: float
    client_s: float
    each_s: float
    table_bytes: int
    cache_bytes: int
    bytes_per_s: float = 1.25e9 / 2  # half of ten gigabits
    straggling_s: float = 0.25

    @classmethod
    def of(cls, measured: list[Measured], table_bytes: int, cache_bytes: int) -> Model:
        """Fitted to runs here, where workers share the cores and nothing travels beyond memory."""
        count = np.array([one.workers for one in measured], dtype=np.float64)
        cpu = np.array([one.cpu_s for one in measured])
        again, divided = nonnegative(np.column_stack([count, np.ones(len(count))]), cpu)
        computing = (again * count + divided) / np.minimum(count, cores())
        straggling = np.where(count > 1, cls.straggling_s, 0.0)
        rest = np.array([one.wall_s for one in measured]) - computing - straggling
        client, each = nonnegative(np.column_stack([np.ones(len(count)), count]), rest)
        return cls(again, divided, client, each, table_bytes, cache_bytes)

    def seconds(self, count: int, num_cores: int | None = None, *, travels: bool = True) -> float:
        """With so many workers, which have a core each unless there are fewer."""
        at_once = count if num_cores is None else min(count, num_cores)
        computing = (self.again_s * count + self.divided_s) / at_once
        straggling = self.straggling_s if count > 1 else 0.0
        traffic = (self.table_bytes * count + self.cache_bytes) / self.bytes_per_s if travels else 0.0
        return computing + self.client_s + self.each_s * count + straggling + traffic


def cores() -> int:
    """Cores that the workers here share."""
    return len(os.sched_getaffinity(0))


def nonnegative(columns: np.ndarray, values: np.ndarray) -> list[float]:
    """Least squares with no negative coefficient: the best over all choices of columns."""
    best, found = math.inf, np.zeros(columns.shape[1])
    for mask in range(1 << columns.shape[1]):
        used = [i for i in range(columns.shape[1]) if mask >> i & 1]
        part = np.linalg.lstsq(columns[:, used], values, rcond=None)[0] if used else np.zeros(0)
        whole = np.zeros(columns.shape[1])
        whole[used] = part
        loss = float(((columns @ whole - values) ** 2).sum())
        if (part >= 0).all() and loss < best:
            best, found = loss, whole
    return [float(value) for value in found]


def draw(measured: list[Measured], model: Model, counts: list[int]) -> None:
    """The model beside what was measured."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(counts, [model.seconds(count) for count in counts], "--", label="model: a core for each worker")
    here = [one.workers for one in measured]
    axes.plot(here, [one.wall_s for one in measured], "o", label=f"measured, {cores()} cores")
    axes.set(
        xscale="log", yscale="log", xlabel="workers", ylabel="seconds", title="Scoring by variable (model)"
    )
    axes.set_xticks(counts, list(map(str, counts)))
    axes.legend()
    figure.savefig(FIGURE, dpi=120)


def beyond_memory() -> Iterator[Row]:
    """More rows than the workers have memory for, from files to a network."""
    num_rows = int(MILLIONS * 1e6)
    with contextlib.ExitStack() as stack:
        kept = os.environ.get("TREEBOUND_LARGE")
        folder = pathlib.Path(kept or stack.enter_context(tempfile.TemporaryDirectory())) / f"rows{num_rows}"
        _, writing, _ = clocked(lambda: write_rows(folder, num_rows))
        size = sum(path.stat().st_size for path in folder.glob("*.parquet"))
        client = stack.enter_context(workers(2, memory="2GiB"))
        peak = Peak(client)
        rows, reading, _ = clocked(lambda: on_cluster.PartitionedTable.of(client, folder, {}))
        scored, scoring, _ = clocked(
            lambda: on_cluster.score(
                rows, client=client, parent_sets=treebound.Exhaustive(2), budget=None, checkpoint=None
            )
        )
        counting = Counting()
        with counting.measured():
            learned = on_cluster.learn(
                rows, 3, client=client, cache=scored.cache, budget=treebound.Budget(steps=SEARCH_STEPS)
            )
        network, fitting, _ = clocked(lambda: on_cluster.fit(learned, rows, client=client))
        yield {
            "case": "rows",
            "rows": num_rows,
            "columns": COLUMNS,
            "files_mb": size / 2**20,
            "writing_s": writing,
            "schema_and_encoding_s": reading,
            "scoring_s": scoring,
            "searching_s": learned.phases.searching - counting.seconds,
            "further_families_s": counting.seconds,
            "further_families_counted": counting.num_counted,
            "further_families_joined": learned.cache.num_sets - scored.cache.num_sets,
            "checking_s": learned.phases.checking,
            "fitting_s": fitting,
            "sets_scored": scored.report.sets_scored,
            "score": learned.score,
            "most_parents": max(map(len, learned.structure.parent_indices)),
            "parameters": network.num_parameters,
            "checked": int(bool(learned.verdict)),
            "peak_worker_mb": peak.stop(),
        }


class Counting:
    """What further families cost."""

    def __init__(self) -> None:
        self.seconds, self.num_counted = 0.0, 0

    @contextlib.contextmanager
    def measured(self) -> Iterator[None]:
        """Watch all that is asked for meanwhile."""
        extend = FurtherFamilies.extend

        def watched(further: FurtherFamilies, *arguments: Any) -> treebound.ParentSetCache:
            before = len(further.counted)
            found = extend(further, *arguments)
            self.seconds += further.seconds
            self.num_counted += len(further.counted) - before
            return found

        FurtherFamilies.extend = watched  # type: ignore[method-assign]
        try:
            yield
        finally:
            FurtherFamilies.extend = extend  # type: ignore[method-assign]


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
