"""What the charts share: the newest record of a benchmark, quiet axes, and a line that names the record."""

from __future__ import annotations

import json
import pathlib
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from treebound.plot import FAINT, INK, save_page

HERE = pathlib.Path(__file__).parent
RECORDS = HERE.parents[1] / "benchmarks" / "records"
GREY = "#5b6775"


def newest(benchmark: str) -> dict[str, Any]:
    """Return the newest record of a benchmark, with the name of its file as ``file``."""
    paths = sorted(path for path in RECORDS.glob("*.json") if path.stem[16:].split("-")[0] == benchmark)
    if not paths:
        raise FileNotFoundError(f"No record of {benchmark}: run python benchmarks/run.py {benchmark}.")
    return {**json.loads(paths[-1].read_text("utf-8")), "file": paths[-1].name}


def page(inches: tuple[float, float]) -> Figure:
    """Return an empty page."""
    return Figure(figsize=inches, facecolor="white", layout="constrained")


def style(ax: Axes, across: str, up: str) -> None:
    """Name the axes and keep them quiet."""
    ax.set_xlabel(across, size=9, color=INK)
    ax.set_ylabel(up, size=9, color=INK)
    ax.tick_params(colors=INK, labelsize=8)
    ax.tick_params(which="minor", length=0)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(FAINT)
    ax.grid(color=FAINT, alpha=0.3, linewidth=0.6)
    ax.set_axisbelow(True)


def stamp(figure: Figure, record: dict[str, Any]) -> None:
    """Write the record, its date and its commit below the panels."""
    words = f"{record['command']}, {record['date'][:10]}, commit {record['commit']}"
    figure.supxlabel(words, size=7, color=GREY, x=0.99, ha="right")


def save(figure: Figure, script: str) -> None:
    """Save a figure under the name of its script."""
    save_page(figure, pathlib.Path(script).with_suffix(".svg"))
