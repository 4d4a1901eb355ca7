"""Runs benchmarks, prints their rows and leaves a dated record of each.

    python benchmarks/run.py --list
    python benchmarks/run.py counting all_pairs

A benchmark is a file beside this one with QUESTION, EXPECTED and measure(), which yields rows. Data sets are
looked for in the folder that TREEBOUND_DATA names; TREEBOUND_REFERENCE may name the command of the Java
reference, which is then run side by side. The experiments of the paper are apart, since each of their runs is
a process that can be taken up again after a kill: python -m benchmarks.paper.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import itertools
import json
import os
import pathlib
import sys
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.table import Table

from _common import Row, Skip, verdicts
from _machine import commit, load_average, machine

HERE = pathlib.Path(__file__).parent
RECORDS = HERE / "records"


def names() -> list[str]:
    """All benchmarks that this runner knows."""
    return sorted(path.stem for path in HERE.glob("[a-z]*.py") if "\nQUESTION = " in path.read_text())


def collect(benchmark: ModuleType, console: Console) -> list[Row]:
    """The rows of a benchmark; parts that had to be skipped are said aloud and left out."""
    rows = []
    for row in benchmark.measure():
        if isinstance(row, Skip):
            console.print(f"[yellow]skipped[/]: {row.reason}")
        else:
            rows.append(row)
            console.print("  ".join(f"{key}={shown(value)}" for key, value in row.items()), highlight=False)
    return rows


def shown(value: Any) -> str:
    """A cell of the table, to four digits."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def show(rows: list[Row], title: str, console: Console) -> None:
    """Print the rows as one table per set of columns."""
    for columns in dict.fromkeys(tuple(row) for row in rows):
        table = Table(*columns, title=title)
        for row in rows:
            if tuple(row) == columns:
                table.add_row(*(shown(value) for value in row.values()))
        console.print(table)


def run(name: str, console: Console) -> bool:
    """Run one benchmark; returns whether all expectations were met."""
    benchmark = importlib.import_module(name)
    console.rule(f"{name}: {benchmark.QUESTION}")
    before = machine()
    rows = collect(benchmark, console)
    if not rows:
        console.print(f"{name}: nothing could be measured, no record written.")
        return True
    show(rows, name, console)
    found = verdicts(benchmark.EXPECTED, rows)
    for verdict in found:
        console.print(("[green]met[/]    " if verdict["met"] else "[red]missed[/] ") + verdict["expected"])
    now = datetime.datetime.now(datetime.UTC)
    record = {
        "benchmark": name,
        "question": benchmark.QUESTION,
        "date": now.isoformat(timespec="seconds"),
        "command": f"python benchmarks/run.py {name}",
        "settings": settings(),
        "commit": commit(),
        "machine": before,
        "load_average_after": load_average(),
        "verdicts": found,
        "rows": rows,
    }
    RECORDS.mkdir(exist_ok=True)
    path = free_path(RECORDS / f"{now:%Y-%m-%dT%H%M}-{name}.json")
    path.write_text(json.dumps(record, indent=1) + "\n")
    console.print(f"record: benchmarks/records/{path.name}")
    return all(verdict["met"] for verdict in found)


def settings() -> dict[str, str]:
    """Environment variables that shorten or choose runs; folders and files are those of a machine."""
    chosen = {key: value for key, value in os.environ.items() if key.startswith("TREEBOUND_")}
    return {key: value for key, value in sorted(chosen.items()) if os.sep not in value}


def free_path(path: pathlib.Path) -> pathlib.Path:
    """The path, or with a number where an earlier run of the same minute has it."""
    names = (path.with_stem(f"{path.stem}-{number}") for number in itertools.count(2))
    return next(other for other in itertools.chain([path], names) if not other.exists())


def main() -> int:
    """Run what was asked for; exit code 1 if an expectation was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run")
    parser.add_argument("--list", action="store_true", help="show all benchmarks with their questions")
    arguments = parser.parse_args()
    console = Console()
    if arguments.list or not arguments.names:
        for name in names():
            console.print(f"[bold]{name}[/]  {importlib.import_module(name).QUESTION}", highlight=False)
        return 0
    if unknown := set(arguments.names) - set(names()):
        parser.error(f"expected names among {', '.join(names())}; got {', '.join(sorted(unknown))}.")
    outcomes = [run(name, console) for name in arguments.names]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
