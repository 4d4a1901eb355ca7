"""Draws terminal-inspect.svg, terminal-learn.svg and terminal-query.svg: what three commands print."""

from __future__ import annotations

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
from rich.console import Console
from rich.text import Text

COLUMNS = 96
COMMANDS = {
    "terminal-inspect": "treebound inspect patients.csv --auto",
    "terminal-learn": "treebound learn patients.csv --auto -k 2 --steps 200 -o patients.json",
    "terminal-query": "treebound query patients.json -t diabetes -e 'blood pressure=155' -e smoker=yes",
}
# Without fonts from elsewhere: a page must not load anything.
FORMAT = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" class="rich-terminal">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; white-space: pre }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: "DejaVu Sans", arial, sans-serif }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


def pictures() -> dict[str, str]:
    """Run the commands in their order in an empty folder, and return what they print as SVG by name."""
    with tempfile.TemporaryDirectory() as folder:
        patients().to_csv(pathlib.Path(folder, "patients.csv"), index=False)
        return {name: _drawn(command, name, folder) for name, command in COMMANDS.items()}


def patients() -> pd.DataFrame:
    """Return a table with an ID, a constant, numbers and missing values; all of it is made up."""
    chance = np.random.default_rng(1)
    count = 800
    age = chance.integers(20, 90, count)
    smoker = chance.random(count) < 0.3
    weight = np.round(chance.normal(74, 12, count) + 6 * (age > 50), 1)
    pressure = np.round(chance.normal(112, 10, count) + 0.35 * (age - 20) + 8 * smoker + 0.2 * (weight - 74))
    diabetes = chance.random(count) < 1 / (1 + np.exp(4.5 - 0.04 * (age - 20) - 0.09 * (weight - 74)))
    return pd.DataFrame(
        {
            "patient": [f"P{number:04}" for number in range(count)],
            "clinic": "north",
            "age": age,
            "sex": chance.choice(["female", "male"], count),
            "smoker": pd.Series(np.where(smoker, "yes", "no")).mask(chance.random(count) < 0.05),
            "weight": weight,
            "blood pressure": pressure,
            "diabetes": np.where(diabetes, "yes", "no"),
        }
    )


def _drawn(command: str, name: str, folder: str) -> str:
    colours = {"FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "PYTHONIOENCODING": "utf-8"}
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | colours
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        cwd=folder,
        env=environment,
    )
    with pathlib.Path(os.devnull).open("w") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True)
        console.print(Text.assemble(("$ ", "bold green"), command))
        console.print(Text.from_ansi(done.stdout.rstrip()))
        console.print()  # the frame cuts the lower half of its last line
        return console.export_svg(title="treebound", code_format=FORMAT, unique_id=name)


if __name__ == "__main__":
    for name, text in pictures().items():
        pathlib.Path(__file__).with_name(f"{name}.svg").write_text(text, "utf-8")
