"""Draws growth.svg: the cost of a parent set against variables, rows, states and parents."""

from __future__ import annotations

from _charts import GREY, legend, newest, page, save, stamp, style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from treebound.plot import INK, line_styles

AXES = ("variables", "rows", "states", "parents")


def draw() -> Figure:
    """Draw one panel for each axis, and the share of the kernel's limit where it is known."""
    record = newest("growth")
    cost, share = line_styles(2)
    figure = page((8.5, 6.4))
    for place, axis in enumerate(AXES):
        rows = [row for row in record["rows"] if row["axis"] == axis]
        ax = figure.add_subplot(2, 2, place + 1)
        values = [row["value"] for row in rows]
        costs = [row["ns_per_set"] for row in rows]
        ax.plot(values, costs, marker="o", markersize=4, label="cost of a set", **cost)
        style(ax, axis + (" (log scale)" if axis != "parents" else ""), "ns per set (log scale)")
        ax.set(yscale="log", xscale="linear" if axis == "parents" else "log")
        ax.set_ylim(30, 2e5 if axis == "states" else 2e3)
        ax.set_xticks(values[::2] if len(values) > 5 else values)
        ax.minorticks_off()
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.yaxis.set_major_formatter("{x:,.0f}")
        shares = [(row["value"], 100 * row["share_of_limit"]) for row in rows if "share_of_limit" in row]
        if len(shares) > 1:
            _shares(ax.twinx(), shares, share["color"])
    legend(figure, 2)
    stamp(figure, record)
    return figure


def _shares(ax: Axes, shares: list[tuple[int, float]], colour: str) -> None:
    ax.plot(*zip(*shares, strict=True), "s", ls="--", ms=4, color=colour, label="share of the kernel's limit")
    ax.set_ylim(0, 100)
    ax.set_ylabel("% of the limit", size=9, color=INK)
    ax.tick_params(colors=GREY, labelsize=8)
    ax.spines[["top", "left", "bottom"]].set_visible(False)
    ax.spines["right"].set_color(GREY)


if __name__ == "__main__":
    save(draw(), __file__)
