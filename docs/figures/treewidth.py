"""Draws treewidth.svg: a network of six variables, its moral graph and its tree decomposition."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

import treebound as tb
from treebound.plot import ACCENT, FAINT, INK, ramp

PARENTS = {
    "Burglary": (),
    "Earthquake": (),
    "Alarm": ("Burglary", "Earthquake"),
    "Radio": ("Earthquake",),
    "John calls": ("Alarm",),
    "Mary calls": ("Alarm",),
}
PLACES = {
    "Burglary": (0.0, 2.0),
    "Earthquake": (2.0, 2.0),
    "Alarm": (1.0, 1.0),
    "Radio": (3.0, 1.0),
    "John calls": (0.2, 0.0),
    "Mary calls": (1.8, 0.0),
}
BAG_PLACES = {
    frozenset({"Burglary", "Earthquake", "Alarm"}): (0.5, 1.85),
    frozenset({"Earthquake", "Radio"}): (2.7, 1.85),
    frozenset({"Alarm", "Mary calls"}): (0.5, 0.55),
    frozenset({"Alarm", "John calls"}): (2.7, 0.55),
}
STRONG, PALE_STRONG = ramp()(0.25), "#eef3f8"
WIDEST, PALE_WIDEST = ramp()(0.85), "#f7fcec"


def draw() -> Figure:
    """Draw the three panels next to each other."""
    structure = tb.Structure.from_parents(PARENTS)
    page = Figure(figsize=(11, 3.5), facecolor="white")
    titles = ("A network", "Its moral graph: parents are joined", "Its tree decomposition")
    for place, title in enumerate(titles):
        ax = page.add_axes((0.005 + 0.333 * place, 0.10, 0.325, 0.78))
        ax.set(xlim=(-0.75, 3.65), ylim=(-0.4, 2.45))
        ax.axis("off")
        ax.set_title(title, size=11, color=INK, pad=6)
    network, moral, tree = page.axes
    families = [(parent, child) for child, parents in PARENTS.items() for parent in parents]
    _joined(network, families, "-|>")
    _joined(moral, families, "-")
    _joined(moral, _married(), "-", colour=ACCENT, line=(0, (4, 2)))
    for ax in (network, moral):
        for name, place in PLACES.items():
            _box(ax, name, place, STRONG, PALE_STRONG)
    _decomposition(tree, structure)
    return page


def _married() -> list[tuple[str, str]]:
    """Parents of a common child that no arc joins."""
    return [
        (first, second)
        for parents in PARENTS.values()
        for place, second in enumerate(parents)
        for first in parents[:place]
        if first not in PARENTS[second] and second not in PARENTS[first]
    ]


def _joined(
    ax: Axes, pairs: Iterable[tuple[str, str]], style: str, colour: object = STRONG, line: object = "-"
) -> None:
    for start, end in pairs:
        ax.add_patch(
            FancyArrowPatch(
                PLACES[start],
                PLACES[end],
                arrowstyle=style,
                mutation_scale=12,
                shrinkA=14,
                shrinkB=14,
                color=colour,
                linewidth=1.3,
                linestyle=line,
                zorder=1,
            )
        )


def _decomposition(ax: Axes, structure: tb.Structure) -> None:
    witness = structure.witness
    bags = [frozenset(structure.names[v] for v in bag) for bag in witness.bags]
    for start, end in witness.edges:
        (x0, y0), (x1, y1) = BAG_PLACES[bags[start]], BAG_PLACES[bags[end]]
        ax.plot([x0, x1], [y0, y1], color=FAINT, linewidth=1.3, zorder=1)
        shared = ", ".join(sorted(bags[start] & bags[end]))
        across, up = (0.1, 0.0) if x0 == x1 else (-0.3, 0.12)
        place = (x0 + x1) / 2 + across, (y0 + y1) / 2 + up
        ax.text(*place, shared, size=8, color="#5b6775", style="italic", va="center")
    largest = max(bags, key=len)
    for bag in bags:
        names = "\n".join(name for name in PARENTS if name in bag)
        colours = (WIDEST, PALE_WIDEST) if bag is largest else (STRONG, PALE_STRONG)
        _box(ax, names, BAG_PLACES[bag], *colours)
    size = len(largest)
    words = f"Largest bag = cost of a query: {size} variables.\nTreewidth = {size} - 1 = {size - 1}."
    ax.text(1.6, -0.55, words, size=9.5, color=INK, ha="center", linespacing=1.4)


def _box(ax: Axes, text: str, place: tuple[float, float], edge: object, face: str) -> None:
    look = {"boxstyle": "round,pad=0.4", "facecolor": face, "edgecolor": edge, "linewidth": 1.2}
    ax.text(*place, text, size=9, color=INK, ha="center", va="center", bbox=look, linespacing=1.3, zorder=2)


if __name__ == "__main__":
    tb.plot.save_figure(draw().axes[0], pathlib.Path(__file__).with_name("treewidth.svg"))
