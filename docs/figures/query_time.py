"""Draws query_time.svg: time of all marginals against treewidth, from the newest record."""

from __future__ import annotations

from _charts import newest, page, save, stamp, style
from matplotlib.figure import Figure

from treebound.plot import INK, line_styles


def draw() -> Figure:
    """Draw one line for each number of states."""
    record = newest("query_time")
    rows = record["rows"]
    figure = page((6.5, 3.6))
    ax = figure.add_subplot()
    counts = sorted({row["states"] for row in rows})
    for states, look in zip(counts, line_styles(len(counts)), strict=True):
        line = [(row["treewidth"], row["ms"]) for row in rows if row["states"] == states]
        look |= {"marker": "o", "markersize": 4, "label": f"{states} states per variable"}
        ax.plot(*zip(*line, strict=True), **look)
    style(ax, "treewidth", "all marginals, CPU milliseconds (log scale)")
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter("{x:,g}")
    ax.set_xticks(range(0, max(row["treewidth"] for row in rows) + 1, 2))
    ax.set_title(f"Query time of networks with {rows[0]['variables']} variables", size=11, color=INK)
    ax.legend(frameon=False, fontsize=9, labelcolor=INK)
    stamp(figure, record)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
