"""Draws tutorial.png: the network of the five-minute tutorial."""

from __future__ import annotations

import pathlib

from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer

import treebound as tb


def draw() -> Figure:
    """Learn the network as the tutorial does, and draw it."""
    source = load_breast_cancer(as_frame=True)
    cells = source.data.filter(like="mean").rename(columns=lambda name: name.removeprefix("mean "))
    cells["diagnosis"] = source.target_names[source.target]
    data = tb.load(cells, discretise="quantile:3")
    result = tb.learn(data, max_treewidth=2, budget=tb.Budget(steps=200))
    return tb.plot.plot_structure(result).get_figure(root=True)


if __name__ == "__main__":
    draw().savefig(pathlib.Path(__file__).with_suffix(".png"), dpi=110)
