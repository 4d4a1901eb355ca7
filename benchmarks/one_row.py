"""One row of a wide network: what a service asks that answers case by case.

Nearly all of the time goes into reading the row, since the question itself takes milliseconds. Seconds are
those of the processor, on one thread: the median of many questions, after a first one that builds the tree.

Apart from benchmarks.paper: it measures single questions to one made network.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import treebound
from _common import Expect, Row
from treebound.sklearn import TreeboundClassifier

QUESTION = "What does one row of a network of 10,000 variables cost, as a frame, a dict, evidence?"
EXPECTED = [Expect("cpu_ms", at_most=20)]
NUM_VARIABLES = 10_000
ASKED = 31


def measure() -> Iterator[Row]:
    """One row for each task."""
    network = treebound.random_network(NUM_VARIABLES, max_states=4, max_treewidth=3, seed=1)
    frame = network.sample(1, seed=1).to_frame()
    target = network.schema.names[77]
    by_name = frame.iloc[0].drop(target)
    columns = frame.to_dict("list")
    one: dict[str, Any] = {"threads": 1}
    yield row("predict, pandas", partial(network.predict, frame, target, **one))
    yield row("predict_proba, pandas", partial(network.predict_proba, frame, target, **one))
    yield row("predict, dict of columns", partial(network.predict, columns, target, **one))
    yield row("score_samples, pandas", partial(network.score_samples, frame, **one))
    yield row("posterior, pandas series", partial(network.posterior, target, by_name))
    yield row("posterior, dict", partial(network.posterior, target, by_name.to_dict()))
    known = network.sample(100, seed=2).to_frame().copy()
    classes = known.pop(target)
    naive = TreeboundClassifier(structure="naive", smoothing=treebound.PseudoCount(1), n_jobs=1)
    naive.fit(known, classes)
    one_row = frame.drop(columns=target).copy()
    yield row("predict, pandas", partial(naive.predict, one_row), asked="classifier")


def row(task: str, ask: Callable[[], object], asked: str = "network") -> Row:
    """Milliseconds of the processor for one question."""
    ask()
    return {"asked": asked, "task": task, "cpu_ms": 1000 * median(clocked(ask) for _ in range(ASKED))}


def clocked(ask: Callable[[], object]) -> float:
    """The processor seconds of a question."""
    start = time.process_time()
    ask()
    return time.process_time() - start
