"""Time and memory of exact inference in one learned network: all marginals, on a tree that is ready."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks._common import with_peak
from benchmarks.paper._measure import Row

from treebound import BayesianNetwork, JunctionTree, fit, load_structure
from treebound.experiments import Store, stored_cache, stored_rows

# The least of several tries, as many as fit into this time.
REPEAT_SECONDS = 0.5
MAX_TRIES = 10


def measure(asked: Mapping[str, Any]) -> Iterator[Row]:
    """One row, or the part of it that there was memory for: a tree tells its cells before it takes them."""
    store = Store(Path(asked["folder"]))
    data = stored_rows(store, asked["source"], stored_cache(store, asked["source"]))
    network = fit(load_structure(asked["structure"]), data, threads=1)
    tree = JunctionTree(network, max_bytes=asked["max_bytes"])
    row = {**asked["row"], "width": tree.width, "cells": tree.num_cells}
    yield row
    start = time.process_time()
    _, peak = with_peak(tree.marginals)
    least = time.process_time() - start
    tries = min(MAX_TRIES, int(REPEAT_SECONDS / max(least, 1e-6)))
    row |= {"marginals_s": min([least, *(_seconds(network, asked["max_bytes"]) for _ in range(tries))])}
    row |= {"peak_mb": max(peak, 0.0), "answered": True}


def _seconds(network: BayesianNetwork, max_bytes: int) -> float:
    """Processor seconds of all marginals; a tree remembers its answers, so each time it is a new one."""
    tree = JunctionTree(network, max_bytes=max_bytes)
    start = time.process_time()
    tree.marginals()
    return time.process_time() - start
