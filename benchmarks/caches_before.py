"""Regrow after six seconds on every cache beside an earlier build, whose Python TREEBOUND_BEFORE names.

Every cache at k = 2, 5, 8, one thread for each build, both at work at the same time, so that other work
on the machine affects both. Gains are in per cent of the score.

Apart from benchmarks.paper: it compares two builds of this package.
"""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Iterator

from _common import Expect, Row, Skip
from _searching import BOUNDS, NAMES, cache_path
from first_seconds import score_of, started

QUESTION = "Is anything lost on caches beside an earlier build?"
EXPECTED = [Expect("gain_percent", at_least=-0.05), Expect("mean_gain_percent", at_least=0)]
SECONDS = 6.0


def measure() -> Iterator[Row | Skip]:
    """One row per cache and bound, then the mean gain."""
    before = os.environ.get("TREEBOUND_BEFORE")
    if before is None:
        yield Skip("TREEBOUND_BEFORE (the Python of an earlier build) is not set.")
        return
    gains = []
    for name in NAMES:
        path = cache_path(name)
        if isinstance(path, Skip):
            yield path
            continue
        for bound in BOUNDS:
            row = side_by_side(before, path, bound)
            gains.append(row["gain_percent"])
            yield {"cache": name, "k": bound, **row}
    if gains:
        yield {"of": len(gains), "mean_gain_percent": sum(gains) / len(gains)}


def side_by_side(before: str, path: pathlib.Path, bound: int) -> Row:
    """Scores of both builds."""
    runs = [started(python, path, str(bound), SECONDS) for python in (before, sys.executable)]
    earlier, score = map(score_of, runs)
    return {"before": earlier, "score": score, "gain_percent": -100 * (score - earlier) / earlier}
