"""Time and memory of exact inference in one learned network: the junction tree, then all marginals."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks._common import with_peak
from benchmarks.paper._measure import Row

from treebound import JunctionTree, fit, load_structure
from treebound.experiments._sources import stored_cache, stored_rows
from treebound.experiments._store import Store

# Single answers are quicker than the clock can tell: repeated for about this long.
REPEAT_SECONDS = 0.2


def measure(asked: Mapping[str, Any]) -> Iterator[Row]:
    """One row, or the part of it that there was memory for: a tree tells its cells before it takes them."""
    store = Store(Path(asked["folder"]))
    data = stored_rows(store, asked["source"], stored_cache(store, asked["source"]))
    network = fit(load_structure(asked["structure"]), data, threads=1)
    start = time.process_time()
    tree = JunctionTree(network, max_bytes=asked["max_bytes"])
    row = {
        **asked["row"],
        "width": tree.width,
        "cells": tree.num_cells,
        "tree_s": time.process_time() - start,
    }
    yield row
    start = time.process_time()
    _, peak = with_peak(tree.marginals)
    seconds, count = time.process_time() - start, 1
    while seconds < REPEAT_SECONDS:
        start = time.process_time()
        tree.marginals()
        seconds, count = seconds + time.process_time() - start, count + 1
    row |= {"marginals_s": seconds / count, "peak_mb": max(peak, 0.0), "answered": True}
