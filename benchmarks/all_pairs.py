"""The widest table that the project promises: ten thousand columns, all pairs in both directions.

Runs in a process of its own, so that the peak of memory is that of the scoring and of the table it was given.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from _common import Expect, Row, clocked, exhaustive, generated

QUESTION = "What do all single parents of 10,000 columns of 2 to 4 states, 5,000 rows, cost on two threads?"
EXPECTED = [Expect("wall_s", at_most=120), Expect("peak_memory_mb", at_most=4096)]


def measure() -> Iterator[Row]:
    """One row."""
    answer = subprocess.run([sys.executable, __file__], check=True, capture_output=True, text=True)
    yield json.loads(answer.stdout)


def score_pairs() -> Row:
    """Generate the table and score it, here and now."""
    data, generation, _ = clocked(lambda: generated(10_000, 5_000, (2, 4)))
    run = exhaustive(data, 1, threads=2)
    return {
        "variables": data.num_variables,
        "rows": data.num_rows,
        "sets": run["report"].sets_scored,
        "generation_s": generation,
        "wall_s": run["wall_s"],
        "cpu_s": run["cpu_s"],
        "peak_memory_mb": run["report"].peak_memory_mb,
    }


if __name__ == "__main__":
    print(json.dumps(score_pairs()))
