"""Draws hidden.svg: five symptoms with and without the hidden disease behind them."""

from __future__ import annotations

import math
import pathlib
from collections.abc import Iterable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch
from matplotlib.text import Text

import treebound as tb
from treebound.plot import ACCENT, INK, ramp

SYMPTOMS = ("Fever", "Cough", "Fatigue", "Rash", "Headache")
PLACES = {
    name: (1.5 * math.sin(2 * math.pi * place / len(SYMPTOMS)), math.cos(2 * math.pi * place / len(SYMPTOMS)))
    for place, name in enumerate(SYMPTOMS)
} | {"Disease": (0.0, 0.0)}
STRONG, PALE, PALE_HIDDEN = ramp()(0.25), "#eef3f8", "#fdeee6"


def draw() -> Figure:
    """Draw both networks next to each other."""
    every = [(a, b) for place, b in enumerate(SYMPTOMS) for a in SYMPTOMS[:place]]
    star = [("Disease", symptom) for symptom in SYMPTOMS]
    page = Figure(figsize=(8, 3.4), facecolor="white")
    for place, (title, arcs) in enumerate((("Symptoms alone", every), ("With a hidden disease", star))):
        width = tb.Structure.from_parents(_parents(arcs)).treewidth
        ax = page.add_axes((0.01 + 0.5 * place, 0.02, 0.48, 0.84))
        ax.set(xlim=(-2.2, 2.2), ylim=(-1.15, 1.3))
        ax.axis("off")
        ax.set_title(f"{title}: {len(arcs)} arcs, treewidth {width}", size=11, color=INK, pad=6)
        _network(ax, arcs)
    return page


def _parents(arcs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    parents: dict[str, list[str]] = {}
    for parent, child in arcs:
        parents.setdefault(parent, [])
        parents.setdefault(child, []).append(parent)
    return parents


def _network(ax: Axes, arcs: list[tuple[str, str]]) -> None:
    boxes = {name: _box(ax, name) for name in _parents(arcs)}
    for parent, child in arcs:
        # Drawn after the boxes, when their outlines are known: arcs end there.
        arc = FancyArrowPatch(
            PLACES[parent],
            PLACES[child],
            patchA=boxes[parent].get_bbox_patch(),
            patchB=boxes[child].get_bbox_patch(),
            arrowstyle="-|>",
            mutation_scale=12,
            shrinkA=2,
            shrinkB=2,
            color=ACCENT if parent == "Disease" else STRONG,
            linewidth=1.3,
            zorder=4,
        )
        ax.add_patch(arc)


def _box(ax: Axes, name: str) -> Text:
    is_hidden = name == "Disease"
    box = {
        "boxstyle": "round,pad=0.4",
        "facecolor": PALE_HIDDEN if is_hidden else PALE,
        "edgecolor": ACCENT if is_hidden else STRONG,
        "linestyle": "--" if is_hidden else "-",
        "linewidth": 1.2,
    }
    return ax.text(*PLACES[name], name, size=9, color=INK, ha="center", va="center", bbox=box, zorder=2)


if __name__ == "__main__":
    tb.plot.save_figure(draw().axes[0], pathlib.Path(__file__).with_name("hidden.svg"))
