"""Figures of searches: W-scores, victories, and W-scores over time."""

from __future__ import annotations

from statistics import median

import numpy as np
from benchmarks.paper._definitions import Experiment
from benchmarks.paper._drawing import COLOURS, DPI, MARKS, PALE, add_legend, name_of, recolour, style
from benchmarks.paper._measure import Row
from benchmarks.paper._record import Record
from benchmarks.paper._results import Results, family
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from treebound.experiments import w_score
from treebound.plot import INK, plot_victories, plot_w_scores

# Powers of ten alone would leave an axis of seconds nearly without numbers.
FEW_DECADES = 200
# W-scores of curves: on a symlog axis, linear near zero.
LINEAR_BELOW = 0.1
LOSS_TICKS = (-100, -10, -1, -0.1, 0, 0.1, 1, 10, 100)


def small(experiment: Experiment, record: Record) -> Figure | None:
    """W-scores by data set; hollow marks are the paper's."""
    found = Results(record.runs[experiment.name])
    page = Figure(figsize=(8.6, 5.8), dpi=DPI, layout="constrained")
    ax = page.subplots()
    (k,) = experiment.treewidths
    sources = [source for source in experiment.sources if source.name in found.sources]
    for step, method in enumerate(("s2", "s2plus", "kg", "ka", "regrow")):
        look: Row = {"color": COLOURS[method], "marker": MARKS[method], "ls": "", "markersize": 6}
        heights = [place + 0.16 * (step - 2) for place in range(len(sources))]
        ours = [found.w(source.name, method, k) for source in sources]
        percents = [np.nan if w is None else 100 * w for w in ours]
        ax.plot(percents, heights, label=name_of(method), zorder=3, **look)
        if all(method in source.printed for source in sources):
            printed = [source.printed for source in sources]
            theirs = [100 * w_score(figures[method], figures["gobnilp"]) for figures in printed]
            # Larger, so that both are seen where they are equal.
            ax.plot(theirs, heights, markerfacecolor="white", **{**look, "markersize": 9})
    ax.set_xscale("symlog", linthresh=0.1, linscale=0.5)
    ax.set_xticks([0, 0.1, 1, 10, 40], ["0", "0.1", "1", "10", "40"])
    ax.set_yticks(range(len(sources)), [source.name for source in sources])
    ax.invert_yaxis()
    style(ax, "W-score, percent: distance to the best network without a limit (symlog: linear below 0.1)", "")
    page.legend(
        loc="outside upper center", ncols=5, frameon=False, fontsize=9, title="full: ours, hollow: the paper"
    )
    return page


def inverted(experiment: Experiment, record: Record) -> Figure | None:
    """Mean W-score over the number of variables."""
    found = Results(record.runs[experiment.name])
    if not found.bounds:
        return None
    page = Figure(figsize=(4.3 * len(found.bounds), 3.9), dpi=DPI, layout="constrained")
    for ax, k in zip(page.subplots(1, len(found.bounds), squeeze=False)[0], found.bounds, strict=True):
        sources = [source for source in experiment.sources if source.treewidths == (k,)]
        for method in found.bounded:
            points = []
            for source in sources:
                copies = [found.w(name, method, k) for name in found.sources if family(name) == source.name]
                values = [100 * w for w in copies if w is not None]
                if values:
                    points.append(((source.inverted_tree or {})["variables"], np.mean(values)))
            if points:
                look: Row = {
                    "color": COLOURS[method],
                    "marker": MARKS[method],
                    "markersize": 5,
                    "linewidth": 1.8,
                }
                ax.plot(*zip(*points, strict=True), label=name_of(method), **look)
        ax.set_title(f"inverted trees of {k} parents, treewidth at most {k}", size=10, color=INK)
        ax.set_xticks([21, 41, 61, 81, 101])
        ax.set_ylim(bottom=min(0, ax.get_ylim()[0]))
        style(ax, "variables", "mean W-score, percent")
    add_legend(page)
    return page


def victories(experiment: Experiment, record: Record) -> Figure | None:
    """A heat map per treewidth."""
    found = Results(record.runs[experiment.name])
    if len(found.bounded) < 2:
        return None
    labels = [name_of(method) for method in found.bounded]
    page = Figure(figsize=(4.1 * len(found.bounds), 4.4), dpi=DPI, layout="constrained")
    for ax, k in zip(page.subplots(1, len(found.bounds), squeeze=False)[0], found.bounds, strict=True):
        tests = [[found.victories(a, b, k) for b in found.bounded] for a in found.bounded]
        wins = [[test.wins for test in row] for row in tests]
        marks = [[test.is_significant for test in row] for row in tests]
        plot_victories(labels, wins, marks, total=len(found.sources), ax=ax)
        ax.set_xlabel(f"treewidth at most {k}", size=10, color=INK)
    count = f"victories of the row over the column, of {len(found.sources)}"
    words = f"{count}; bold and underlined: sign test, p < 0.05"
    page.supxlabel(words, size=9, color=INK)
    return page


def boxes(experiment: Experiment, record: Record) -> Figure | None:
    """W-scores by method and treewidth, as in the last figure of the paper."""
    found = Results(record.runs[experiment.name])
    values = {name_of(m): {k: found.w_scores(m, k) for k in found.bounds} for m in found.bounded}
    if not any(any(by_bound.values()) for by_bound in values.values()):
        return None
    page = Figure(figsize=(2.0 + 0.62 * len(found.bounded) * len(found.bounds), 4.4), dpi=DPI)
    ax = plot_w_scores(values, ax=page.add_axes((0.11, 0.15, 0.87, 0.76)))
    # The paper's axis is logarithmic; ours must also show where a bounded network is the better one.
    ax.set_yscale("symlog", linthresh=1.0)
    ticks = [tick for tick in (-100, -10, -1, 0, 1, 10, 100) if ax.get_ylim()[0] <= tick <= ax.get_ylim()[1]]
    ax.set_yticks(ticks, [str(tick) for tick in ticks])
    ax.axhline(0, color=PALE, linewidth=1)
    recolour(ax, found.bounded)
    ax.set_ylabel(f"{ax.get_ylabel()} (symlog: linear below 1)")
    ax.set_title(
        f"{experiment.title}: loss against the best score without a limit (lower is better)",
        size=10,
        color=INK,
    )
    return page


def curves(experiment: Experiment, record: Record) -> Figure | None:
    """The median W-score over time on a few tables of an experiment, at its middle treewidth."""
    found = Results(record.runs[experiment.name])
    chosen = [
        next((name for name in found.sources if family(name) == one), None) for one in experiment.curves
    ]
    sources = [name for name in chosen if name is not None]
    if not sources:
        return None
    k = found.bounds[len(found.bounds) // 2]
    page = Figure(figsize=(4.3 * len(sources), 3.9), dpi=DPI, layout="constrained")
    for ax, source in zip(page.subplots(1, len(sources), squeeze=False)[0], sources, strict=True):
        best, ends = found.unbounded(source), [1.0]
        for method in found.bounded:
            line = median_losses(found.runs_of(source, method, k), best)
            if line:
                ax.step(*zip(*line, strict=True), where="post", color=COLOURS[method], linewidth=1.6)
                look = {"color": COLOURS[method], "marker": MARKS[method], "label": name_of(method)}
                ax.plot(*line[-1], markersize=6, **look)
                ends.append(line[-1][1])
        ax.set_xscale("log")
        ax.set_yscale("symlog", linthresh=LINEAR_BELOW)
        low, high = min(-LINEAR_BELOW / 3, 2 * min(ends)), 4 * max(ends)
        ticks = [tick for tick in LOSS_TICKS if low <= tick <= high]
        ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        ax.set_ylim(low, high)
        ax.minorticks_off()
        first, last = ax.get_xlim()
        if last / first < FEW_DECADES:
            ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.xaxis.set_major_formatter("{x:g}")
        scale = f"W-score, percent (symlog: linear below {LINEAR_BELOW:g})"
        style(ax, "seconds (log scale)", scale if source == sources[0] else "")
        ax.set_title(f"{source.replace(' #', ', part ')}, treewidth at most {k}", size=10, color=INK)
    add_legend(page)
    return page


def median_losses(runs: list[Row], best: float | None) -> list[tuple[float, float]]:
    """The median over runs of their W-score in percent over time, from when all of them have a network."""
    if best is None or not runs or not all(run["trace"] for run in runs):
        return []
    start = max(run["trace"][0][0] for run in runs)
    times = {seconds for run in runs for seconds, _ in run["trace"]} | {run["seconds"] for run in runs}
    line = []
    for time in sorted(time for time in times if time >= start):
        scores = [[score for seconds, score in run["trace"] if seconds <= time][-1] for run in runs]
        line.append((time, 100 * w_score(median(scores), best)))
    return line
