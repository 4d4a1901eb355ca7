"""Draws docs/figures/layers.svg from the imports and includes: ``python tests/layers_figure.py``.

A block per layer, each above all that it imports or includes. Only arcs that do not follow from others are
drawn: a layer may also use everything below that its arcs lead to. There are no counts, so the figure changes
only when a dependency comes or goes.
"""

from __future__ import annotations

from itertools import pairwise

from layers import (
    FOLDERS,
    PACKAGES,
    ROOT,
    core_files,
    folder_of,
    imported_modules,
    included_headers,
    module_of,
    package_of,
    python_files,
)
from treebound.explorer._layers import layered

FIGURE = ROOT / "docs" / "figures" / "layers.svg"
BOX, GAP, TOP, MARGIN = (104, 28), 28, 56, 24  # size of a block, between rows, above the blocks, at the sides

INK, LINE, FACE = "#1f2933", "#3b518b", "#eef3f8"

Edges = set[tuple[str, str]]


def import_edges() -> Edges:
    """Pairs of layers (importer, imported); the front of the package, which re-exports all, is left out."""
    pairs = (
        (layer_name(package_of(module_of(path))), layer_name(package_of(module)))
        for path in python_files()
        for module in imported_modules(path)
    )
    return {(a, b) for a, b in pairs if a != b and a and b}


def layer_name(package: str) -> str:
    if package in PACKAGES[0]:
        return "base"
    return "" if package == "__main__" else package.lstrip("_")


def include_edges() -> Edges:
    """Pairs of folders (includer, included)."""
    pairs = (
        (folder_of(path), header.split("/")[0])
        for path in core_files()
        for header in included_headers(path)
        if "/" in header
    )
    return {(a, b) for a, b in pairs if a != b}


def reduced(edges: Edges) -> Edges:
    """The edges that do not follow from two or more others."""
    below: dict[str, set[str]] = {}
    for a, b in edges:
        below.setdefault(a, set()).add(b)

    def reached(starts: set[str]) -> set[str]:
        return set().union(*({b} | reached(below.get(b, set())) for b in starts))

    return {(a, b) for a, b in edges if b not in reached(below[a] - {b})}


def svg() -> str:
    """Return the figure as text, the same for the same edges."""
    packages = ["base", *(layer_name(name) for names in PACKAGES[1:-1] for name in names)]
    folders = [name for names in FOLDERS for name in names]
    graphs = (
        ("imports in src/treebound", packages, import_edges()),
        ("includes in core", folders, include_edges()),
    )
    parts, left, height = [], MARGIN, 0
    for title, names, edges in graphs:
        lines, width, depth = graph(title, sorted(names), reduced(edges), left)
        parts += lines
        left, height = left + width + 2 * MARGIN, max(height, depth)
    width, height = left - MARGIN, height + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" '
            f'text-anchor="middle" fill="{INK}">',
            '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{LINE}"/></marker>',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            *parts,
            "</svg>\n",
        ]
    )


def graph(title: str, names: list[str], edges: Edges, left: int) -> tuple[list[str], int, int]:
    """Return the elements of one graph, its width, and how far down it reaches."""
    arcs = sorted((names.index(a), names.index(b)) for a, b in edges)
    drawing = layered(arcs, [BOX] * len(names), GAP)
    (across, up), (right, down) = drawing.points.min(axis=0), drawing.points.max(axis=0)
    half_width, half_height = BOX[0] // 2, BOX[1] // 2
    shift = left + half_width - across, TOP + half_height - up
    places = [(round(x + shift[0]), round(y + shift[1])) for x, y in drawing.points]
    lines = [f'<text x="{left}" y="28" text-anchor="start" font-weight="bold">{title}</text>']
    for (a, b), bends in zip(arcs, drawing.bends, strict=True):
        (x0, y0), (x1, y1) = places[a], places[b]
        between = [(round(x + shift[0]), round(y + shift[1])) for x, y in bends]
        lines.append(arc([(x0, y0 + half_height), *between, (x1, y1 - half_height)]))
    for name, (x, y) in zip(names, places, strict=True):
        lines.append(
            f'<rect x="{x - half_width}" y="{y - half_height}" width="{BOX[0]}" height="{BOX[1]}" rx="5" '
            f'fill="{FACE}" stroke="{LINE}" stroke-width="1.2"/><text x="{x}" y="{y + 5}">{name}</text>'
        )
    return lines, round(right - across) + BOX[0], round(down - up) + TOP + BOX[1]


def arc(points: list[tuple[int, int]]) -> str:
    """Return a line through the points, upright at each of them."""
    path = f"M{points[0][0]},{points[0][1]}"
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (y0 + y1) // 2
        path += f" C{x0},{middle} {x1},{middle} {x1},{y1}"
    return f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="1.3" marker-end="url(#tip)"/>'


if __name__ == "__main__":
    FIGURE.write_text(svg())
