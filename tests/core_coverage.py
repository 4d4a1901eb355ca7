"""Reports which share of the lines of the C++ core ran, from what a core built with --coverage left behind.

    python tests/core_coverage.py build/coverage/cmake

`make coverage` builds such a core, runs the tests on it, and calls this.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# File -> line -> how often it ran.
Lines = dict[str, dict[int, int]]


def lines_of(folder: Path, root: Path) -> Lines:
    """Every line below root that has code; headers add up over the files that include them."""
    counted: Lines = defaultdict(dict)
    for data in sorted(folder.rglob("*.gcda")):
        command = ["gcov", "--json-format", "--stdout", str(data)]
        report = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        for file in report["files"]:
            path = (Path(report["current_working_directory"]) / file["file"]).resolve()
            if path.is_relative_to(root):
                lines = counted[str(path.relative_to(root))]
                for line in file["lines"]:
                    number = line["line_number"]
                    lines[number] = lines.get(number, 0) + line["count"]
    return counted


def shares(counted: Lines) -> list[tuple[str, int, int]]:
    """For each folder, and for all, how many lines ran and how many there are."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for file, lines in counted.items():
        for name in (str(Path(file).parent), "all"):
            sums[name][0] += sum(count > 0 for count in lines.values())
            sums[name][1] += len(lines)
    return [(name, *sums[name]) for name in sorted(sums, key=lambda name: (name == "all", name))]


def main() -> None:
    counted = lines_of(Path(sys.argv[1]), ROOT)
    kept = {file: lines for file, lines in counted.items() if file.startswith(("core/", "bindings/"))}
    for name, ran, there in shares(kept):
        print(f"{name:30} {ran:6,} of {there:6,} lines {ran / there:7.1%}")


if __name__ == "__main__":
    main()
