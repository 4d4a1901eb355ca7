"""Many rows at once: predictions from twenty columns, densities of a hundred, complete and with gaps.

Seconds are those of the processor, on one thread.

Apart from benchmarks.paper: it measures questions about many rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import treebound
from _common import Expect, Row, with_peak

QUESTION = "What do predictions and densities of many rows cost, complete and with gaps?"
EXPECTED = [
    Expect("cpu_s", at_most=0.010, where={"task": "posterior, all else known"}),
    Expect("cpu_s", at_most=10, where={"task": "log-likelihood, complete"}),
    Expect("peak_mb", at_most=64, where={"task": "log-likelihood, complete"}),
]


def measure() -> Iterator[Row]:
    """One row for each task."""
    network = treebound.random_network(20, max_states=6, max_treewidth=3, seed=2)
    tree = treebound.JunctionTree(network)
    rows = codes_of(network, 1_000, gaps=0)
    yield row("posterior, all else known", rows, partial(tree.posterior_rows, 1))
    yield row("posterior, 30% gaps", codes_of(network, 1_000, gaps=0.3), partial(tree.posterior_rows, 1))
    network = treebound.random_network(100, max_treewidth=4, seed=2)
    wide = treebound.JunctionTree(network)
    yield row("log-likelihood, complete", codes_of(network, 1_000_000, gaps=0), wide.log_likelihood_rows)
    rows = codes_of(network, 20_000, gaps=0.1)
    yield row("log-likelihood, 10% gaps", rows, wide.log_likelihood_rows)
    yield row("most probable completion, 10% gaps", rows, wide.most_probable_rows)
    yield row("drawn completion, 10% gaps", rows, wide.sample_rows_given)


def codes_of(network: treebound.BayesianNetwork, num_rows: int, gaps: float) -> np.ndarray:
    """Rows drawn from the network, a share of their cells not known."""
    codes = network.sample(num_rows, seed=1).codes.astype(np.int32)
    if gaps:
        codes[np.random.default_rng(2).random(codes.shape) < gaps] = -1
    return codes


def row(task: str, rows: np.ndarray, ask: Callable[..., np.ndarray]) -> Row:
    """The least processor seconds of three tries, one thread."""
    work = partial(ask, rows, threads=1)
    _, peak = with_peak(work)
    least = np.inf
    for _ in range(3):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    size = {"variables": rows.shape[0], "rows": rows.shape[1]}
    return {"task": task, **size, "cpu_s": least, "rows_per_cpu_s": rows.shape[1] / least, "peak_mb": peak}
