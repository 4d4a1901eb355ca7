"""learn() after 2, 6, 20 and 60 seconds beside 60 of an earlier build, whose Python TREEBOUND_BEFORE names.

The train splits of the density sets, one thread for each build, both at work at the same time, so that other
work on the machine affects both. In the environment TREEBOUND_SETS=voting,c20ng chooses data sets,
TREEBOUND_BOUNDS=3,7 bounds (default: 5).

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
from published import HC_ET
from treebound import Budget, Local, learn, load, load_cache

QUESTION = "How much sooner is learn() as good as an earlier build?"
EXPECTED = [Expect("share_level_after_6_s", at_least=0.5), Expect("gain_percent_60", at_least=-0.01)]
SECONDS = (2, 6, 20, 60)
ROUNDING = 1e-6  # equal networks may be added up in another order


def measure() -> Iterator[Row | Skip]:
    """One row per data set and bound, then how many were as good after six seconds."""
    before, folder = os.environ.get("TREEBOUND_BEFORE"), os.environ.get("TREEBOUND_DATA")
    if before is None or folder is None:
        yield Skip("TREEBOUND_BEFORE (the Python of an earlier build) and TREEBOUND_DATA are not both set.")
        return
    rows = []
    for name in os.environ.get("TREEBOUND_SETS", ",".join(HC_ET)).split(","):
        table = pathlib.Path(folder, f"{name}.train.csv.gz")
        if not table.exists():
            yield Skip(f"{name}: not in TREEBOUND_DATA.")
            continue
        for bound in os.environ.get("TREEBOUND_BOUNDS", "5").split(","):
            rows.append(side_by_side(before, table, bound))
            yield {"data": name, "k": int(bound), **rows[-1]}
    if rows:
        is_level = [row["gain_6"] >= -ROUNDING for row in rows]
        yield {"of": len(rows), "share_level_after_6_s": sum(is_level) / len(rows)}


def side_by_side(before: str, table: pathlib.Path, bound: str) -> Row:
    """Scores of both builds; the gains are over the earlier one after all its time."""
    earlier = started(before, table, bound, SECONDS[-1])
    scores = {seconds: score_of(started(sys.executable, table, bound, seconds)) for seconds in SECONDS}
    reached = score_of(earlier)
    row: Row = {"before_60": reached}
    row |= {f"score_{seconds}": score for seconds, score in scores.items()}
    row |= {f"gain_{seconds}": score - reached for seconds, score in scores.items()}
    return row | {"gain_percent_60": -100 * (scores[SECONDS[-1]] - reached) / reached}


def started(python: str, table: pathlib.Path, bound: str, seconds: float) -> subprocess.Popen[str]:
    """A run in a process of the given build."""
    command = [python, __file__, str(table), bound, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def score_of(run: subprocess.Popen[str]) -> float:
    """What a run has found, once it has ended."""
    output, _ = run.communicate()
    score: float = json.loads(output)
    return score


if __name__ == "__main__":
    path, width, limit = sys.argv[1:]
    source = load_cache(path) if ".jkl" in path else load(path)
    found = learn(source, int(width), budget=Budget(seconds=float(limit)), seed=1, where=Local(threads=1))
    if not found.verdict:
        raise SystemExit(f"{path} with bound {width}: {found.verdict}")
    print(json.dumps(found.score))
