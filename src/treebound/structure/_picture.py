"""A small picture of a structure for notebooks: parents above children, as SVG without any library.

Rows are numbers of arcs on the longest way from a root; inside a row variables stand by the mean place of
their parents (one sweep of Sugiyama's method). ``plot_structure`` draws larger structures, and better.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from treebound._html import escaped
from treebound.structure._graph import Parents, topological_order

MOST_VARIABLES = 40
_WIDTH, _ROW, _TOP, _RADIUS = 640.0, 64.0, 16.0, 5.0
_MOST_LETTERS = 90.0  # in a row of names


def picture(parents: Parents, names: Sequence[str]) -> str:
    """The picture, or nothing if there are too many variables or a cycle."""
    order = topological_order(parents)
    if order is None or len(names) > MOST_VARIABLES:
        return ""
    places = _places(parents, order)
    height = max(y for _, y in places) + 2 * _TOP
    tip = f"tip-{uuid4().hex[:12]}"
    arcs = "".join(_arc(places[p], places[v], tip) for v, chosen in enumerate(parents) for p in chosen)
    dots = "".join(_dot(place, name, _room(places, place)) for place, name in zip(places, names, strict=True))
    marker = (
        f'<marker id="{tip}" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" '
        'orient="auto"><path d="M0,0L6,3L0,6z" fill="#6b7785"/></marker>'
    )
    size = f'width="{_WIDTH:.0f}" height="{height:.0f}"'
    return f'<svg {size} font-family="sans-serif"><defs>{marker}</defs>{arcs}{dots}</svg>'


def _places(parents: Parents, order: Sequence[int]) -> list[tuple[float, float]]:
    depth = [0] * len(parents)
    for v in order:
        depth[v] = max((depth[p] + 1 for p in parents[v]), default=0)
    places = [(0.0, 0.0)] * len(parents)
    for level in range(max(depth) + 1):
        row = [v for v in order if depth[v] == level]
        row.sort(key=lambda v: sum(places[p][0] for p in parents[v]) / max(len(parents[v]), 1))
        for number, v in enumerate(row):
            places[v] = (_WIDTH * (number + 0.5) / len(row), _TOP + _ROW * level)
    return places


def _arc(start: tuple[float, float], end: tuple[float, float], tip: str) -> str:
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    share = (_RADIUS + 1) / length
    x1, y1, x2, y2 = (
        x1 + share * (x2 - x1),
        y1 + share * (y2 - y1),
        x2 - share * (x2 - x1),
        y2 - share * (y2 - y1),
    )
    # A bow, so an arc over several rows does not run through the dots between.
    bend = 0.12 * length if abs(y2 - y1) > 1.2 * _ROW else 0.0
    middle = f"{(x1 + x2) / 2 + bend:.1f},{(y1 + y2) / 2:.1f}"
    path = f"M{x1:.1f},{y1:.1f}Q{middle} {x2:.1f},{y2:.1f}"
    return f'<path d="{path}" fill="none" stroke="#6b7785" marker-end="url(#{tip})"/>'


def _room(places: Sequence[tuple[float, float]], place: tuple[float, float]) -> int:
    """How many letters of a name fit below a dot."""
    in_row = sum(1 for _, y in places if y == place[1])
    return max(2, int(_MOST_LETTERS / in_row))


def _dot(place: tuple[float, float], name: str, room: int) -> str:
    x, y = place
    short = name if len(name) <= room else f"{name[: room - 1]}…"
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" fill="#6fa8d0">'
        f"<title>{escaped(name)}</title></circle>"
        f'<text x="{x:.1f}" y="{y + 16:.1f}" font-size="10" text-anchor="middle" fill="currentColor">'
        f"{escaped(short)}</text>"
    )
