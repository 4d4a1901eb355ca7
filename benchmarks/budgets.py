"""Every solver on a thousand variables: by how much it exceeds its seconds, and how soon it obeys signals.

A run of ``treebound learn`` ends by itself, by SIGINT or by SIGTERM; what it leaves is then checked. Solvers
for few variables refuse so many, which is recorded.

Apart from benchmarks.paper: it measures how well budgets and signals are obeyed.
"""

from __future__ import annotations

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import treebound
from _common import Expect, Row, generated
from treebound.solvers import SOLVERS, Needs
from treebound.tables.files.save import save_table

QUESTION = "Does every solver honour its budget and signals on 1,000 variables?"
EXPECTED = [
    Expect("beyond_s", at_most=1),
    Expect("sigint_s", at_most=2),
    Expect("sigterm_s", at_most=2),
    Expect("checked", at_least=1),
]
NUM_VARIABLES = 1_000
NUM_ROWS = 2_000
BOUND = 4
SECONDS = 5
SIGNALLED_AFTER = 3


def measure() -> Iterator[Row]:
    """One row per solver."""
    data = generated(NUM_VARIABLES, NUM_ROWS, (2, 4))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        save_table(data, folder / "table.csv")
        scored = treebound.score(data, budget=treebound.Budget(seconds=20))
        treebound.save_cache(scored.cache, folder / "scores.tbc")
        for solver in SOLVERS:
            yield {"solver": solver, **measured(folder, solver)}


def measured(folder: pathlib.Path, solver: str) -> Row:
    """Seconds beyond the budget and until signals are obeyed; or that the solver refuses."""
    ended = subprocess.run(command(folder, solver), capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        return {"refused": ended.stderr.strip().splitlines()[-1]}
    report = json.loads(ended.stdout)
    row: Row = {"score": report["score"], "beyond_s": max(0.0, report["seconds"] - SECONDS)}
    checked = [report["checked"]]
    for number in (signal.SIGINT, signal.SIGTERM):
        seconds, is_valid = signalled(folder, solver, number)
        row[f"{number.name.lower()}_s"] = seconds
        checked.append(is_valid)
    return {**row, "checked": int(all(checked))}


def signalled(folder: pathlib.Path, solver: str, number: signal.Signals) -> tuple[float, bool]:
    """Seconds until a long run obeys, and whether what it leaves is valid; zero if it had ended before."""
    (folder / "structure.json").unlink(missing_ok=True)
    run = subprocess.Popen(command(folder, solver, 600), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with run:
        time.sleep(SIGNALLED_AFTER)
        began = time.perf_counter()
        run.send_signal(number)
        run.communicate()
        seconds = time.perf_counter() - began if run.returncode == 130 else 0.0
    structure = treebound.load_structure(folder / "structure.json")
    bound = BOUND if SOLVERS[solver].is_bounded else None
    return seconds, run.returncode in (0, 130) and bool(treebound.check(structure, max_treewidth=bound))


def command(folder: pathlib.Path, solver: str, seconds: float = SECONDS) -> list[str]:
    """Learn from the table if the solver needs rows, else from the cache."""
    entry = SOLVERS[solver]
    source = folder / ("table.csv" if Needs.ROWS in entry.needs else "scores.tbc")
    bound = ["-k", str(BOUND)] if entry.is_bounded else []
    words = ["learn", source, *bound, "--solver", solver, "--time", seconds, "--threads", 2, "--json"]
    words += ["-o", folder / "structure.json"]
    return [sys.executable, "-m", "treebound", *map(str, words)]
