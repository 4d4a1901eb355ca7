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


def all_of(benchmark: str) -> list[dict[str, Any]]:
    """Return the records of a benchmark, the oldest first."""
    paths = sorted(path for path in RECORDS.glob("*.json") if path.stem[16:].split("-")[0] == benchmark)
    return [json.loads(path.read_text("utf-8")) for path in paths]


def newest(benchmark: str, column: str = "") -> dict[str, Any]:
    """Return the newest record of a benchmark that has a row with this column."""
    for record in reversed(all_of(benchmark)):
        if not column or any(column in row for row in record["rows"]):
            return record
    raise FileNotFoundError(f"No such record of {benchmark}: run python benchmarks/run.py {benchmark}.")


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


def stamp(figure: Figure, *records: dict[str, Any]) -> None:
    """Write the command, the dates and the commits of the records below the panels."""
    dates, commits = (
        " and ".join(dict.fromkeys(words))
        for words in ([one["date"][:10] for one in records], [one["commit"] for one in records])
    )
    words = f"{records[0]['command']}, {dates}, commit {commits}"
    figure.supxlabel(words, size=7, color=GREY, x=0.99, ha="right")


def legend(figure: Figure, columns: int) -> None:
    """Put one legend for all panels above them, clear of the lines."""
    handles = {
        label: handle
        for ax in figure.axes
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside upper center",
        ncols=columns,
        frameon=False,
        fontsize=9,
        labelcolor=INK,
    )


def save(figure: Figure, script: str) -> None:
    """Save a figure under the name of its script."""
    save_page(figure, pathlib.Path(script).with_suffix(".svg"))
