"""One task of ``earlier_build`` in this process, with whichever build of treebound its Python has.

It uses only names that every build since 878ddd1 has, and so it imports nothing of the other benchmarks.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import treebound

TREEWIDTH = 5
# What a task works on, and how many steps, queries or rows it takes: a second or two each.
TASKS = {
    "KGreedy": ("jkl/munin-5000.jkl.gz", 60_000),
    "KMax": ("jkl/munin-5000.jkl.gz", 30_000),
    "Regrow": ("jkl/munin-5000.jkl.gz", 1_000),
    "score": ("baudio.train.csv.gz", 300_000),
    "score-states": ("dat/alarm-5000.dat.gz", 150_000),
    "marginals": ("networks/munin.bif.gz", 12),
    "marginals-many": ("networks/andes.bif.gz", 400),
    "predict": ("networks/hepar2.bif.gz", 10_000),
    "impute": ("networks/hepar2.bif.gz", 10_000),
    "score_samples": ("networks/hepar2.bif.gz", 50_000),
}
HAS_PLACES = hasattr(treebound, "Local")
ONE_THREAD: dict[str, Any] = {"where": treebound.Local(threads=1)} if HAS_PLACES else {"threads": 1}
SOLVERS: Any = treebound.solvers if HAS_PLACES else treebound


def prepared(task: str, path: pathlib.Path, size: int) -> Callable[[], Any]:
    """The work, after everything was read and imported; it returns what both builds must agree on."""
    budget = treebound.Budget(steps=size)
    if task[0].isupper():  # a solver
        cache, solver = treebound.load_cache(path), getattr(SOLVERS, task)()
        return lambda: treebound.learn(cache, TREEWIDTH, solver=solver, budget=budget, **ONE_THREAD).score
    if task.startswith("score") and task != "score_samples":
        data = treebound.load(path)
        treebound.score({"a": [0, 1, 1], "b": [1, 0, 1]}, **ONE_THREAD)
        return lambda: treebound.score(data, budget=budget, **ONE_THREAD).cache.sum_of_best
    network = treebound.load_network(path)
    if task.startswith("marginals"):
        tree = treebound.JunctionTree(network)
        _marginals(tree, network, 1)
        return lambda: _marginals(tree, network, size)
    return _about_rows(task, network, size)


def _marginals(tree: Any, network: Any, queries: int) -> str:
    name, states = network.schema.names[0], network.schema[0].states
    found = [tree.marginals({name: states[i % len(states)]}) for i in range(queries)][-1]
    return f"{sum(float(np.asarray(table)[0]) for table in found.values()):.9f}"


def _about_rows(task: str, network: Any, size: int) -> Callable[[], Any]:
    """A table in which a third of the cells is missing, except for the scores of whole rows."""
    drawn = network.sample(size, 1)
    names = network.schema.names
    table = pd.DataFrame({name: drawn.schema[v].decode(drawn.codes[v]) for v, name in enumerate(names)})
    if task == "score_samples":
        network.score_samples(table[:2], threads=1)
        return lambda: f"{network.score_samples(table, threads=1).sum():.6f}"
    table = table.mask(np.random.default_rng(1).random(table.shape) < 1 / 3)
    if task == "predict":
        target = names[0]
        network.predict(table[:2], target, threads=1)
        return lambda: str(np.unique(network.predict(table, target, threads=1), return_counts=True))
    network.impute(table[:2], threads=1)
    return lambda: str(pd.util.hash_pandas_object(network.impute(table, threads=1).astype(str)).sum())


if __name__ == "__main__":
    name, size = TASKS[sys.argv[1]]
    work = prepared(sys.argv[1], pathlib.Path(os.environ["TREEBOUND_DATA"], name), size)
    began = time.process_time()
    result = work()
    print(json.dumps({"result": str(result), "cpu_s": time.process_time() - began}))
