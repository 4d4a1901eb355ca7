"""Learning and querying next to pgmpy and pyAgrum, each as its users run it, on one thread.

All programs get the same table of labels and maximise BIC. The scores of their structures are counted again
by our own scorer, which makes them comparable. ``behind`` is how far a score is below the best one of the
table, relative to it. ``treewidth`` is an upper bound, by the better of two elimination orders.
``marginals_s`` is the time that a program takes for the marginals of all variables of its own network. Every
run is a process with limits on seconds and memory: one that exceeds them while learning has no score, one
that exceeds them later has no time of marginals. pyAgrum and pgmpy do not limit the treewidth.

Apart from benchmarks.paper: the paper does not compare with these programs.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator

import treebound as tb
from _common import Expect, Row, Skip, dataset
from _peer_learners import METHODS, modules_of
from treebound.structure import score_structure, treewidth_bounds

QUESTION = "How do score, time and marginals compare with pgmpy and pyAgrum?"
EXPECTED = [Expect("behind", at_most=0.001, where={"method": "treebound, 10 s"})]
SECONDS = float(os.environ.get("TREEBOUND_PEERS_SECONDS", "300"))
LEARNER = pathlib.Path(__file__).with_name("_peer_learners.py")


def alarm() -> tb.Dataset | Skip:
    return dataset("alarm-5000")


def breast_cancer() -> tb.Dataset:
    from sklearn.datasets import load_breast_cancer

    source = load_breast_cancer(as_frame=True)
    return tb.load(source.data.assign(diagnosis=source.target_names[source.target]), discretise="quantile:3")


def digits() -> tb.Dataset:
    from sklearn.datasets import load_digits

    table = load_digits(as_frame=True).frame
    return tb.load(
        table.drop(columns=[name for name in table if table[name].nunique() == 1]),
        discretise={None: "quantile:3", "target": None},
    )


def generated() -> tb.Dataset:
    return tb.random_network(200, max_treewidth=4, seed=1).sample(5000, seed=1)


TABLES: dict[str, Callable[[], tb.Dataset | Skip]] = {
    "alarm": alarm,
    "breast cancer": breast_cancer,
    "digits": digits,
    "200 columns": generated,
}


def measure() -> Iterator[Row | Skip]:
    """One row for each table and method."""
    for name, make in TABLES.items():
        data = make()
        if isinstance(data, Skip):
            yield data
            continue
        yield from compared(name, data, METHODS, SECONDS)


def compared(name: str, data: tb.Dataset, methods: Iterable[str], seconds: float) -> Iterator[Row | Skip]:
    """Rows of one table; those without the program are skipped."""
    rows = []
    for method in methods:
        package = modules_of(method)[0].split(".")[0]
        if importlib.util.find_spec(package) is None:
            yield Skip(f"{method}: {package} is not installed.")
            continue
        row: Row = {
            "table": name,
            "columns": data.num_variables,
            "rows": data.num_rows,
            "method": method,
            "version": importlib.metadata.version(package),
        }
        rows.append(row | outcome(data, method, seconds))
    best = max((row["bic"] for row in rows if "bic" in row), default=0.0)
    for row in rows:
        yield row | ({"behind": (best - row["bic"]) / abs(best)} if "bic" in row else {})


def outcome(data: tb.Dataset, method: str, seconds: float) -> Row:
    """Learn in a process of its own, and count the score of the structure again."""
    with tempfile.TemporaryDirectory() as folder:
        table, out = (pathlib.Path(folder) / name for name in ("table.csv", "out.json"))
        labels = data.to_frame("pandas").astype(str)
        # Programs differ in the names that they accept; plain words suit all.
        labels.columns = [f"v{i}" for i in range(data.num_variables)]
        labels = labels.apply(lambda column: "s" + column.astype("category").cat.codes.astype(str))
        labels.to_csv(table, index=False)
        ended = "ok"
        try:
            command = [sys.executable, str(LEARNER), method, str(table), str(out)]
            done = subprocess.run(command, timeout=seconds, capture_output=True, text=True)
            if done.returncode:
                ended = (done.stderr.strip().splitlines() or ["killed"])[-1][:80]
        except subprocess.TimeoutExpired:
            ended = f"over {seconds:g} s"
        found: Row = {}
        for line in out.read_text().splitlines() if out.exists() else ():
            found |= json.loads(line)
        if (parents := found.pop("parents", None)) is not None:
            structure = score_structure(parents, tb.load(table))
            found |= {
                "arcs": structure.num_arcs,
                "bic": structure.score,
                "treewidth": treewidth_bounds(structure.moral_graph).upper,
            }
        return found | {"ended": ended}
