"""The hot loops compared with an earlier build of the package, whose Python TREEBOUND_BEFORE names.

Each task runs in processes of both builds in turn, since other work on the machine then affects both. The
quickest run of each counts, in CPU seconds of one thread; the results must be the same.

Apart from benchmarks.paper: it compares two builds of this package.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

from _common import Expect, Row, Skip
from _earlier_task import TASKS

QUESTION = "Are the hot loops as fast as in an earlier build, with the same results?"
EXPECTED = [Expect("ratio", at_most=1.03), Expect("same", at_least=1)]
ROUNDS = 7


def measure() -> Iterator[Row | Skip]:
    """One row for each task."""
    before, folder = os.environ.get("TREEBOUND_BEFORE"), os.environ.get("TREEBOUND_DATA")
    if before is None or folder is None:
        yield Skip("TREEBOUND_BEFORE (the Python of an earlier build) and TREEBOUND_DATA are not both set.")
        return
    for task, (name, _) in TASKS.items():
        if not pathlib.Path(folder, name).exists():
            yield Skip(f"{task}: {name} is not in TREEBOUND_DATA.")
            continue
        runs = [(run(before, task), run(sys.executable, task)) for _ in range(ROUNDS)]
        seconds = [min(side["cpu_s"] for side in sides) for sides in zip(*runs, strict=True)]
        results = {side["result"] for both in runs for side in both}
        yield {
            "task": task,
            "data": name,
            "before_cpu_s": seconds[0],
            "now_cpu_s": seconds[1],
            "ratio": seconds[1] / seconds[0],
            "same": int(len(results) == 1),
        }


def run(python: str, task: str) -> Row:
    """The task in a process of the given build."""
    command = [python, str(pathlib.Path(__file__).with_name("_earlier_task.py")), task]
    # A path of modules would give both the same build.
    alone = {
        key: value for key, value in os.environ.items() if key != "PYTHONPATH" or python == sys.executable
    }
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=alone)
    row: Row = json.loads(ended.stdout)
    return row
