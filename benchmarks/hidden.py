"""Hidden variables: recovery of simulated latent classes, and held-out likelihood with and without one.

Simulated tables have columns of three states that depend on a class alone; the class is removed. We compare
the number of classes (by BIC and by held-out rows), the classes of the rows, up to their names, and the
log-likelihood of new rows, next to that of the truth. On tables of TREEBOUND_DATA, networks are learned in
equal time with and without a hidden variable.

    TREEBOUND_HIDDEN=nltcs TREEBOUND_HIDDEN_SECONDS=10 python benchmarks/run.py hidden

Apart from benchmarks.paper: the paper has no hidden variables.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.optimize import linear_sum_assignment

import treebound as tb
from _common import Expect, Row, Skip
from density import load_splits

QUESTION = "Are latent classes recovered, and do held-out rows become more likely with a hidden variable?"
EXPECTED = [
    Expect("classes_by_bic_off", at_most=1),
    Expect("below_truth", at_most=0.05),
]
CLASSES = [int(k) for k in os.environ.get("TREEBOUND_HIDDEN_CLASSES", "2,4,8").split(",")]
ROWS = [int(n) for n in os.environ.get("TREEBOUND_HIDDEN_ROWS", "500,5000").split(",")]
COLUMNS = 20
SETS = [name for name in os.environ.get("TREEBOUND_HIDDEN", "nltcs,jester,bnetflix,dna").split(",") if name]
SECONDS = float(os.environ.get("TREEBOUND_HIDDEN_SECONDS", "60"))
STATES = 8
LIMIT = 3


def measure() -> Iterator[Row | Skip]:
    """One row for each number of classes and rows, and for each table and limit."""
    for num_classes, num_rows in product(CLASSES, ROWS):
        yield recovered(num_classes, num_rows)
    for name in SETS:
        splits = load_splits(name)
        yield splits if isinstance(splits, Skip) else compared(name, splits)


def latent_classes(num_classes: int, seed: int) -> tb.BayesianNetwork:
    """A random network in which all columns depend on the class alone."""
    rng = np.random.default_rng(seed)
    names = [f"x{v}" for v in range(COLUMNS)]
    classes, states = [str(c) for c in range(num_classes)], ["a", "b", "c"]
    tables = {"H": dict(zip(classes, rng.dirichlet(np.full(num_classes, 5.0)), strict=True))}
    for name in names:
        rows = rng.dirichlet(np.ones(3), size=num_classes)
        tables[name] = {c: dict(zip(states, row, strict=True)) for c, row in zip(classes, rows, strict=True)}
    return tb.BayesianNetwork.from_tables(tables, parents={name: ["H"] for name in names})


def recovered(num_classes: int, num_rows: int) -> Row:
    """Learn from rows of a random network without its class."""
    truth = latent_classes(num_classes, seed=num_classes)
    frame, fresh = truth.sample(num_rows, 1).to_frame(), truth.sample(5_000, 2).to_frame().drop(columns="H")
    observed = frame.drop(columns="H")
    began = time.perf_counter()
    result = tb.learn(observed, 1, hidden={"H": num_classes}, budget=tb.Budget(steps=400))
    seconds = time.perf_counter() - began
    structure = {"H": [], **{name: ["H"] for name in observed}}
    chosen = {
        how: tb.fit(structure, observed, hidden={"H": how}).schema["H"].cardinality
        for how in ("bic", "held-out")
    }
    found = result.network.predict(observed, "H").astype(int)
    crossed = np.zeros((num_classes, num_classes))
    np.add.at(crossed, (frame["H"].astype(int), found), 1)
    places = linear_sum_assignment(-crossed)  # states have no names
    bayes = (truth.predict(observed, "H").astype(int) == frame["H"].astype(int)).mean()
    own, best = (float(np.mean(mean_log(network, fresh))) for network in (result.network, truth))
    return {
        "classes": num_classes,
        "rows": num_rows,
        "seconds": seconds,
        "classes_right": float(crossed[places].sum() / num_rows),
        "classes_right_with_the_truth": float(bayes),
        "classes_by_bic_off": abs(chosen["bic"] - num_classes),
        "classes_by_held_out_off": abs(chosen["held-out"] - num_classes),
        "log_likelihood": own,
        "below_truth": (best - own) / COLUMNS,
    }


def mean_log(network: tb.BayesianNetwork, frame: object) -> float:
    """The mean log-likelihood of rows without the class."""
    rows = tb.load(frame, schema=network.schema, missing="keep", on_absent="ignore")
    return float(network.log_likelihood_rows(rows).mean())


def compared(name: str, splits: object) -> Row:
    """Learn train with and without a hidden variable, and test."""
    train, test = splits.train, splits.test  # type: ignore[attr-defined]
    plain = tb.learn(train, LIMIT, budget=SECONDS)
    hidden = tb.learn(train, LIMIT, budget=SECONDS, hidden={"H": STATES})
    without = float(plain.network.log_likelihood_rows(test).mean())
    with_one = mean_log(hidden.network, test)
    return {
        "dataset": name,
        "limit": LIMIT,
        "seconds": SECONDS,
        "children_of_hidden": sum("H" in parents for parents in hidden.structure.parents.values()),
        "log_likelihood_without": without,
        "log_likelihood_with": with_one,
        "gain": with_one - without,
    }
