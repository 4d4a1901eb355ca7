"""The same files but for times, whatever the number of threads and the seed of Python's hashes."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from ._laws import expect
from ._tables import Table, random_table, smaller_tables
from .solvers import all_solvers

SECONDS = 240.0
MEMORY_MB = None

# Several commands in one process; each line of standard input is one.
_SCRIPT = """
import json, sys
from treebound.cli import main
for line in sys.stdin:
    try:
        main(json.loads(line))
    except SystemExit as ended:
        if ended.code:
            sys.exit(ended.code)
"""


class Case(NamedTuple):
    """A table, how to learn from it, and two ways to run."""

    table: Table
    solver: str
    max_treewidth: int
    score: str
    steps: int
    seed: int
    threads: tuple[int, int]
    hash_seeds: tuple[int, int]


def make(random: Random) -> Case:
    """Draw a table of up to 12 columns."""
    return Case(
        random_table(random, max_variables=12, max_states=3, max_rows=300, min_rows=2),
        random.choice(["regrow", *sorted(all_solvers())]),
        random.randint(1, 4),
        random.choice(["bic", "bdeu"]),
        random.choice([1, 3, 20]),
        random.randrange(2**32),
        (1, random.randint(2, 5)),
        (random.randrange(2**32), random.randrange(2**32)),
    )


def check(case: Case) -> None:
    """Do everything twice."""
    first, second = (
        _digests(case, threads, hash_seed)
        for threads, hash_seed in zip(case.threads, case.hash_seeds, strict=True)
    )
    for name in first:
        expect(first[name] == second[name], f"{name} does not depend on threads or hash seed")


def _digests(case: Case, threads: int, hash_seed: int) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(case.table, folder)
        lines = "\n".join(json.dumps(words) for words in _commands(case, folder, threads))
        ended = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            input=lines,
            capture_output=True,
            text=True,
            env=dict(os.environ, PYTHONHASHSEED=str(hash_seed)),
            timeout=100,
            check=False,
        )
        expect(ended.returncode == 0, "every verb ends well", ended.stderr[-1500:])
        return {path.name: _digest(path) for path in sorted(folder.iterdir())}


def _write(table: Table, folder: Path) -> None:
    rows = [list(row) for row in zip(*table.columns, strict=True)]
    for name, gap in [("table.csv", 0), ("gaps.csv", 3)]:
        with (folder / name).open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(f"v{v}" for v in range(len(table.columns)))
            for i, row in enumerate(rows):
                writer.writerow(
                    "" if gap and (i + v) % gap == 0 else f"s{code}" for v, code in enumerate(row)
                )


def _commands(case: Case, folder: Path, threads: int) -> Iterator[list[str]]:
    def words(text: str) -> list[str]:
        return [word.replace("@", f"{folder}/") for word in text.split()]

    bounds = f"-k {case.max_treewidth} --solver {case.solver} --steps {case.steps} --seed {case.seed}"
    yield words(f"score @table.csv -o @scores.tbc --score {case.score} --steps 500 --threads {threads} -q")
    yield words(
        f"score @table.csv -o @all.jkl --parent-sets exhaustive --max-parents 2 --threads {threads} -q"
    )
    yield words(f"learn @table.csv -o @learned.json {bounds} --score {case.score} --threads {threads} -q")
    yield words(f"learn @scores.tbc -o @searched.json {bounds} --threads {threads} -q")
    yield words(f"fit @learned.json @table.csv -o @network.json --threads {threads} -q")
    yield words(f"sample @network.json -n 50 --seed {case.seed} -o @sampled.csv -q")
    yield words(f"impute @network.json @gaps.csv -o @imputed.csv --strategy draw --seed {case.seed} -q")
    yield words("impute @network.json @gaps.csv -o @completed.csv -q")
    yield words("evaluate @network.json @gaps.csv -o @evaluated.csv -q")
    yield words("convert @network.json @network.xdsl -q")
    yield words("convert @learned.json @learned.graphml -q")


def _digest(path: Path) -> str:
    data = re.sub(rb'"seconds": [^,}\]]*', b"", path.read_bytes())
    return hashlib.sha256(data).hexdigest()


def shrink(case: Case) -> Iterator[Case]:
    """A smaller table, fewer steps."""
    for table in smaller_tables(case.table, min_rows=2):
        yield case._replace(table=table)
    if case.steps > 1:
        yield case._replace(steps=1)
