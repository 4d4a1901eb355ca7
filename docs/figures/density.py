"""Draws density.svg: test log-likelihood of combined densities next to the best published, in percent."""

from __future__ import annotations

from _charts import all_of, page, save, stamp, style
from matplotlib.figure import Figure

from treebound.plot import INK, line_styles

OTHERS = {"cm_clt": "CM-CLT", "hclt": "HCLT", "id_spn": "ID-SPN"}


def draw() -> Figure:
    """Draw a bar for each data set, and marks for three published models."""
    records = [one for one in all_of("density") if "behind_best" in one["rows"][0]]
    most = max(len(one["rows"]) for one in records)
    first = max(place for place, one in enumerate(records) if len(one["rows"]) == most)
    # Later records have some of the sets, with a longer budget.
    shown = {row["set"]: row for one in records[first:] for row in one["rows"] if "set" in row}
    rows = sorted(shown.values(), key=lambda row: row["behind_best"])
    figure = page((8.6, 3.8))
    ax = figure.add_subplot()
    looks = line_styles(1 + len(OTHERS))
    ahead = [-100 * row["behind_best"] for row in rows]
    ax.bar(range(len(rows)), ahead, width=0.6, color=looks[0]["color"], label="treebound")
    for look, (column, title), marker in zip(looks[1:], OTHERS.items(), "os^", strict=True):
        points = [100 * (row[column] - row["best"]) / abs(row["best"]) for row in rows]
        ax.plot(points, marker=marker, ls="", markersize=4, color=look["color"], label=title)
    ax.axhline(0, color=INK, linewidth=0.8)
    style(ax, "", "ahead of the best published model,\npercent of its log-likelihood (symlog scale)")
    ax.set_yscale("symlog", linthresh=1)
    ax.yaxis.set_major_formatter("{x:g}")
    ax.set_xticks(range(len(rows)), [row["set"] for row in rows], rotation=40, ha="right")
    num_ahead = sum(round(row["test"], 2) >= row["best"] for row in rows)
    share = f"{num_ahead} of {len(rows)} sets"
    ax.set_title(f"Level with or ahead of the best published tractable model on {share}", size=10, color=INK)
    ax.legend(frameon=False, fontsize=9, labelcolor=INK, ncols=2)
    stamp(figure, *records[first:])
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
