"""Time of all marginals against treewidth, on generated networks in which every bag is full.

Each network has 200 variables, each with as many parents as the treewidth allows. The time is that of all
marginals after one finding, in CPU seconds of one thread, with a fresh junction tree; the quickest of several
runs counts. The finding is on the last variable, and no CPT can be skipped on its way.

`docs/figures/query_time.py` draws the newest record.

Apart from benchmarks.paper: it measures generated networks alone, one for each treewidth.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import treebound as tb
from _common import Expect, Row, clocked

QUESTION = "How does the time of all marginals grow with the treewidth?"
NUM_VARIABLES = 200
MAX_TREEWIDTHS = {2: 16, 4: 7}  # by number of states; beyond, the CPTs alone take gigabytes
REPEATS = 5
EXPECTED = [
    Expect("ms", at_most=5, where={"states": 2, "treewidth": 5}),
    Expect("ms", at_most=1000, where={"states": 2, "treewidth": 16}),
]


def measure() -> Iterator[Row]:
    """One row for each treewidth and number of states."""
    for states, most in MAX_TREEWIDTHS.items():
        for treewidth in range(1, most + 1):
            yield cost(states, treewidth)


def cost(states: int, treewidth: int) -> Row:
    """Milliseconds of all marginals of one network."""
    network = tb.random_network(
        NUM_VARIABLES,
        min_states=states,
        max_states=states,
        min_parents=treewidth,
        max_parents=treewidth,
        max_treewidth=treewidth,
        seed=1,
    )
    last = network.schema[NUM_VARIABLES - 1]
    seconds = []
    for _ in range(REPEATS):
        tree = tb.JunctionTree(network)
        answers, _, cpu = clocked(lambda tree=tree: tree.marginals({last.name: last.states[0]}))
        seconds.append(cpu)
    assert all(abs(np.asarray(answers[name]).sum() - 1) < 1e-9 for name in answers)
    return {
        "variables": NUM_VARIABLES,
        "states": states,
        "treewidth": treewidth,
        "largest_bag_cells": states ** (treewidth + 1),
        "cells": tree.num_cells,
        "ms": 1000 * min(seconds),
    }
