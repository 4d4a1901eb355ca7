"""Runs of `treebound learn` as processes of their own: seconds of each phase and peak memory."""

from __future__ import annotations

import json
import pathlib
import subprocess

from _common import Row
from ten_thousand import TREEBOUND, watched

PHASES = ("reading", "scoring", "searching", "checking", "writing")


def learned(table: pathlib.Path, bound: int, seconds: float) -> Row:
    """What a run with a budget of seconds said about itself, and what the system says about it."""
    folder = table.parent
    said = folder / "said.json"
    words = ["learn", str(table), "-k", str(bound), "--time", str(seconds), "-o", str(folder / "out.json")]
    row = watched([*TREEBOUND, *words, "--json"], said)
    report = json.loads(said.read_text())
    phases = {f"{phase}_s": report[f"{phase}_seconds"] for phase in PHASES}
    beyond = row["wall_s"] - seconds
    return row | phases | {"beyond_s": beyond, "score": report["score"], "steps": report["steps"]}


def generated(table: pathlib.Path, num_variables: int, num_rows: int) -> None:
    """A table of rows of a random network of 2 to 4 states and 0 to 6 parents."""
    size = f"--variables {num_variables} --rows {num_rows} --max-parents 6 --min-states 2 --max-states 4"
    subprocess.run([*TREEBOUND, "generate", str(table), *size.split(), "--quiet"], check=True)
