"""Which value of each tuning constant of the counting core is quickest, over several data sets?

The sources are copied and built once with the constants read from the environment when the library is loaded;
each value is then measured in a process of its own, all sets of up to two or three parents, one thread,
pruning off. Rows give the least processor seconds of several rounds relative to the value in the sources,
below 1 being quicker, with the geometric mean over the data sets as `mean`. The value in the sources is
measured twice, so that its second row shows the noise.

Apart from benchmarks.paper: it measures kernels.
"""

from __future__ import annotations

import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from _common import Expect, Row, Skip, dataset, score_codes

QUESTION = "Are the tuning constants of the counting core well chosen?"
# No other value is better by more than a tenth over all data sets.
EXPECTED = [Expect("mean", at_least=0.9)]

ROOT = pathlib.Path(__file__).parents[1]
# Constant: the file that declares it, and the values to try.
CONSTANTS = {
    "kLookUpsPerWord": ("core/data/partition.cpp", [0.03, 0.0625, 0.125, 0.25]),
    "kLookUpsPerPass": ("core/data/partition.cpp", [0, 4, 12]),
    "kMaxTableCells": ("core/scoring/families/family_scorer.cpp", [0, 256, 1024, 4096, 16384]),
    "kMaxMarginCells": ("core/scoring/families/family_scorer.cpp", [2**14, 2**16, 2**18, 2**20]),
}
CASES = {
    "baudio.train": 2,
    "nltcs.train": 3,
    "zoo": 3,
    "child-5000": 3,
    "alarm-5000": 3,
    "hepar2-5000": 3,
    "munin1-5000": 2,
    "barley-5000": 2,
    "mushroom": 3,
    "adult": 3,
    "water-5000": 3,
}
MOST_VARIABLES = 40
# The machine's own noise comes in waves longer than a run, so all values are gone through several times.
ROUNDS = 3
DECLARATION = r"constexpr (\S+) {name} = ([^;]+);"
READER = """#include <cstdlib>
#define TUNE(name, value) (std::getenv(name) ? std::atof(std::getenv(name)) : value)
"""


def measure() -> Iterator[Row | Skip]:
    """One row per constant and value."""
    settings: list[dict[str, str]] = [{}]
    settings += [{name: str(value)} for name, (_, values) in CONSTANTS.items() for value in values]
    with tempfile.TemporaryDirectory() as folder:
        site = build(pathlib.Path(folder))
        rounds = [[timings(site, setting) for setting in settings] for _ in range(ROUNDS)]
    quickest = [
        {name: min(run[name] for run in runs) for name in runs[0]} for runs in zip(*rounds, strict=True)
    ]
    if not quickest[0]:
        yield Skip("no data set found in TREEBOUND_DATA.")
        return
    for setting, found in zip(settings, quickest, strict=True):
        relative = {name: found[name] / quickest[0][name] for name in found}
        mean = math.exp(sum(map(math.log, relative.values())) / len(relative))
        constant, value = next(iter(setting.items()), ("as in the sources", ""))
        yield {"constant": constant, "value": value, "mean": mean, **relative}


def build(folder: pathlib.Path) -> pathlib.Path:
    """A copy of the package with the constants open to the environment."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in tracked.splitlines():
        if name.startswith(("core/", "bindings/", "src/")) or "/" not in name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    for constant, (name, _) in CONSTANTS.items():
        open_constant(folder / name, constant)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps"]
    subprocess.run([*install, "--target", str(folder / "site"), str(folder)], check=True)
    return folder / "site"


def open_constant(path: pathlib.Path, constant: str) -> None:
    """Let a constant be read from the environment."""
    text, changes = re.subn(
        DECLARATION.format(name=constant),
        rf'const \1 {constant} = static_cast<\1>(TUNE("{constant}", \2));',
        path.read_text(),
    )
    if changes != 1:
        raise SystemExit(f"{constant} is not declared once in {path.name}.")
    path.write_text(text if text.startswith(READER) else READER + text)


def timings(site: pathlib.Path, values: dict[str, str]) -> dict[str, float]:
    """Processor seconds per data set, in a new process."""
    environment = {**os.environ, **values, "PYTHONPATH": str(site)}
    answer = subprocess.run(
        [sys.executable, __file__], env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(answer.stdout)


def time_cases() -> dict[str, float]:
    """Processor seconds per data set, here and now."""
    found = {}
    for name, max_parents in CASES.items():
        data = dataset(name)
        if not isinstance(data, Skip):
            cardinalities = list(data.schema.cardinalities)[:MOST_VARIABLES]
            found[name], _ = score_codes(data.codes[:MOST_VARIABLES], cardinalities, max_parents, repeats=7)
    return found


if __name__ == "__main__":
    print(json.dumps(time_cases()))
