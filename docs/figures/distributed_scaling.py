"""Draws distributed_scaling.svg: seconds of scoring on a cluster against the number of workers."""

from __future__ import annotations

from _charts import newest, page, save, stamp, style
from matplotlib.figure import Figure

from treebound.plot import FAINT, INK, line_styles


def draw() -> Figure:
    """Draw what was measured, and how it would be if each worker had a core of its own."""
    record = newest("cluster", "sending_s")
    rows = [row for row in record["rows"] if "sending_s" in row and "workers" in row]
    workers, seconds = [row["workers"] for row in rows], [row["wall_s"] for row in rows]
    cores = record["machine"]["cores"]
    figure = page((5.5, 3.4))
    ax = figure.add_subplot()
    ax.axvspan(cores, 1.1 * max(workers), color=FAINT, alpha=0.15, lw=0)
    ax.text(1.03 * cores, 0.93 * max(seconds), f"more workers than the {cores} cores", size=8, color=INK)
    (look,) = line_styles(1)
    ax.plot(workers, seconds, marker="o", **look)
    for count, value in zip(workers, seconds, strict=True):
        ax.annotate(f"{value:.0f} s", (count, value), (6, 8), textcoords="offset points", size=8, color=INK)
    style(ax, "workers", "seconds")
    ax.set(xlim=(0.8, 1.1 * max(workers)), ylim=(0, 1.15 * max(seconds)))
    ax.set_xticks(workers)
    ax.set_title("Scoring 1,000 columns x 5,000 rows, two parents", size=10, color=INK)
    stamp(figure, record)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
