"""Draws published.svg: scores of Regrow over the published scores of hc-ET, in percent."""

from __future__ import annotations

from _charts import all_of, page, save, stamp, style
from matplotlib.figure import Figure

from treebound.plot import INK, line_styles


def draw() -> Figure:
    """Draw a mark for each data set and treewidth; the newest record of each counts."""
    records = all_of("published")
    cases = {
        (row["data"], row["k"]): (row, record)
        for record in records
        for row in record["rows"]
        if "gain" in row
    }
    rows = sorted((row for row, _ in cases.values()), key=lambda row: row["n"])
    names = list(dict.fromkeys(row["data"] for row in rows))
    widths = sorted({row["k"] for row in rows})
    figure = page((8.6, 3.8))
    ax = figure.add_subplot()
    for step, (k, look) in enumerate(zip(widths, line_styles(len(widths)), strict=True)):
        points = [
            (names.index(row["data"]) + 0.2 * (step - 1), row["gain_percent"])
            for row in rows
            if row["k"] == k
        ]
        ax.plot(
            *zip(*points, strict=True),
            marker="o",
            ls="",
            markersize=5,
            color=look["color"],
            label=f"treewidth {k}",
        )
    style(ax, "", "better than published hc-ET by,\npercent of the score (log scale)")
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter("{x:g}")
    ax.set_xticks(range(len(names)), names, rotation=40, ha="right")
    wins = sum(row["gain"] > 0 for row in rows)
    ax.set_title(f"Better in {wins} of {len(rows)} cases; data sets by number of columns", size=10, color=INK)
    ax.legend(frameon=False, fontsize=9, labelcolor=INK)
    used = {id(record): record for _, record in cases.values()}
    stamp(figure, *used.values())
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
