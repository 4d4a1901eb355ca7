"""How the cost of a set grows, and how far it stays from the limit of the machine.

Columns are independent and uniform, so that nothing can be skipped: the worst case for counting. All sets of
exactly that many parents are scored on one thread, pruning off; smaller sets are a small share of the time.
For binary columns the words that a set touches are known: half of its cells under one plane. The limit is
what the same kernel does on planes that stay in the first-level and second-level cache.

`docs/figures/growth.py` draws the newest record.

Apart from benchmarks.paper: it measures the growth of scoring.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from _common import Expect, Row, clocked, score_codes
from treebound import _core_testing

QUESTION = "How does the cost per set grow with variables, rows, states and parents; how far is the limit?"
EXPECTED = [
    # Ten times the rows may cost little more than ten times as much.
    Expect("growth_factor", at_most=12, where={"axis": "rows"}),
    Expect("share_of_limit", at_least=0.25, where={"axis": "rows", "value": 100_000}),
]

# Axis: the values it takes; the others stay at BASE.
BASE = {"variables": 60, "rows": 10_000, "states": 2, "parents": 2}
AXES = {
    "variables": [20, 50, 100, 200],
    "rows": [100, 1_000, 10_000, 100_000],
    "states": [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64],
    "parents": [1, 2, 3, 4],
}
# Where sets are too many or too dear; fewer variables leave the cost of a set about as it is.
FEWER_VARIABLES = {"states": lambda _: 30, "parents": {1: 400, 2: 100, 3: 40, 4: 24}.get}


def measure() -> Iterator[Row]:
    """Rows for the limit, then for each axis."""
    limit = limits()
    yield from limit
    for axis, values in AXES.items():
        previous = None
        for value in values:
            row = cost(axis, value, max(row["words_per_s"] for row in limit))
            if axis == "rows" and previous:
                row["growth_factor"] = row["ns_per_set"] / previous
            previous = row["ns_per_set"]
            yield row


def limits() -> list[Row]:
    """Words per second that the kernel ANDs and counts, by where the planes lie."""
    rows = []
    for place, num_words, num_planes in [("L1", 240, 4), ("L2", 1600, 16), ("memory", 1 << 18, 64)]:
        repeats = max(1, 300_000_000 // (num_words * num_planes))
        seconds = [
            clocked(lambda n=num_words, p=num_planes, r=repeats: _core_testing.count_repeatedly(n, p, r))[2]
            for _ in range(15)
        ]
        words = num_words * num_planes * repeats
        rows.append({"axis": f"limit, {place}", "words_per_s": words / min(seconds)})
    return rows


def cost(axis: str, value: int, limit: float) -> Row:
    """Nanoseconds per set where one thing differs from BASE."""
    at = BASE | {axis: value}
    if axis in FEWER_VARIABLES:
        at["variables"] = FEWER_VARIABLES[axis](value)
    shape = at["variables"], at["rows"]
    codes = np.random.default_rng(1).integers(0, at["states"], shape).astype(np.uint8)
    total, num_sets = score_codes(codes, [at["states"]] * at["variables"], at["parents"], repeats=7)
    seconds = total / num_sets
    row = {"axis": axis, "value": value, "sets": num_sets, "ns_per_set": 1e9 * seconds}
    if at["states"] == 2 and at["parents"] > 1:
        words = 2 ** (at["parents"] - 1) * -(-at["rows"] // 512) * 8
        row |= {"words_per_s": words / seconds, "share_of_limit": words / seconds / limit}
    return row
