"""Draws inference.svg: time of all marginals of published networks next to pyAgrum."""

from __future__ import annotations

from _charts import newest, page, save, stamp, style
from matplotlib.figure import Figure

from treebound.plot import FAINT, INK, line_styles


def draw() -> Figure:
    """Draw both times of each network on one line, the small networks on top."""
    record = newest("inference")
    rows = sorted(record["rows"], key=lambda row: -row["cells"])
    figure = page((8.0, 3.8))
    ax = figure.add_subplot()
    ours, theirs = line_styles(2)
    places = range(len(rows))
    ax.hlines(
        places,
        [1e3 * row["cpu_s"] for row in rows],
        [1e3 * row["pyagrum_cpu_s"] for row in rows],
        color=FAINT,
    )
    ax.plot(
        [1e3 * row["cpu_s"] for row in rows], places, "o", color=ours["color"], label="treebound", zorder=3
    )
    ax.plot(
        [1e3 * row["pyagrum_cpu_s"] for row in rows],
        places,
        "s",
        color=theirs["color"],
        label="pyAgrum",
        zorder=3,
    )
    for place, row in zip(places, rows, strict=True):
        ax.annotate(
            f"{row['times_faster']:.0f} times",
            (1e3 * row["pyagrum_cpu_s"], place),
            (8, -3),
            textcoords="offset points",
            size=8,
            color=INK,
        )
    style(ax, "all marginals, CPU milliseconds (log scale)", "")
    ax.set_xscale("log")
    ax.set_xlim(right=6e3 * max(row["pyagrum_cpu_s"] for row in rows))
    ax.xaxis.set_major_formatter("{x:,g}")
    ax.set_yticks(places, [f"{row['network']}, {row['variables']:,} variables" for row in rows])
    ax.legend(frameon=False, fontsize=9, labelcolor=INK, loc="upper right")
    stamp(figure, record)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
