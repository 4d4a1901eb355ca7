"""Draws peers.svg: score and time of learning next to pgmpy and pyAgrum, one panel for each table."""

from __future__ import annotations

from typing import Any

from _charts import newest, page, save, stamp, style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from treebound.plot import INK, line_styles

MARKS = ("o", "D", "s", "^", "v")
LINEAR_BELOW = 0.1


def draw() -> Figure:
    """Draw how far each score is behind the best of its table, against the seconds of learning."""
    record = newest("peers")
    rows = record["rows"]
    tables = list(dict.fromkeys(row["table"] for row in rows))
    methods = list(dict.fromkeys(row["method"] for row in rows))
    looks = {
        method: {"color": look["color"], "marker": mark, "label": f"{method} ({version(rows, method)})"}
        for method, look, mark in zip(methods, line_styles(len(methods)), MARKS, strict=True)
    }
    figure = page((9.5, 6.2))
    for place, table in enumerate(tables):
        mine = [row for row in rows if row["table"] == table]
        panel(figure.add_subplot(2, -(-len(tables) // 2), place + 1), mine, looks)
    handles = {
        label: handle
        for ax in figure.axes
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(), handles.keys(), loc="outside upper center", ncols=3, frameon=False, fontsize=9
    )
    stamp(figure, record)
    return figure


def version(rows: list[dict[str, Any]], method: str) -> str:
    """Return the version of the program of a method."""
    return next(row["version"] for row in rows if row["method"] == method)


def panel(ax: Axes, rows: list[dict[str, Any]], looks: dict[str, dict[str, str]]) -> None:
    """Draw one table; methods that did not finish are named."""
    for row in rows:
        if "behind" in row:
            ax.plot(
                row["seconds"], 100 * row["behind"], ls="", markersize=8, zorder=3, **looks[row["method"]]
            )
    style(
        ax,
        "seconds of learning (log scale)",
        f"behind the best score, percent\n(symlog: linear below {LINEAR_BELOW:g})",
    )
    ax.set_xscale("log")
    ax.set_yscale("symlog", linthresh=LINEAR_BELOW)
    highest = max((100 * row["behind"] for row in rows if "behind" in row), default=1.0)
    ax.set_ylim(-0.03, max(1.0, 2 * highest))
    ticks = [tick for tick in (0, 0.1, 1, 10, 100) if tick <= max(1.0, 2 * highest)]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.xaxis.set_major_formatter("{x:g}")
    first = rows[0]
    size = f"{first['columns']:,} columns, {first['rows']:,} rows"
    name = "" if "columns" in first["table"] else f"{first['table']}: "
    ax.set_title(f"{name}{size}", size=10, color=INK)
    lost = [f"{row['method']}: {row['ended']}" for row in rows if "behind" not in row]
    ax.text(0.98, 0.95, "\n".join(lost), transform=ax.transAxes, size=8, color=INK, ha="right", va="top")


if __name__ == "__main__":
    save(draw(), __file__)
