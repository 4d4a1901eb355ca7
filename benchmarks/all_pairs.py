"""The widest table that the project promises: ten thousand columns, all pairs in both directions.

All pairs are scored in both rows. The first drops parents that do worse than none, as score() does unless
told otherwise; the second keeps all hundred million, to show what that costs. Each runs in a process of its
own, so that the peak of memory is that of the scoring and of the table it was given.

Apart from benchmarks.paper: it measures kernels.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from _common import Expect, Row, clocked, exhaustive, generated

QUESTION = "What do all single parents of 10,000 columns of 2 to 4 states, 5,000 rows, cost on two threads?"
EXPECTED = [
    Expect("sets", at_least=1e8),
    Expect("wall_s", at_most=120, where={"kept": "worth keeping"}),
    Expect("peak_memory_mb", at_most=4096, where={"kept": "worth keeping"}),
]
RULES = {"worth keeping": ("dominated",), "all": ()}


def measure() -> Iterator[Row]:
    """One row each for keeping what is worth it and for keeping all."""
    for kept in RULES:
        command = [sys.executable, __file__, kept]
        answer = subprocess.run(command, check=True, capture_output=True, text=True)
        yield json.loads(answer.stdout)


def score_pairs(kept: str) -> Row:
    """Generate the table and score it, here and now."""
    data, generation, _ = clocked(lambda: generated(10_000, 5_000, (2, 4)))
    run = exhaustive(data, 1, RULES[kept], threads=2)
    return {
        "kept": kept,
        "variables": data.num_variables,
        "rows": data.num_rows,
        "sets": run["report"].sets_scored,
        "sets_kept": run["report"].sets_kept,
        "generation_s": generation,
        "wall_s": run["wall_s"],
        "cpu_s": run["cpu_s"],
        "peak_memory_mb": run["report"].peak_memory_mb,
    }


if __name__ == "__main__":
    print(json.dumps(score_pairs(sys.argv[1])))
