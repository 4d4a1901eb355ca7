"""Learning with ten seconds from tables of many columns and ten rows, the widest of 100,000 columns.

Reading, checking and writing are proportional to the columns; scoring and searching obey the budget, whatever
the number of pairs of columns.

Apart from benchmarks.paper: it measures the phases of learn().
"""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Iterator

import numpy as np

from _common import Expect, Row
from _phases import learned

QUESTION = "By how much does learning exceed its seconds on wide tables, and in which phase?"
EXPECTED = [
    Expect("peak_mb", at_most=1500),
    Expect("beyond_s", at_most=15),
    Expect("reading_us_per_column", at_most=150),
    Expect("checking_us_per_column", at_most=150),
]
NUM_ROWS = 10
BOUND = 5
SECONDS = 10


def measure() -> Iterator[Row]:
    """One row per number of columns and kind of file."""
    for num_columns in (25_000, 50_000, 100_000):
        for ending in ("csv", "parquet"):
            with tempfile.TemporaryDirectory() as folder:
                table = pathlib.Path(folder) / f"table.{ending}"
                write(table, num_columns)
                row = {"columns": num_columns, "file": ending, **learned(table, BOUND, SECONDS)}
            for phase in ("reading", "checking", "writing"):
                row[f"{phase}_us_per_column"] = 1e6 * row[f"{phase}_s"] / num_columns
            yield row


def write(table: pathlib.Path, num_columns: int) -> None:
    """Independent columns of two states."""
    rows = np.random.default_rng(1).integers(0, 2, (NUM_ROWS, num_columns))
    names = [f"v{column}" for column in range(num_columns)]
    if table.suffix == ".csv":
        np.savetxt(table, rows, fmt="%d", delimiter=",", header=",".join(names), comments="")
        return
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table(dict(zip(names, rows.T, strict=True))), table)
