"""Figures of what is measured: pruning, published scores, and inference with and without the bound."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from benchmarks.paper._cells import RULES
from benchmarks.paper._definitions import Experiment
from benchmarks.paper._drawing import DPI, PALE, style
from benchmarks.paper._measure import Row
from benchmarks.paper._record import Record
from benchmarks.paper._results import Results
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from treebound.plot import INK

# Bars below this height cannot be seen.
SEEN_PERCENT = 0.3


def bounds(experiment: Experiment, record: Record) -> Figure | None:
    """Bars: the share of sets that each rule removes."""
    removed = {
        (row["source"], row["rules"]): 100 * row["removed"]
        for row in record.rows[experiment.name]
        if "removed" in row
    }
    sources = list(dict.fromkeys(source for source, _ in removed))
    if not sources:
        return None
    page = Figure(figsize=(9.2, 4.4), dpi=DPI, layout="constrained")
    ax = page.subplots()
    colours = ("#9aa5b1", "#d55e00", "#e69f00", "#56b4e9", "#cc79a7", "#009e73", "#0072b2")
    each = 0.8 / len(experiment.rules)
    for step, (rule, colour) in enumerate(zip(experiment.rules, colours, strict=False)):
        heights = [removed.get((source, rule), 0.0) for source in sources]
        places = np.arange(len(sources)) + each * (step - (len(experiment.rules) - 1) / 2)
        ax.bar(places, heights, width=0.95 * each, color=colour, label=RULES.get(rule, rule))
    for place, source in enumerate(sources):
        if all(removed.get((source, rule), 0.0) < SEEN_PERCENT for rule in experiment.rules):
            ax.annotate(
                "none", (place, 0), (0, 3), textcoords="offset points", size=8, color=INK, ha="center"
            )
    ax.set_xticks(range(len(sources)), sources, rotation=35, ha="right")
    style(ax, "", "parent sets never scored, percent")
    page.legend(loc="outside upper center", ncols=4, frameon=False, fontsize=9)
    return page


def published(experiment: Experiment, record: Record) -> Figure | None:
    """The gain on hc-ET in percent, set by set."""
    found = Results(record.runs[experiment.name])
    sources = [source for source in experiment.sources if source.name in found.sources]
    if not sources:
        return None
    page = Figure(figsize=(8.6, 4.2), dpi=DPI, layout="constrained")
    ax = page.subplots()
    for step, k in enumerate(found.bounds):
        gains = []
        for place, source in enumerate(sources):
            ours, theirs = found.score(source.name, "regrow", k), source.printed["hc-et"][step]
            if ours is not None:
                gains.append((place + 0.2 * (step - 1), 100 * (ours - theirs) / abs(theirs)))
        colour = ("#56b4e9", "#0072b2", "#123a5e")[step % 3]
        if gains:
            ax.plot(*zip(*gains, strict=True), "o", color=colour, markersize=6, label=f"treewidth {k}")
    ax.axhline(0, color=INK, linewidth=1)
    low, high = ax.get_ylim()
    ax.set_yscale("symlog", linthresh=0.1)
    ax.set_yticks([-10, -1, -0.1, 0, 0.1, 1, 10], ["-10", "-1", "-0.1", "0", "0.1", "1", "10"])
    ax.set_xticks(range(len(sources)), [source.name for source in sources], rotation=35, ha="right")
    ax.set_ylim(1.5 * min(low, -0.1), 1.5 * max(high, 0.1))
    style(ax, "", "Regrow over published hc-ET, percent of the score\n(symlog: linear below 0.1)")
    ax.legend(frameon=False, fontsize=9)
    return page


def inference(experiment: Experiment, record: Record) -> Figure | None:
    """Seconds of all marginals over width, and cells with and without the bound."""
    rows = [row for row in record.rows[experiment.name] if "width" in row]
    if not rows:
        return None
    page = Figure(figsize=(10.4, 4.8), dpi=DPI, layout="constrained")
    left, right = page.subplots(1, 2, width_ratios=(1, 1.15))
    _times(left, rows)
    _cells(right, rows, experiment.query_memory_mb)
    return page


def _times(ax: Axes, rows: Sequence[Row]) -> None:
    answered = [row for row in rows if row.get("answered")]
    groups = {"with a treewidth limit": ("#009e73", "D"), "without": ("#d55e00", "o")}
    for (label, (colour, mark)), is_bounded in zip(groups.items(), (True, False), strict=True):
        points = [(r["width"], r["marginals_s"]) for r in answered if (r["k"] is not None) == is_bounded]
        if points:
            ax.plot(*zip(*points, strict=True), mark, color=colour, markersize=6, alpha=0.8, label=label)
    ax.set_yscale("log")
    silent = [row["width"] for row in rows if not row.get("answered")]
    top = max((row["marginals_s"] for row in answered), default=1.0) * 4
    if silent:
        ax.plot(
            silent,
            [top] * len(silent),
            "x",
            color="#d55e00",
            markersize=9,
            markeredgewidth=2.2,
            label="too large for memory",
        )
        ax.axhline(top / 2, color=PALE, linewidth=0.8, linestyle=(0, (4, 3)))
    ax.legend(frameon=False, fontsize=9, loc="center right")
    ax.set_title("All marginals, by width of the junction tree", size=10, color=INK)
    style(ax, "width", "CPU seconds (log scale)")


def _cells(ax: Axes, rows: Sequence[Row], memory_mb: int) -> None:
    sources = list(dict.fromkeys(row["source"] for row in rows))
    for place, source in enumerate(sources):
        mine = {row["k"]: row for row in rows if row["source"] == source}
        bounded = [mine[k]["cells"] for k in mine if k is not None]
        ends = [*bounded, *([mine[None]["cells"]] if None in mine else [])]
        ax.plot([min(ends), max(ends)], [place, place], color=PALE, linewidth=1.2, zorder=1)
        ax.plot(bounded, [place] * len(bounded), "D", color="#009e73", markersize=5)
        if None in mine:
            mark = "o" if mine[None].get("answered") else "x"
            ax.plot(mine[None]["cells"], place, mark, color="#d55e00", markersize=8, markeredgewidth=2.0)
    limit = memory_mb * 2**20 / 8
    ax.axvline(limit, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    corner = (limit, len(sources) - 0.6)
    words = f" {memory_mb // 1024} GB of numbers"
    ax.annotate(words, corner, size=8, color=INK, ha="left", va="center")
    ax.set_xscale("log")
    ax.set_yticks(range(len(sources)), sources)
    ax.invert_yaxis()
    ax.set_title("Cells of the junction tree: limits 2, 5, 8 and none", size=10, color=INK)
    style(ax, "cells", "")
