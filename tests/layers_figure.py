"""Draws docs/figures/layers.svg from the imports and includes: ``python tests/layers_figure.py``.

A row per layer, the lowest at the bottom; an arc runs from what imports down to what is imported. Arcs to
the base, which nearly everything uses, are pale. There are no counts, so that the figure changes only when
a dependency between two layers comes or goes.
"""

from __future__ import annotations

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

FIGURE = ROOT / "docs" / "figures" / "layers.svg"
ROW, BOX, TOP = 34, 100, 44  # height of a row, width of a box, where the rows begin
WIDTH, COLUMN = 640, 330  # of the page, and where the second graph begins

PALE, STRONG = COLOURS = "#cccccc", "#33638d"

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


def svg() -> str:
    """Return the figure as text, the same for the same edges."""
    packages = ["base", *(layer_name(name) for names in PACKAGES[1:-1] for name in names)]
    folders = [name for names in FOLDERS for name in names]
    height = TOP + ROW * max(len(packages), len(folders)) + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="sans-serif" font-size="13" text-anchor="middle">',
        *map(tip, COLOURS),
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        *graph("imports in src/treebound", packages, import_edges(), 20, height),
        *graph("includes in core", folders, include_edges(), COLUMN, height),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def graph(title: str, names: list[str], edges: Edges, left: int, height: int) -> list[str]:
    """Return the elements of one graph: its boxes, and the arcs beside them."""
    middles = {name: height - 10 - ROW * place - ROW // 2 for place, name in enumerate(names)}
    lines = [f'<text x="{left}" y="24" text-anchor="start" font-weight="bold">{title}</text>']
    for above, below in sorted(edges, key=lambda edge: (edge[1] != "base", edge)):
        colour = PALE if below == "base" else STRONG
        lines.append(arc(left + BOX, middles[above] + 4, middles[below] - 4, colour))
    for name, middle in middles.items():
        lines.append(
            f'<rect x="{left}" y="{middle - 11}" width="{BOX}" height="22" rx="4" fill="#eef3f8" '
            f'stroke="{STRONG}"/><text x="{left + BOX // 2}" y="{middle + 5}">{name}</text>'
        )
    return lines


def tip(colour: str) -> str:
    return (
        f'<marker id="{tip_name(colour)}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{colour}"/></marker>'
    )


def tip_name(colour: str) -> str:
    return f"tip-{colour[1:]}"


def arc(x: int, start: int, end: int, colour: str) -> str:
    reach = x + 12 + 2 * (end - start) // 5
    return (
        f'<path d="M{x},{start} C{reach},{start} {reach},{end} {x + 2},{end}" fill="none" stroke="{colour}" '
        f'stroke-width="1.2" marker-end="url(#{tip_name(colour)})"/>'
    )


if __name__ == "__main__":
    FIGURE.write_text(svg())
