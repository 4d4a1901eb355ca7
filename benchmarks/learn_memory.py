"""The memory of learning from a table of 10,000 columns and 5,000 rows, in one process and six minutes.

What scoring remembers of the sets that it has visited is the most; the search begins when that is given back.

Apart from benchmarks.paper: it measures memory.
"""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Iterator

from _common import Expect, Row
from _phases import generated, learned

QUESTION = "How much memory does learning take at n = 10,000?"
EXPECTED = [Expect("peak_mb", at_most=3000)]
NUM_VARIABLES = 10_000
NUM_ROWS = 5_000
BOUND = 5
SECONDS = 360


def measure() -> Iterator[Row]:
    """One row: seconds of the phases, peak memory and the score reached."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table.parquet"
        generated(table, NUM_VARIABLES, NUM_ROWS)
        yield {"variables": NUM_VARIABLES, "rows": NUM_ROWS, **learned(table, BOUND, SECONDS)}
