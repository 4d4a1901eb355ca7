"""Learning with prior knowledge beside learning without: what it brings, and what it costs.

Networks of others: 1,000 rows are drawn, a tenth of the true arcs is required, a tenth of the absent ones
forbidden, and five tiers follow the true order. Distances are those between equivalence classes. Wide tables:
10,000 columns in two tiers, with a pattern that forbids arcs, and equal numbers of scored sets and of steps.

Apart from benchmarks.paper: it measures constraints.
"""

from __future__ import annotations

import os
import pathlib
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

import treebound as tb
from _common import Expect, Row, Skip, clocked
from treebound.constraints import Tiers
from treebound.structure import cpdag, shd

QUESTION = (
    "What does prior knowledge bring to distance, score and time, and what does it cost on wide tables?"
)
EXPECTED = [
    Expect("obeyed", at_least=1),
    Expect("shd_share", at_most=1),
    Expect("time_share", at_most=1.05),
    Expect("memory_share", at_most=1.05),
]
NETWORKS = os.environ.get("CONSTRAINTS_NETWORKS", "alarm hepar2 andes munin1").split()
SOLVERS = ("regrow", "kg", "ka", "hc-et", "gobnilp")
SECONDS = float(os.environ.get("CONSTRAINTS_SECONDS", "8"))
COLUMNS = int(os.environ.get("CONSTRAINTS_COLUMNS", "10000"))
NUM_ROWS = 1000
BOUND = 5
NUM_TIERS = 5


def measure() -> Iterator[Row | Skip]:
    """One row per network and solver, then one for the wide table."""
    folder = os.environ.get("TREEBOUND_DATA")
    for name in NETWORKS:
        path = pathlib.Path(folder or ".") / "networks" / f"{name}.bif.gz"
        if folder is None or not path.exists():
            yield Skip(f"{name}: networks/{name}.bif.gz is not in TREEBOUND_DATA.")
            continue
        network = tb.load_network(path)
        data = tb.load(network.sample(NUM_ROWS, seed=1), schema=network.schema)
        known = knowledge(network)
        for solver in SOLVERS:
            yield {"network": name, "solver": solver, **compared(network, data, known, solver)}
    yield wide_row()


def knowledge(network: tb.BayesianNetwork) -> tb.Constraints:
    """A tenth of the arcs, a tenth of the absent ones, and tiers along a topological order."""
    draw, names = random.Random(1), network.schema.names
    arcs = sorted(network.structure.arcs)
    absent = [(a, b) for a in names for b in names if a != b and (a, b) not in set(arcs)]
    order = [names[v] for v in network.structure.topological_order or ()]
    cuts = np.array_split(np.arange(len(order)), NUM_TIERS)
    return tb.Constraints(
        required=draw.sample(arcs, len(arcs) // 10),
        forbidden=draw.sample(absent, len(absent) // 10),
        tiers=Tiers([[order[i] for i in cut] for cut in cuts]),
    )


def compared(network: tb.BayesianNetwork, data: tb.Dataset, known: tb.Constraints, solver: str) -> Row:
    """Distance, score and time of one solver without and with knowledge."""
    row: Row = {}
    true_class = cpdag(network, use_constraints=False)
    for label, constraints in (("without", None), ("with", known)):
        limit = None if solver == "gobnilp" else BOUND
        result, seconds, _ = clocked(
            lambda limit=limit, constraints=constraints: tb.learn(
                data, limit, solver=solver, budget=SECONDS, constraints=constraints
            )
        )
        found = cpdag(result, use_constraints=False)
        row |= {f"shd_{label}": shd(found, true_class), f"score_{label}": result.score}
        row |= {f"seconds_{label}": seconds, f"arcs_{label}": result.structure.num_arcs}
    verdict = tb.check(result.structure, constraints=known)
    return {**row, "shd_share": row["shd_with"] / max(1, row["shd_without"]), "obeyed": int(bool(verdict))}


def wide_row() -> Row:
    """Time and memory of a wide table, each in a process of its own."""
    found = []
    for has_constraints in (False, True):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(pool.submit(wide, COLUMNS, has_constraints).result())
    without, with_them = found
    return {
        "columns": COLUMNS,
        "seconds_without": without[0],
        "seconds_with": with_them[0],
        "time_share": with_them[0] / without[0],
        "peak_mb_without": without[1],
        "peak_mb_with": with_them[1],
        "memory_share": with_them[1] / without[1],
        "obeyed": int(with_them[2]),
    }


def wide(columns: int, has_constraints: bool) -> tuple[float, float, bool]:
    """Seconds, megabytes, and whether the checker accepts the structure."""
    draw = np.random.default_rng(1)
    codes = draw.integers(0, 2, (columns, 500)).astype(np.int16)
    codes[1:] = np.where(draw.random((columns - 1, 500)) < 0.6, codes[:-1], codes[1:])
    half = columns // 2
    names = [f"early_{i}" for i in range(half)] + [f"late_{i}" for i in range(columns - half)]
    data = tb.Dataset(tb.Schema(tuple(tb.Variable(name, ("a", "b")) for name in names)), codes)
    known = None
    if has_constraints:
        known = tb.Constraints(tiers=[["early_*"], ["late_*"]], forbidden=[("early_1*", "early_2*")])

    def work() -> tb.LearnResult:
        sets = tb.Independence(max_parents=2)
        cache = tb.score(
            data, parent_sets=sets, budget=tb.Budget(steps=100 * columns), constraints=known
        ).cache
        return tb.learn(data, BOUND, score=cache, budget=tb.Budget(steps=200), constraints=known)

    result, seconds, _ = clocked(work)
    return seconds, result.peak_memory_mb, bool(result.verdict)
