"""Draws regrow.png: one move of Regrow on a network of nine variables with treewidth bound 2.

Only the families, the orders and the gains are invented; bags and trees follow from them.
"""

from __future__ import annotations

import pathlib
from dataclasses import dataclass, field

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from treebound.plot import ACCENT, FAINT, INK, ramp

BOUND = 2
FRESH = ramp()(0.62)
QUIET = "#eef1f4"
# Gain of each family over no parents, for those that the move touches.
GAINS = {"H:E": 5, "H:EG": 14, "D:BC": 9, "F:AC": 8, "F:CE": 5}
UNTOUCHED = {"A": "", "B": "A", "C": "AB", "E": "CD", "G": "F", "I": "D"}
PLACES = {
    "A": (0, 3),
    "B": (1.5, 3),
    "C": (0.75, 2),
    "D": (2.25, 2),
    "I": (3.6, 2),
    "F": (-0.5, 1),
    "E": (2.25, 1),
    "G": (-0.1, 0),
    "H": (1.8, 0),
}


@dataclass(frozen=True)
class Panel:
    """A moment of the move: the parents, and an order of elimination that keeps the bound."""

    title: str
    text: str
    touched: dict[str, str]
    order: str
    released: str = ""
    fresh: str = ""  # variables with new parents
    again: str = ""  # path eliminated again
    target: tuple[str, str] | None = None
    parents: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parents", UNTOUCHED | self.touched)

    @property
    def gain(self) -> int:
        """Score of the families that the move touches."""
        return sum(GAINS[f"{v}:{parents}"] for v, parents in self.touched.items() if parents)

    def separators(self) -> dict[str, str]:
        """Neighbours of each variable when it is eliminated, the next to be eliminated first."""
        cliques = [{v, *parents} for v, parents in self.parents.items()]
        result = {}
        for v in self.order:
            met = set().union(*(c for c in cliques if v in c)) - {v}
            cliques = [c for c in cliques if v not in c] + [met]
            result[v] = "".join(sorted(met, key=self.order.index))
        assert max(map(len, result.values())) <= BOUND
        return result


PANELS = [
    Panel(
        "1  A blocked target set",
        "H would gain from G as a second\nparent, but no bag of three can\nhold E, G and H together.",
        {"D": "BC", "F": "AC", "H": "E"},
        "HGIEFDABC",
        target=("G", "H"),
        again="HEDBAFG",
    ),
    Panel(
        "2  Release",
        "H, and D and F from the tree path\nbetween E, G and H, lose their\nparents. Bags shrink at once.",
        {"D": "", "F": "", "H": ""},
        "HGIEFDABC",
        released="DFH",
    ),
    Panel(
        "3  Cover the target set",
        "Only the path that joins E, G and H\nis eliminated again. Now a bag\nholds the target set.",
        {"D": "", "F": "", "H": "EG"},
        "FHGEIDABC",
        released="DF",
        fresh="H",
        again="FHGE",
    ),
    Panel(
        "4  Grow again",
        "D and F take the best sets that\nclose no cycle and are covered:\nD the old ones, F new. It gains.",
        {"D": "BC", "F": "CE", "H": "EG"},
        "HGFEIDABC",
        fresh="DFH",
    ),
]


def draw_network(axes: Axes, panel: Panel) -> None:
    """Variables and arcs."""
    arcs = [(p, v, FRESH if v in panel.fresh else INK, "-") for v, ps in panel.parents.items() for p in ps]
    if panel.target:
        arcs.append((*panel.target, ACCENT, (0, (3, 2))))
    for parent, child, colour, line in arcs:
        strong = colour is not INK
        arrow = FancyArrowPatch(
            PLACES[parent],
            PLACES[child],
            arrowstyle="-|>",
            mutation_scale=9,
            shrinkA=9.5,
            shrinkB=9.5,
            color=colour if strong else "#5b6775",
            linewidth=1.8 if strong else 1.0,
            linestyle=line,
        )
        axes.add_patch(arrow)
    for v, place in PLACES.items():
        edge, face = look(panel, v)
        axes.plot(*place, "o", markersize=18, markerfacecolor=face, markeredgecolor=edge, markeredgewidth=1.4)
        axes.text(*place, v, ha="center", va="center_baseline", fontsize=10, color=INK)
    axes.set(xlim=(-1.1, 4.2), ylim=(-0.5, 3.5))


def look(panel: Panel, v: str) -> tuple[object, str]:
    """Colours of the edge and of the face of a variable."""
    if v in panel.released or (panel.target and v == panel.target[1]):
        return ACCENT, "#fdeee6"
    return (FRESH, "#e3f4ee") if v in panel.fresh else (INK, "white")


def draw_tree(axes: Axes, panel: Panel) -> None:
    """The elimination tree: each variable with its bag, the last to leave on top."""
    above = panel.separators()
    places = tree_places(above)
    for v, members in above.items():
        x, y = places[v]
        if members:
            up = places[members[0]]
            on_path = v in panel.again and members[0] in panel.again
            colour, width = (INK, 3) if on_path else (FAINT, 1.2)
            axes.plot([x, up[0]], [y, up[1]], color=colour, linewidth=width, zorder=1)
        edge, face = look(panel, v)
        box = {
            "boxstyle": "round,pad=0.32",
            "facecolor": face if face != "white" else QUIET,
            "edgecolor": edge,
        }
        box["linewidth"] = 1.4 if edge is not INK or v in panel.again else 0.0
        bag = rf"$\bf{{{v}}}$" + (f" {' '.join(sorted(members))}" if members else "")
        axes.text(x, y, bag, ha="center", va="center", fontsize=9.5, color=INK, bbox=box, zorder=2)
    axes.set(xlim=(-1.75, 1.75), ylim=(-6.4, 0.5))


def tree_places(above: dict[str, str]) -> dict[str, tuple[float, float]]:
    """Leaves side by side, parents over the middle of their children."""
    below: dict[str, list[str]] = {v: [] for v in above}
    for v in sorted(above):
        if above[v]:
            below[above[v][0]].append(v)
    places: dict[str, tuple[float, float]] = {}
    num_leaves = 0

    def place(v: str, depth: int) -> float:
        nonlocal num_leaves
        xs = [place(child, depth + 1) for child in below[v]]
        if not xs:
            xs = [float(num_leaves)]
            num_leaves += 1
        places[v] = (sum(xs) / len(xs), -float(depth))
        return places[v][0]

    for v in above:
        if not above[v]:
            place(v, 0)
    middle = (num_leaves - 1) / 2
    return {v: ((x - middle) * min(1, 2.8 / (2 * middle)), y) for v, (x, y) in places.items()}


def draw() -> Figure:
    """Draw the panels next to each other."""
    mpl.rcParams |= {"font.family": "DejaVu Sans", "mathtext.fontset": "dejavusans"}
    figure, grid = plt.subplots(
        2, 4, figsize=(12, 7.4), gridspec_kw={"height_ratios": [1, 1.35], "hspace": 0.02, "wspace": 0.04}
    )
    figure.subplots_adjust(left=0.035, right=0.995, top=0.80, bottom=0.065)
    for column, panel in enumerate(PANELS):
        top, bottom = grid[:, column]
        draw_network(top, panel)
        draw_tree(bottom, panel)
        for axes in (top, bottom):
            axes.axis("off")
        x = top.get_position().x0 + 0.012
        figure.text(x, 0.965, panel.title, fontsize=13, weight="bold", color=INK, va="top")
        figure.text(x, 0.918, panel.text, fontsize=10.5, color=INK, va="top", linespacing=1.3)
        change = panel.gain - PANELS[0].gain
        words = f"score {change:+d}".replace("-", "\N{MINUS SIGN}") if column else "score before the move"
        colour = INK if not column else FRESH if change > 0 else ACCENT
        figure.text(x, 0.03, words, fontsize=12, weight="bold", color=colour)
        if column:
            left = top.get_position().x0 - 0.003
            figure.add_artist(plt.Line2D([left, left], [0.03, 0.965], color=FAINT, lw=0.6))
    for axes, words in zip(grid[:, 0], ("network", "elimination tree and bags"), strict=True):
        middle = (axes.get_position().y0 + axes.get_position().y1) / 2
        figure.text(
            0.012, middle, words, rotation=90, ha="center", va="center", fontsize=10.5, color="#5b6775"
        )
    return figure


if __name__ == "__main__":
    draw().savefig(pathlib.Path(__file__).with_suffix(".png"), dpi=150, facecolor="white")
