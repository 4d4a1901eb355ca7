"""Large tables, from the file to the network: time, memory, and the distance to the limit of the machine.

Three cases, each one command `treebound learn TABLE.parquet -k 5 --time S -o network.json` in a process
of its own, whose peak memory is compared with the estimate that it printed before it began:

- a: 10,000 columns of 2 to 4 states, 5,000 rows, the table of ten_thousand.py; ten minutes in all;
- b: 10,000 binary columns, 500,000 rows; an hour and 16 GB;
- c: 50,000 binary columns, 2,000 rows; an hour and 16 GB, and more arcs than a tree has.

Then two series of binary tables, one that grows in columns and one that grows in rows, with the seconds of
what no budget bounds: reading, laying out the rows for counting, counting all pairs, and checking a network
of two parents per variable. The exponent is that of the last doublings; the limit is what the kernel does
on planes in the second-level cache.
`docs/figures/large.py` draws the newest record.

TREEBOUND_CASES=b runs one case alone (`series` is one, too, and `abc` are three); TREEBOUND_SCALE=0.1 makes
columns, rows and seconds a tenth.
Tables are sampled in blocks of rows into a folder that goes away, or that TREEBOUND_LARGE names and that is
kept.

Apart from benchmarks.paper: its tables are far beyond those of the paper.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from _common import Expect, Row, clocked
from _phases import PHASES
from ten_thousand import TREEBOUND, watched
from treebound import _core, _core_testing
from treebound._budget import resolve_threads

QUESTION = "What do tables of up to 5 * 10^9 cells cost, and how does that grow with columns and rows?"
EXPECTED = [
    Expect("wall_s", at_most=600, where={"case": "a"}),
    # What six minutes reached on the same table before.
    Expect("score", at_least=-46_384_672, where={"case": "a"}),
    Expect("wall_s", at_most=3600, where={"case": "b"}),
    Expect("peak_mb", at_most=16_000, where={"case": "b"}),
    Expect("wall_s", at_most=3600, where={"case": "c"}),
    Expect("peak_mb", at_most=16_000, where={"case": "c"}),
    Expect("arcs_per_variable", at_least=1.2, where={"case": "c"}),
    # The estimate is a bound, which a machine that is not busy comes near to.
    Expect("estimate_over_peak", at_least=0.9, at_most=2),
    # Pairs grow with the square of the columns; all else, and everything in rows, in proportion.
    Expect("exponent", at_most=2.2, where={"axis": "columns", "work": "pairs"}),
    Expect("exponent", at_most=1.2, where={"axis": "rows"}),
    # Of short planes the look-up of terms is the larger part; of long ones the kernel is nearly all.
    Expect("share_of_limit", at_least=0.2, where={"limit_of": "columns"}),
    Expect("share_of_limit", at_least=0.6, where={"limit_of": "rows"}),
]
BOUND = 5
ROWS_PER_BLOCK = 20_000


@dataclass(frozen=True)
class Case:
    """A table, and the seconds for `learn --time`: what is left is for checking, fitting and writing."""

    columns: int
    rows: int
    max_states: int
    seconds: int
    width: int | None  # of the network that the rows are sampled from

    def scaled(self, scale: float) -> Case:
        """The same, smaller."""
        if scale == 1:
            return self
        columns, rows = max(20, round(self.columns * scale)), max(200, round(self.rows * scale))
        return Case(columns, rows, self.max_states, max(10, round(self.seconds * scale)), self.width)


CASES = {
    "a": Case(10_000, 5_000, 4, 540, None),
    "b": Case(10_000, 500_000, 2, 900, BOUND),
    "c": Case(50_000, 2_000, 2, 1_500, BOUND),
}
SERIES = {
    "columns": [Case(n, 5_000, 2, 0, BOUND) for n in (1_250, 2_500, 5_000, 10_000, 20_000)],
    "rows": [Case(1_000, rows, 2, 0, BOUND) for rows in (12_500, 50_000, 200_000, 800_000)],
}


def measure() -> Iterator[Row]:
    """A row per case, then those of the series with their exponents, then the distance to the limit."""
    scale = float(os.environ.get("TREEBOUND_SCALE", "1"))
    wanted = os.environ.get("TREEBOUND_CASES", "abcseries")
    for name, case in CASES.items():
        if name in wanted.replace("series", ""):
            yield {"case": name, **learned(case.scaled(scale))}
    if "series" in wanted:
        yield from series(scale)


def learned(case: Case) -> Row:
    """One run of the command, with what it says about itself."""
    with table_of(case) as table, tempfile.TemporaryDirectory() as folder:
        said = pathlib.Path(folder) / "said.json"
        network = pathlib.Path(folder) / "network.json"
        words = f"-k {BOUND} --time {case.seconds} -o {network} --json".split()
        row = watched([*TREEBOUND, "learn", str(table), *words], said)
        report = json.loads(said.read_text())
        file_mb = table.stat().st_size / 2**20
    if not report["checked"]:
        raise SystemExit(f"the checker refuses the structure: {report['verdict']}")
    return {
        "columns": case.columns,
        "rows": case.rows,
        "file_mb": file_mb,
        "budget_s": case.seconds,
        "wall_s": row["wall_s"],
        "cpu_s": row["cpu_s"],
        **{f"{phase}_s": report[f"{phase}_seconds"] for phase in PHASES},
        "peak_mb": report["peak_memory_mb"],
        "estimate_mb": report["estimated_memory_mb"],
        "estimate_over_peak": report["estimated_memory_mb"] / report["peak_memory_mb"],
        "score": report["score"],
        "treewidth": report["treewidth"],
        "arcs_per_variable": report["arcs"] / report["variables"],
        "sets_scored": report["sets_scored"],
        "steps": report["steps"],
    }


@contextlib.contextmanager
def table_of(case: Case) -> Iterator[pathlib.Path]:
    """The file of a case, made by a process of its own so that its memory is not ours."""
    kept = os.environ.get("TREEBOUND_LARGE")
    with contextlib.nullcontext(kept) if kept else tempfile.TemporaryDirectory() as folder:
        width = "any" if case.width is None else case.width
        path = pathlib.Path(folder) / f"{case.columns}x{case.rows}-{case.max_states}-{width}.parquet"
        if not path.exists():
            subprocess.run([sys.executable, __file__, "generate", str(path), *spelled(case)], check=True)
        yield path


def spelled(case: Case) -> list[str]:
    """A case as the arguments of a process."""
    return [str(case.columns), str(case.rows), str(case.max_states), str(case.width or 0)]


def generate(path: pathlib.Path, columns: int, rows: int, max_states: int, width: int) -> None:
    """Sample a random network block by block, each block a row group."""
    import pyarrow
    import pyarrow.parquet

    import treebound

    network = treebound.random_network(
        columns, max_states=max_states, max_parents=width or 6, max_treewidth=width or None
    )
    names = list(network.schema.names)
    schema = pyarrow.schema([(name, pyarrow.int8()) for name in names])
    part = path.with_suffix(".part")
    with pyarrow.parquet.ParquetWriter(part, schema, write_statistics=False) as writer:
        for seed, first in enumerate(range(0, rows, ROWS_PER_BLOCK)):
            codes = network.sample(min(ROWS_PER_BLOCK, rows - first), seed).codes.view(np.int8)
            writer.write_table(pyarrow.table(list(codes), schema=schema), row_group_size=ROWS_PER_BLOCK)
    part.rename(path)


def series(scale: float) -> Iterator[Row]:
    """Seconds of each kind of work, axis by axis; the exponents; and the share of the limit reached."""
    rows, limit = [], words_per_second()
    for axis, cases in SERIES.items():
        for case in cases:
            rows.append({"axis": axis, **costs(case.scaled(scale))})
            yield rows[-1]
    fits = exponents(rows)
    yield from fits
    for axis in SERIES:
        largest = max((row for row in rows if row["axis"] == axis), key=lambda row: row["pair_words"])
        reached = largest["pair_words"] / largest["pairs_s"] / largest["threads"]
        yield {
            "limit_of": axis,
            "words_per_s": limit,
            "memory_gb_per_s": memory_bandwidth() / 1e9,
            "pairs_words_per_s": reached,
            "share_of_limit": reached / limit,
        }


def costs(case: Case) -> Row:
    """What a process measures on a table."""
    with table_of(case) as table:
        answer = subprocess.run(
            [sys.executable, __file__, "costs", str(table)], check=True, capture_output=True, text=True
        )
    return {"columns": case.columns, "rows": case.rows, **json.loads(answer.stdout)}


def measure_costs(table: str) -> Row:
    """Seconds of reading, layout, pairs and checking, and the words that the pairs took."""
    import treebound

    data, reading, _ = clocked(lambda: treebound.load(table))
    core, layout, _ = clocked(lambda: data.in_core)
    threads = resolve_threads(None)
    score = _core.Bic(data.num_rows)
    # One step: the pairs are counted, and of one variable the sets are looked at.
    most = _core.Run(math.inf, 1, threads)
    method, every = _core.ScoringJob.Method.independence, np.arange(core.num_variables, dtype=np.uint32)
    job = _core.ScoringJob(core, score, method, 1, [], _core.FamilyRules(), 64, 2**28, every)
    _, pairs, _ = clocked(lambda: job.work(most))
    structure = treebound.Structure.from_parents(
        [range(max(0, v - 2), v) for v in range(data.num_variables)],
        names=data.schema.names,
        elimination_order=reversed(range(data.num_variables)),
    )
    _, checking, _ = clocked(lambda: treebound.check(structure, data=data))
    num_words = -(-data.num_rows // 512) * 8
    return {
        "reading_s": reading,
        "layout_s": layout,
        "pairs_s": pairs,
        "checking_s": checking,
        "threads": threads,
        "pair_words": data.num_variables * (data.num_variables - 1) // 2 * num_words,
        "peak_mb": _peak_mb(),
    }


def _peak_mb() -> float:
    from treebound._phases import peak_memory_mb

    return peak_memory_mb()


def exponents(rows: list[Row]) -> list[Row]:
    """The slope of log seconds over log size through the larger half of each series."""
    found = []
    for axis in SERIES:
        mine = sorted((row for row in rows if row["axis"] == axis), key=lambda row: row[axis])
        mine = mine[len(mine) // 2 - 1 :]
        for work in ("reading", "layout", "pairs", "checking"):
            seconds = [max(row[f"{work}_s"], 1e-6) for row in mine]
            slope = np.polyfit(np.log([row[axis] for row in mine]), np.log(seconds), 1)[0]
            found.append({"axis": axis, "work": work, "exponent": float(slope)})
    return found


def words_per_second() -> float:
    """Words that one thread ANDs and counts in the second-level cache."""
    num_words, num_planes, repeats = 1600, 16, 8000
    seconds = [
        clocked(lambda: _core_testing.count_repeatedly(num_words, num_planes, repeats))[1] for _ in range(7)
    ]
    return num_words * num_planes * repeats / min(seconds)


def memory_bandwidth() -> float:
    """Bytes per second that one thread reads."""
    cells = np.ones(1 << 26, dtype=np.uint64)
    return cells.nbytes / min(clocked(lambda: int(cells.max()))[1] for _ in range(5))


def main(verb: str, *words: Any) -> None:
    """What this file does as a process of its own."""
    if verb == "generate":
        path, *numbers = words
        generate(pathlib.Path(path), *map(int, numbers))
    else:
        print(json.dumps(measure_costs(*words)))


if __name__ == "__main__":
    main(*sys.argv[1:])
