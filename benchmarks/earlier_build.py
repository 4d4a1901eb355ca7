"""The hot loops beside an earlier build of the package, whose Python TREEBOUND_BEFORE names.

Each task runs in processes of both builds in turn, so that other work on the machine affects both. The
quickest run of each counts, in processor seconds of one thread; the answers must be the same.

Apart from benchmarks.paper: it compares two builds of this package.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import treebound
from _common import Expect, Row, Skip, clocked

QUESTION = "Are the hot loops as fast as in an earlier build, with the same answers?"
EXPECTED = [Expect("ratio", at_most=1.03), Expect("same", at_least=1)]
ROUNDS = 7
SOLVERS = {
    "kg": treebound.solvers.KGreedy,
    "ka": treebound.solvers.KAStar,
    "kmax": treebound.solvers.KMax,
    "regrow": treebound.solvers.Regrow,
}
# What a task works on, and how many steps it does: a second or two each.
TASKS = {
    "kg": ("jkl/munin-5000.jkl.gz", 60_000),
    "ka": ("jkl/munin-5000.jkl.gz", 150),
    "kmax": ("jkl/munin-5000.jkl.gz", 30_000),
    "regrow": ("jkl/munin-5000.jkl.gz", 1_000),
    "counting": ("baudio.train.csv.gz", 300_000),
    "counting-states": ("dat/alarm-5000.dat.gz", 150_000),
    "marginals": ("networks/diabetes.bif.gz", 5),
    "marginals-many": ("networks/andes.bif.gz", 40),
    "rows": ("networks/hepar2.bif.gz", 10_000),
    "rows-zeros": ("networks/hailfinder.bif.gz", 10_000),  # where cells may be impossible, which is looked at
}


def measure() -> Iterator[Row | Skip]:
    """One row for each task."""
    before, folder = os.environ.get("TREEBOUND_BEFORE"), os.environ.get("TREEBOUND_DATA")
    if before is None or folder is None:
        yield Skip("TREEBOUND_BEFORE (the Python of an earlier build) and TREEBOUND_DATA are not both set.")
        return
    for task, (name, _) in TASKS.items():
        if not pathlib.Path(folder, name).exists():
            yield Skip(f"{task}: {name} is not in TREEBOUND_DATA.")
            continue
        runs = [(run(before, task), run(sys.executable, task)) for _ in range(ROUNDS)]
        seconds = [min(side["cpu_s"] for side in sides) for sides in zip(*runs, strict=True)]
        answers = {side["answer"] for both in runs for side in both}
        yield {
            "task": task,
            "data": name,
            "before_cpu_s": seconds[0],
            "now_cpu_s": seconds[1],
            "ratio": seconds[1] / seconds[0],
            "same": int(len(answers) == 1),
        }


# An earlier build has the number of threads as an argument.
ONE_THREAD: dict[str, Any] = (
    {"where": treebound.Local(threads=1)} if hasattr(treebound, "Local") else {"threads": 1}
)


def run(python: str, task: str) -> Row:
    """The task in a process of the given build."""
    command = [python, __file__, task]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    row: Row = json.loads(ended.stdout)
    return row


def _rows(network: Any, codes: Any) -> Any:
    """Rows with missing cells; bare codes for builds whose datasets are always complete."""
    try:
        return treebound.Dataset(network.schema, codes)
    except ValueError:
        return codes


def work(task: str) -> tuple[str, float]:
    """What this build answers, and its processor seconds without reading."""
    name, steps = TASKS[task]
    path = pathlib.Path(os.environ["TREEBOUND_DATA"], name)
    budget = treebound.Budget(steps=steps)
    if task in SOLVERS:
        cache, solver = treebound.load_cache(path), SOLVERS[task]()
        found, _, cpu = clocked(lambda: treebound.learn(cache, 5, solver=solver, budget=budget, **ONE_THREAD))
        return repr(found.score), cpu
    if task.startswith("counting"):
        data = treebound.load(path)
        treebound.score(
            {"a": [0, 1, 1], "b": [1, 0, 1]}, **ONE_THREAD
        )  # what is imported late is no hot loop
        scored, _, cpu = clocked(lambda: treebound.score(data, budget=budget, **ONE_THREAD))
        return f"{scored.cache.num_sets} {scored.cache.sum_of_best!r}", cpu
    network = treebound.load_network(path)
    tree = treebound.JunctionTree(network)
    if task.startswith("rows"):
        codes = network.sample(steps, 1).codes.astype("int32")
        codes[::3] = -1  # a third of the cells are unknown
        tree.posterior_rows(0, _rows(network, codes[:, :1]))  # likewise
        rows = _rows(network, codes)
        answers, _, cpu = clocked(lambda: tree.posterior_rows(0, rows))
        return f"{answers.sum():.9f}", cpu
    first = network.schema.names[0]
    states = network.schema[0].states
    tree.marginals({first: states[0]})  # likewise
    answers, _, cpu = clocked(
        lambda: [tree.marginals({first: states[i % len(states)]}) for i in range(steps)][-1]
    )
    return f"{sum(float(np.asarray(table)[0]) for table in answers.values()):.9f}", cpu


if __name__ == "__main__":
    answer, seconds = work(sys.argv[1])
    print(json.dumps({"answer": answer, "cpu_s": seconds}))
