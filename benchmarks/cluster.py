"""Work on a Dask cluster of processes of this machine, beside the threads of one process.

- ratio: scoring baudio, and 2,000 columns x 5,000 rows generated, exhaustively to a number of parents: two
  single-thread processes against two threads, three times alternately, each time in a new process that is
  asked twice (_sides.py). The ratio is that of the medians, of the first calls and of the later ones. The
  cluster is up before the clock starts, as one's own would be.
- kills: runs in which a random worker is killed with SIGKILL at a random moment; each has to end with the
  cache of one process.
- scaling: seconds with 1, 2 and 4 workers, and a model of them (_scaling.py) of compute, traffic and
  stragglers. What the workers compute is measured as processor seconds, the traffic by sending the packed
  table to all of them and getting a cache of the same size back, on this machine; stragglers by when the
  last shard of each worker came back. What is left of the wall time is fitted, too. Workers beyond the cores
  share them, which the fit takes into account: 4 workers on 2 cores tell what a worker adds, not what a
  fourth core gives. The rate of a network is assumed. `docs/figures/distributed_scaling.py` draws what was
  measured, without the model.
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
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

import treebound
from _common import Expect, Row, Skip, clocked, dataset, generated
from _scaling import Measured, Model, cores
from _sides import Call, calls_apart, fresh, workers
from treebound import Local
from treebound import distributed as on_cluster
from treebound.distributed import (
    Cluster,
    FurtherFamilies,
    PackedRows,
    Shard,
    ShardResult,
    VariableScoring,
    part_of,
)

QUESTION = "What does a cluster cost beside threads, does it survive kills, and what would more workers give?"
EXPECTED = [
    Expect("ratio", at_most=1.15),
    Expect("same", at_least=1),
    Expect("off", at_most=0.15, where={"case": "model_here"}),
    Expect("right", at_least=1, where={"case": "kills"}),
    Expect("peak_worker_mb", at_most=2048, where={"case": "rows"}),
    Expect("checked", at_least=1, where={"case": "rows"}),
]
CASES = os.environ.get("TREEBOUND_CASES", "ratio,kills,scaling,rows").split(",")
SCALE = float(os.environ.get("TREEBOUND_SCALE", "1"))
MILLIONS = float(os.environ.get("TREEBOUND_ROWS", "200"))
KILLS = 20
REPEATS = 3
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
        options = {"parent_sets": treebound.Exhaustive(max_parents), "budget": budget}
        runs: dict[str, list[list[Call]]] = {"threads": [], "processes": []}
        for _ in range(REPEATS):  # alternately, since the speed of the machine drifts
            for side, done in runs.items():
                done.append(calls_apart(side, data, options))
        for number, which in enumerate(("first", "later")):
            threads, processes = ([calls[number] for calls in done] for done in runs.values())
            yield {"case": "ratio", "table": name, "calls": which, **compared(threads, processes)}


def compared(threads: list[Call], processes: list[Call]) -> Row:
    """The medians of both sides."""
    threads_s = statistics.median(call.wall_s for call in threads)
    processes_s = statistics.median(call.wall_s for call in processes)
    return {
        "threads_s": threads_s,
        "processes_s": processes_s,
        "ratio": processes_s / threads_s,
        "threads_cpu_s": statistics.median(call.cpu_s for call in threads),
        "processes_cpu_s": statistics.median(call.cpu_s for call in processes),
        "all_threads_s": [call.wall_s for call in threads],
        "all_processes_s": [call.wall_s for call in processes],
        "same": int(len({call.digest for call in (*threads, *processes)}) == 1),
        "peak_worker_mb": max(call.peak_mb for call in processes),
    }


def cache_bytes(cache: treebound.ParentSetCache) -> int:
    """What comes back from the workers."""
    return part_of(cache, np.arange(len(cache), dtype=np.uint32)).nbytes


def kills() -> Iterator[Row]:
    """A random worker is killed at a random moment."""
    data = generated(sized(300, 30), sized(5_000, 500), (2, 4))
    options: Any = {"parent_sets": treebound.Exhaustive(2), "budget": None}
    expected, seconds, _ = clocked(lambda: treebound.score(fresh(data), where=Local(threads=2), **options))
    rng = random.Random(1)
    for number in range(KILLS):
        with workers(2) as client:
            victim = rng.choice(list(client.run(os.getpid).values()))
            after = rng.uniform(0, seconds)
            timer = threading.Timer(after, os.kill, (victim, signal.SIGKILL))
            timer.start()
            there, wall, _ = clocked(lambda c=client: treebound.score(data, where=Cluster(c), **options))
            timer.join()
        right = there.cache.same_sets_as(expected.cache) and there.cache.is_complete
        yield {"case": "kills", "run": number, "after_s": after, "wall_s": wall, "right": int(right)}


def scaling() -> Iterator[Row]:
    """Measured with few workers, and a model for many."""
    data = generated(sized(1_000, 30), sized(5_000, 200), (2, 4))
    packed = PackedRows.of(data.codes, data.schema.cardinalities)
    measured, size = [], 0
    for count in (1, 2, 4):
        with workers(count) as client:
            one, size = measured_run(client, count, data, packed)
        measured.append(one)
        yield {"case": "scaling", **asdict(one)}
    model = Model.of(measured, packed.nbytes, size)
    counts = [2**i for i in range(int(math.log2(MOST_WORKERS)) + 1)]
    yield {"case": "model", "cores_here": cores(), **asdict(model)}
    for count in counts:
        yield {"case": "model", "workers": count, "modelled_s": model.seconds(count)}
    for one in measured:
        here = model.seconds(one.workers, cores())
        yield {
            "case": "model_here",
            "workers": one.workers,
            "modelled_s": here,
            "wall_s": one.wall_s,
            "off": abs(here / one.wall_s - 1),
        }


def measured_run(
    client: Any, count: int, data: treebound.Dataset, packed: PackedRows
) -> tuple[Measured, int]:
    """Score a table with so many workers, and send as much there and back; also the bytes of the cache."""
    before = client.run(time.process_time)
    with last_shards() as ended:
        there, wall, _ = clocked(
            lambda: treebound.score(
                data, where=Cluster(client), parent_sets=treebound.Exhaustive(2), budget=None
            )
        )
    after = client.run(time.process_time)
    used = sum(after[worker] - before[worker] for worker in before)
    sent, sending, _ = clocked(lambda: client.scatter(packed, broadcast=True, hash=False))
    sent.release()
    part = part_of(there.cache, np.arange(len(there.cache), dtype=np.uint32))
    pieces = client.scatter([array for array in part if array.nbytes], hash=False)
    _, fetching, _ = clocked(lambda: client.gather(pieces))
    waiting = max(ended.values()) - min(ended.values())
    return Measured(count, wall, used, sending, fetching, waiting), cache_bytes(there.cache)


@contextlib.contextmanager
def last_shards() -> Iterator[dict[str, float]]:
    """When the last shard of each worker came back."""
    ended: dict[str, float] = {}
    take = VariableScoring._take

    def watched(scoring: VariableScoring, shard: Shard, result: ShardResult) -> None:
        ended[result.worker] = time.monotonic()
        take(scoring, shard, result)

    VariableScoring._take = watched  # type: ignore[method-assign]
    try:
        yield ended
    finally:
        VariableScoring._take = take  # type: ignore[method-assign]


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
            lambda: treebound.score(
                rows, where=Cluster(client), parent_sets=treebound.Exhaustive(2), budget=None, checkpoint=None
            )
        )
        counting = Counting()
        with counting.measured():
            learned = treebound.learn(
                rows,
                3,
                where=Cluster(client),
                score=scored,
                budget=treebound.Budget(steps=SEARCH_STEPS),
            )
        network, fitting, _ = clocked(lambda: Cluster(client).fit(learned, rows))
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
