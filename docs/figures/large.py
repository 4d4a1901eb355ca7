"""Draws large.svg: seconds of the work that no budget limits, against columns and rows."""

from __future__ import annotations

from _charts import legend, newest, page, save, stamp, style
from matplotlib.figure import Figure

from treebound.plot import INK, line_styles

WORKS = ("reading", "layout", "pairs", "checking")


def draw() -> Figure:
    """Draw one panel for growing columns and one for growing rows."""
    record = newest("large", "axis")
    limit = next(row["words_per_s"] for row in record["rows"] if "words_per_s" in row)
    figure = page((9, 4.2))
    for place, (axis, other) in enumerate((("columns", "rows"), ("rows", "columns"))):
        rows = [row for row in record["rows"] if row.get("axis") == axis and "pairs_s" in row]
        sizes = [row[axis] for row in rows]
        ax = figure.add_subplot(1, 2, place + 1)
        for work, look in zip(WORKS, line_styles(len(WORKS)), strict=True):
            ax.plot(sizes, [row[f"{work}_s"] for row in rows], marker="o", markersize=4, label=work, **look)
        bound = [row["pair_words"] / limit / row["threads"] for row in rows]
        ax.plot(sizes, bound, ls="--", color=INK, label="pairs at the kernel's limit")
        style(ax, f"{axis} (log scale)", "seconds (log scale)")
        ax.set(xscale="log", yscale="log")
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
        ax.yaxis.set_major_formatter("{x:g}")
        ax.set_title(f"{rows[0][other]:,} {other}", size=10, color=INK)
    legend(figure, 5)
    stamp(figure, record)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
