"""What the figures of the report share: one colour and one mark per method, names, axes."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.paper._definitions import load_methods
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb, to_rgba_array
from matplotlib.figure import Figure

from treebound.plot import INK, line_styles

DPI = 150
PALE = "#9aa5b1"
MOST_IN_A_ROW = 8  # entries of a legend
# One colour per method on all pages: Okabe and Ito's.
COLOURS = {
    "s2": "#e69f00",
    "s2plus": "#d55e00",
    "kg": "#0072b2",
    "ka": "#56b4e9",
    "ka-open": "#9ad1f5",
    "ka-back": "#004c6d",
    "s2-sampled": "#f0e442",
    "regrow": "#009e73",
    "kmax": "#cc79a7",
    "hc-et": "#7f3c8d",
    "exact-ilp": "#000000",
}
MARKS = {
    "s2": "v",
    "s2plus": "^",
    "kg": "o",
    "ka": "s",
    "ka-open": "p",
    "ka-back": "h",
    "s2-sampled": "<",
    "regrow": "D",
    "kmax": "P",
    "hc-et": "X",
    "exact-ilp": "*",
}


def name_of(method: str) -> str:
    """A method as figures call it."""
    return load_methods()[method].shown


def add_legend(page: Figure) -> None:
    """One legend for all panels, below them."""
    handles = {
        label: handle
        for panel in page.axes
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    columns = len(handles) if len(handles) <= MOST_IN_A_ROW else -(-len(handles) // 2)
    page.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower center",
        ncols=columns,
        frameon=False,
        labelcolor=INK,
    )


def style(ax: Axes, across: str, up: str) -> None:
    """Name the axes, and keep them quiet."""
    ax.set_xlabel(across, size=9, color=INK)
    ax.set_ylabel(up, size=9, color=INK)
    ax.tick_params(colors=INK, labelsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(PALE)
    ax.grid(color=PALE, alpha=0.3, linewidth=0.6)
    ax.set_axisbelow(True)


def recolour(ax: Axes, methods: Sequence[str]) -> None:
    """Give each method its own colour in a plot of the package, which counts its colours anew every time."""
    swaps = {
        to_rgb(look["color"]): COLOURS[m] for look, m in zip(line_styles(len(methods)), methods, strict=True)
    }
    for artist in ax.get_children():
        for part in ("color", "edgecolor", "facecolor"):
            getter = getattr(artist, f"get_{part}", None)
            if getter is None:
                continue
            for red, green, blue, alpha in to_rgba_array(getter())[:1].tolist():
                if (new := swaps.get((red, green, blue))) is not None:
                    getattr(artist, f"set_{part}")((*to_rgb(new), alpha))
