"""Draws network.png: the page that ``save_figure`` makes of a search, here for 300 variables."""

from __future__ import annotations

import pathlib

from PIL import Image

import treebound as tb

PATH = pathlib.Path(__file__).with_suffix(".png")


def learned() -> tb.LearnResult:
    """Learn from rows of a random network, which has known treewidth."""
    table = tb.random_network(300, max_treewidth=3, max_states=3, seed=1).sample(5_000, seed=1)
    return tb.learn(table, max_treewidth=3, budget=tb.Budget(steps=100))


if __name__ == "__main__":
    tb.plot.save_figure(learned(), PATH)
    with Image.open(PATH) as drawn:  # a palette and fewer pixels: a fifth of the bytes
        drawn.convert("RGB").resize((1350, 900), Image.Resampling.LANCZOS).quantize(192).save(
            PATH, optimize=True
        )
