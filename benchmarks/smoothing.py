"""Which prior of the tables to take when nobody says.

Structures are learned on train in a few seconds; every prior fits them, and loses so much on valid against
the best of all priors. Binary density sets, and samples of published networks with many states, of which 500
rows are few. A default must not be far off anywhere.

Apart from benchmarks.paper: it chooses a default, the prior of the tables.
"""

from __future__ import annotations

import os
import pathlib
import statistics
from collections.abc import Iterator

import treebound as tb
from _common import Expect, Row, Skip
from density import PUBLISHED, SMOOTHINGS, load_splits, mean_log
from treebound.network import DEFAULT_SMOOTHING

QUESTION = "How much does each prior lose on rows not seen, against the best prior for each case?"
EXPECTED = [
    Expect("mean_loss", at_most=0.15, where={"smoothing": repr(DEFAULT_SMOOTHING)}),
    Expect("worst_loss", at_most=3.0, where={"smoothing": repr(DEFAULT_SMOOTHING)}),
]
NETWORKS = ("alarm", "hailfinder", "hepar2", "diabetes", "munin1", "mildew", "barley", "water")
ROWS = (500, 5000)
BOUNDS = (2, 6)
SECONDS = 3.0


def measure() -> Iterator[Row | Skip]:
    """One row for each prior and kind of data."""
    for kind, cases in (("binary", density_sets()), ("published networks", samples())):
        losses: dict[str, list[float]] = {}
        for case in cases:
            if isinstance(case, Skip):
                yield case
                continue
            for smoothing, loss in losses_of(*case):
                losses.setdefault(repr(smoothing), []).append(loss)
        for smoothing, found in losses.items():
            yield {
                "kind": kind,
                "smoothing": smoothing,
                "cases": len(found),
                "mean_loss": statistics.fmean(found),
                "worst_loss": max(found),
            }


def density_sets() -> Iterator[tuple[tb.Dataset, tb.Dataset] | Skip]:
    """Train and valid of the sets that are there."""
    for name in PUBLISHED:
        splits = load_splits(name)
        yield splits if isinstance(splits, Skip) else (splits.train, splits.valid)


def samples() -> Iterator[tuple[tb.Dataset, tb.Dataset] | Skip]:
    """Rows of published networks, few and many to learn from."""
    for name in NETWORKS:
        path = pathlib.Path(os.environ.get("TREEBOUND_DATA", ""), "networks", f"{name}.bif.gz")
        if not path.exists():
            yield Skip(f"{name}: TREEBOUND_DATA does not name a folder with networks/{name}.bif.gz.")
            continue
        network = tb.load_network(path)
        for num_rows in ROWS:
            yield network.sample(num_rows, seed=1), network.sample(max(ROWS), seed=2)


def losses_of(train: tb.Dataset, valid: tb.Dataset) -> Iterator[tuple[object, float]]:
    """What each prior loses on valid, at each bound."""
    for bound in BOUNDS:
        result = tb.learn(train, bound, budget=tb.Budget(seconds=SECONDS), seed=1)
        found = {prior: mean_log(tb.fit(result, train, smoothing=prior), valid) for prior in SMOOTHINGS}
        best = max(found.values())
        yield from ((prior, best - log) for prior, log in found.items())
