"""How the cost of a set grows, and how far it stays from the limit of the machine.

Columns are independent and uniform, so that nothing can be skipped: the worst case for counting. All sets of
exactly that many parents are scored on one thread, pruning off; smaller sets are a small share of the time.
For binary columns the words that a set touches are known: half of its cells under one plane. The limit is
what the same kernel does on planes that stay in the first-level and second-level cache.

Writes docs/figures/growth.png.

Apart from benchmarks.paper: it measures the growth of scoring.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import numpy as np

from _common import Expect, Row, clocked, score_codes
from treebound import _core, _core_testing

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
FIGURE = pathlib.Path(__file__).parents[1] / "docs" / "figures" / "growth.png"


def measure() -> Iterator[Row]:
    """Rows for the limit, then for each axis; the plots at the end."""
    limit = limits()
    yield from limit
    rows = []
    for axis, values in AXES.items():
        previous = None
        for value in values:
            row = cost(axis, value, max(row["words_per_s"] for row in limit))
            if axis == "rows" and previous:
                row["growth_factor"] = row["ns_per_set"] / previous
            previous = row["ns_per_set"]
            rows.append(row)
            yield row
    draw(rows)


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


def draw(rows: list[Row]) -> None:
    """One panel per axis."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
    for panel, axis in zip(panels.flat, AXES, strict=True):
        mine = [row for row in rows if row["axis"] == axis]
        values = [row["value"] for row in mine]
        panel.plot(values, [row["ns_per_set"] for row in mine], "o-", color="C0")
        panel.set(
            xlabel=axis, ylabel="ns per set", yscale="log", ylim=(30, None if axis == "states" else 1500)
        )
        panel.set_xscale("linear" if axis == "parents" else "log")
        panel.set_xticks(values[::2] if len(values) > 5 else values)
        panel.minorticks_off()
        panel.xaxis.set_major_formatter("{x:,.0f}")
        panel.yaxis.set_major_formatter("{x:,.0f}")
        panel.grid(alpha=0.3)
        shares = [(row["value"], 100 * row["share_of_limit"]) for row in mine if "share_of_limit" in row]
        if axis in ("rows", "parents") and shares:
            beside = panel.twinx()
            beside.plot(*zip(*shares, strict=True), "s--", color="C1")
            beside.set_ylabel("% of the kernel's limit (dashed)")
            beside.set_ylim(0, 100)
    base = ", ".join(f"{value:,} {key}" for key, value in BASE.items())
    figure.suptitle(
        f"Cost of a parent set, one thread, kernels: {_core.simd()}\n(where not on the axis: {base})",
        fontsize=10,
    )
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(FIGURE, dpi=90)
