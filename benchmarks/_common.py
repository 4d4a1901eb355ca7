"""What the benchmarks share: data sets, clocks, expectations, and the Java reference run side by side."""

from __future__ import annotations

import contextlib
import math
import os
import pathlib
import resource
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

import treebound
from treebound import Local, _core

Row = dict[str, Any]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Skip:
    """Stands in the place of a row that could not be measured."""

    reason: str


@dataclass(frozen=True)
class Expect:
    """What `column` is expected to be in every row that has it and agrees with `where`."""

    column: str
    at_least: float = -math.inf
    at_most: float = math.inf
    where: Row = field(default_factory=dict)

    def __str__(self) -> str:
        low = f" at least {self.at_least:,g}" if self.at_least > -math.inf else ""
        high = f" at most {self.at_most:,g}" if self.at_most < math.inf else ""
        places = ", ".join(f"{key} {value}" for key, value in self.where.items())
        return f"{self.column}{low}{high}" + (f" for {places}" if places else "")


def verdicts(expected: list[Expect], rows: list[Row]) -> list[Row]:
    """Compare the rows with the expectations; those that concern no row are left out."""
    found = []
    for expect in expected:
        values = [
            row[expect.column]
            for row in rows
            if expect.column in row and all(row.get(key) == value for key, value in expect.where.items())
        ]
        if values:
            met = all(expect.at_least <= value <= expect.at_most for value in values)
            found.append({"expected": str(expect), "met": met, "lowest": min(values), "highest": max(values)})
    return found


def clocked(work: Callable[[], Result]) -> tuple[Result, float, float]:
    """The result of `work`, its wall seconds, and the processor seconds of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def dataset(name: str) -> treebound.Dataset | Skip:
    """A data set of the folder TREEBOUND_DATA by its name, such as "baudio.train" or "alarm-5000"."""
    folder = os.environ.get("TREEBOUND_DATA")
    if folder is None:
        return Skip(f"{name}: TREEBOUND_DATA is not set.")
    for path in (f"{name}.csv.gz", f"dat/{name}.dat.gz"):
        if (pathlib.Path(folder) / path).exists():
            return treebound.load(pathlib.Path(folder) / path)
    return Skip(f"{name}: not in TREEBOUND_DATA.")


def generated(num_variables: int, num_rows: int, states: tuple[int, int], seed: int = 1) -> treebound.Dataset:
    """Rows of a random network with 0 to 6 parents."""
    low, high = states
    network = treebound.random_network(num_variables, min_states=low, max_states=high, seed=seed)
    return network.sample(num_rows, seed)


def num_sets(num_variables: int, max_parents: int) -> int:
    """All parent sets of one variable up to a number of parents."""
    return sum(math.comb(num_variables - 1, size) for size in range(max_parents + 1))


def exhaustive(data: treebound.Dataset, max_parents: int, pruning: Any = None, threads: int = 1) -> Row:
    """Score all sets that `pruning` leaves; the layout of the rows is part of the work."""
    fresh = treebound.Dataset(data.schema, data.codes)
    method = treebound.Exhaustive(max_parents)
    result, wall, cpu = clocked(
        lambda: treebound.score(
            fresh, parent_sets=method, pruning=pruning, budget=None, where=Local(threads=threads)
        )
    )
    return {"report": result.report, "cache": result.cache, "wall_s": wall, "cpu_s": cpu}


def score_codes(
    codes: np.ndarray,
    cardinalities: list[int],
    max_parents: int,
    collapse: _core.Dataset.Collapse = _core.Dataset.Collapse.when_it_pays,
    repeats: int = 5,
) -> tuple[float, int]:
    """Processor seconds of the quickest run of the core alone, layout not included; and the sets scored."""
    data = _core.Dataset(np.ascontiguousarray(codes), cardinalities, collapse)
    score, method = _core.Bic(codes.shape[1]), _core.ScoringJob.Method.exhaustive
    seconds = []
    for _ in range(repeats):
        every = np.arange(len(cardinalities), dtype=np.uint32)
        job = _core.ScoringJob(data, score, method, max_parents, [], _core.FamilyRules(), 0, 2**62, every)
        run = _core.Run(math.inf, 2**62, 1)
        seconds.append(clocked(lambda job=job, run=run: job.work(run))[2])
    return min(seconds), run.num_steps


def with_peak(work: Callable[[], Result]) -> tuple[Result, float]:
    """The result of `work`, and by how many megabytes the process grew meanwhile at most."""
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    result = work()
    return result, (_status("VmHWM") - before) / 1024


def _status(field: str) -> int:
    """A line of the process status, in kilobytes."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))


def has_reference() -> bool:
    """Whether TREEBOUND_REFERENCE names the command of the Java reference."""
    return "TREEBOUND_REFERENCE" in os.environ


@contextlib.contextmanager
def dat_file(data: treebound.Dataset) -> Iterator[pathlib.Path]:
    """The rows as a .dat file for the reference, in a folder that goes away."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "table.dat"
        with path.open("w") as file:
            print(*(f"v{i}" for i in range(data.num_variables)), file=file)
            print(*data.schema.cardinalities, file=file)
            np.savetxt(file, data.codes.T, fmt="%d")
        yield path


def run_reference(*words: str) -> tuple[float, str]:
    """Run the Java reference; its processor seconds, with those of its start, and what it printed."""
    command = [*shlex.split(os.environ["TREEBOUND_REFERENCE"]), *words]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, ended.stdout
