"""learn() with four times the steps: how often the score is worse, and by how much.

Twenty tables of 14 to 63 columns, k = 5, ten seeds each. `worse` counts the seeds whose score with four times
the steps is lower, `worst_percent` is the largest such loss in per cent of the score, and `short` the mean
distance of the longer runs to the best score of all on that table. Where TREEBOUND_BEFORE names the Python
of an earlier build, it runs on the same tables at the same time.

Apart from benchmarks.paper: it compares budgets of one solver, and two builds of this package.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from _common import Expect, Row, Skip, dataset, generated
from treebound import Budget, Dataset, Local, learn

QUESTION = "Do four times the steps ever give a worse score?"
EXPECTED = [
    Expect("worse", at_most=10, where={"table": "all", "build": "this"}),
    Expect("worst_percent", at_most=0.1, where={"table": "all", "build": "this"}),
]
NAMES = (
    *("housing", "zoo", "zoo_raw", "zoo_bin", "wdbc", "audio", "audio_class", "mushroom_bin", "nltcs.train"),
    *("child-5000", "alarm-5000", "water-5000"),
)
RANDOM = [(columns, rows) for columns in (15, 20, 25, 30) for rows in (300, 1000)]
STEPS = (50, 200)
SEEDS = range(10)
BOUND = 5
TOLERANCE = 1e-9  # of the score: equal networks may be added up in another order


def measure() -> Iterator[Row | Skip]:
    """One row per table and build, then one for all tables of each build."""
    pythons = {"this": sys.executable}
    if "TREEBOUND_BEFORE" in os.environ:
        pythons["before"] = os.environ["TREEBOUND_BEFORE"]
    rows: list[Row] = []
    names = (*NAMES, *(f"random {columns} x {rows}" for columns, rows in RANDOM))
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # steps, not seconds: all cores may work
        for found in pool.map(lambda name: compared(name, pythons), names):
            if isinstance(found, Skip):
                yield found
                continue
            rows += found
            yield from found
    for build in pythons:
        yield total([row for row in rows if row["build"] == build], build)


def table_of(name: str) -> Dataset | Skip:
    """The table of this name, drawn from a random network or read."""
    if not name.startswith("random"):
        return dataset(name)
    columns, rows = (int(word) for word in name.split() if word.isdigit())
    return generated(columns, rows, (2, 4), seed=columns + rows)


def compared(name: str, pythons: dict[str, str]) -> list[Row] | Skip:
    """A row per build; all runs of the table share the best score."""
    table = table_of(name)
    if isinstance(table, Skip):
        return table
    runs = {build: started(python, name) for build, python in pythons.items()}
    scores = {build: json.loads(run.communicate()[0]) for build, run in runs.items()}
    best = max(score for of_build in scores.values() for of_steps in of_build for score in of_steps)
    size = {"table": name, "n": table.num_variables, "rows": table.num_rows}
    return [size | {"build": build} | summary(*scores[build], best) for build in pythons]


def summary(fewer: list[float], more: list[float], best: float) -> Row:
    """How the scores of both budgets compare, seed by seed."""
    losses = [max(0.0, (few - many) / abs(few)) for few, many in zip(fewer, more, strict=True)]
    return {
        "seeds": len(losses),
        "worse": sum(loss > TOLERANCE for loss in losses),
        "worst_percent": 100 * max(losses),
        "short": best - sum(more) / len(more),
        "best": best,
    }


def total(rows: list[Row], build: str) -> Row:
    """All tables of a build."""
    return {
        "table": "all",
        "build": build,
        "tables": len(rows),
        "runs": sum(row["seeds"] for row in rows),
        "worse": sum(row["worse"] for row in rows),
        "worst_percent": max(row["worst_percent"] for row in rows),
    }


def started(python: str, name: str) -> subprocess.Popen[str]:
    """All runs of a table, in a process of the given build."""
    return subprocess.Popen([python, __file__, name], stdout=subprocess.PIPE, text=True)


if __name__ == "__main__":
    data = table_of(sys.argv[1])
    assert isinstance(data, Dataset)
    budgets = [Budget(steps=steps) for steps in STEPS]
    found = [
        [learn(data, BOUND, budget=b, seed=s, where=Local(threads=1)).score for s in SEEDS] for b in budgets
    ]
    print(json.dumps(found))
