"""Draws overview.svg and overview-narrow.svg: a network learned from a table, and its tree decomposition."""

from __future__ import annotations

import pathlib

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import treebound as tb
from treebound.plot import INK


def commuting() -> tb.BayesianNetwork:
    """Return a network about the way to work; its numbers are invented."""
    return tb.BayesianNetwork.from_tables(
        {
            "Season": [0.25, 0.25, 0.25, 0.25],
            "Daylight": [[0.8, 0.2], [0.4, 0.6], [0.1, 0.9], [0.5, 0.5]],
            "Temperature": [[0.6, 0.3, 0.1], [0.3, 0.4, 0.3], [0.1, 0.3, 0.6], [0.3, 0.5, 0.2]],
            "Rain": [[0.55, 0.45], [0.65, 0.35], [0.8, 0.2], [0.5, 0.5]],
            "Wind": [[0.8, 0.2], [0.4, 0.6]],
            "Cycling": [
                [[0.7, 0.3], [0.4, 0.6], [0.15, 0.85]],
                [[0.95, 0.05], [0.8, 0.2], [0.7, 0.3]],
            ],
            "Traffic": [[[0.5, 0.5], [0.8, 0.2]], [[0.2, 0.8], [0.5, 0.5]]],
            "Bus delay": [[0.85, 0.15], [0.4, 0.6]],
            "Late": [[[0.85, 0.15], [0.9, 0.1]], [[0.3, 0.7], [0.75, 0.25]]],
            "Coffee": [[0.3, 0.7], [0.7, 0.3]],
            "Mood": [[[0.5, 0.5], [0.2, 0.8]], [[0.8, 0.2], [0.45, 0.55]]],
        },
        parents={
            "Daylight": ["Season"],
            "Temperature": ["Season"],
            "Rain": ["Season"],
            "Wind": ["Rain"],
            "Cycling": ["Rain", "Temperature"],
            "Traffic": ["Rain", "Cycling"],
            "Bus delay": ["Traffic"],
            "Late": ["Bus delay", "Cycling"],
            "Coffee": ["Late"],
            "Mood": ["Late", "Coffee"],
        },
    )


def draw(*, is_narrow: bool = False) -> Figure:
    """Learn from 20,000 sampled rows and draw what was found; a narrow page stacks the pictures."""
    table = commuting().sample(20_000, seed=1)
    learned = tb.learn(table, max_treewidth=2, budget=tb.Budget(steps=500)).structure.tightened()
    page = Figure(figsize=(5.6, 8.8) if is_narrow else (11, 4.4), facecolor="white")
    above, below = (0.0, 0.51, 1.0, 0.43), (0.0, 0.01, 1.0, 0.43)
    left, right = (0.0, 0.01, 0.48, 0.86), (0.51, 0.01, 0.485, 0.86)
    network = tb.plot.plot_structure(learned, ax=page.add_axes(above if is_narrow else left))
    tree = tb.plot.plot_tree_decomposition(learned, ax=page.add_axes(below if is_narrow else right))
    largest = max(map(len, learned.witness.bags))
    _caption(network, "A network learned from a table")
    _caption(tree, f"Its tree decomposition: at most {largest} variables per bag, so treewidth {largest - 1}")
    return page


def _caption(ax: Axes, text: str) -> None:
    ax.set_title(text, size=11, color=INK, pad=8)


if __name__ == "__main__":
    for name, is_narrow in (("overview.svg", False), ("overview-narrow.svg", True)):
        tb.plot.save_figure(draw(is_narrow=is_narrow).axes[0], pathlib.Path(__file__).with_name(name))
