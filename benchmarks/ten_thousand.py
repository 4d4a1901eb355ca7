"""The whole job at ten thousand variables, like the paper's R10.

A random network of 2 to 4 states and 0 to 6 parents, 5,000 rows. Each phase is a process of its own, with all
threads; its data are in a folder that goes away. `score` and `search` are given a budget; scoring contains
the loading of the table, which is also measured alone.

Apart from benchmarks.paper: it measures the phases of the whole job, not the search alone.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from _common import Expect, Row

QUESTION = "How much time and memory does each phase take at n = 10,000?"
EXPECTED = [
    Expect("wall_s", at_most=3600, where={"phase": "all"}),
    Expect("peak_mb", at_most=3000, where={"phase": "all"}),
    Expect("arcs", at_least=1_000, where={"phase": "search"}),
]
NUM_VARIABLES = 10_000
NUM_ROWS = 5_000
BOUND = 5
SCORE_SECONDS = 300
SEARCH_SECONDS = 120
# What a phase says that it did: time and memory mean nothing without.
WORK = {
    "generate": ("variables", "rows", "arcs"),
    "score": ("sets_scored", "sets_kept"),
    "search": ("steps", "arcs", "treewidth", "score"),
    "check": ("ok",),
}
TREEBOUND = [sys.executable, "-c", "from treebound.cli import main; main()"]
LOAD = [sys.executable, "-c", "import sys, treebound; treebound.load(sys.argv[1])"]


def measure() -> Iterator[Row]:
    """One row per phase, then their sum."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for phase, command in phases(pathlib.Path(folder)).items():
            said = pathlib.Path(folder) / "said.json"
            row = {"phase": phase, **watched(command, said)}
            report = json.loads(said.read_text() or "{}")
            rows.append(row | {key: report[key] for key in WORK.get(phase, ())})
            yield rows[-1]
    yield {
        "phase": "all",
        "wall_s": sum(row["wall_s"] for row in rows),
        "cpu_s": sum(row["cpu_s"] for row in rows),
        "peak_mb": max(row["peak_mb"] for row in rows),
    }


def phases(folder: pathlib.Path) -> dict[str, list[str]]:
    """The commands in the order in which they run."""
    table, cache, structure = (str(folder / name) for name in ("table.parquet", "scores.tbc", "network.json"))
    size = (
        f"--variables {NUM_VARIABLES} --rows {NUM_ROWS} --max-parents 6 --min-states 2 --max-states 4".split()
    )
    search = f"--max-treewidth {BOUND} --time {SEARCH_SECONDS}".split()
    return {
        "generate": [*TREEBOUND, "generate", table, *size, "--json"],
        "load": [*LOAD, table],
        "score": [*TREEBOUND, "score", table, "-o", cache, "--time", str(SCORE_SECONDS), "--json"],
        "search": [*TREEBOUND, "learn", cache, *search, "-o", structure, "--json"],
        "check": [*TREEBOUND, "check", structure, "--cache", cache, "--json"],
    }


def watched(command: list[str], said: pathlib.Path) -> Row:
    """Wall and processor seconds and the largest memory of a process that must succeed."""
    began = time.perf_counter()
    with said.open("w") as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
    if code := os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{' '.join(command)}: exit code {code}.")
    return {
        "wall_s": time.perf_counter() - began,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_mb": usage.ru_maxrss / 1024,
    }
