"""A first picture of a tree: its centre in the middle, depth as radius, wedges shared by numbers of leaves.

No two branches cross, so forces that start from here only have to relax it, not to untangle it. The trees of
a forest stand like the seeds of a sunflower, the largest in the middle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

GOLDEN_ANGLE = pi * (3 - 5**0.5)


def radial(num_nodes: int, edges: Iterable[tuple[int, int]]) -> NDArray[np.float64]:
    """Place the nodes of a forest, each with about the same room; edges that close a cycle are ignored."""
    around: list[list[int]] = [[] for _ in range(num_nodes)]
    for a, b in edges:
        around[a].append(b)
        around[b].append(a)
    points = np.empty((num_nodes, 2))
    seated = 0
    for number, part in enumerate(_parts(around)):
        places = _tree(around, part)
        reach = sqrt(len(part)) / max(np.abs(places).max(), 1.0)
        # Those inside take as much of the disc as they have nodes; a little more, since discs leave gaps.
        away = 0.0 if number == 0 else sqrt(1.2 * seated + len(part))
        centre = away * cos(number * GOLDEN_ANGLE), away * sin(number * GOLDEN_ANGLE)
        points[part] = places * reach + np.array(centre)
        seated += len(part)
    return points


def _parts(around: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the connected parts, the largest first, each breadth first from its centre."""
    seen = [False] * len(around)
    parts = []
    for start in range(len(around)):
        if seen[start]:
            continue
        walk, above = _walk(around, start)
        for v in walk:
            seen[v] = True
        parts.append(_walk(around, _centre(walk, above))[0])
    return sorted(parts, key=len, reverse=True)


def _walk(around: Sequence[Sequence[int]], root: int) -> tuple[list[int], dict[int, int]]:
    """Return the nodes breadth first from the root, and the one above each; the root is above itself."""
    above = {root: root}
    walk = [root]
    for v in walk:
        for u in around[v]:
            if u not in above:
                above[u] = v
                walk.append(u)
    return walk, above


def _centre(walk: list[int], above: dict[int, int]) -> int:
    """Return the node without which no piece holds more than half of the tree."""
    size = dict.fromkeys(walk, 1)
    for v in reversed(walk[1:]):
        size[above[v]] += size[v]
    # The last on the walk that has half of the tree below it: each of its branches has less.
    return next(v for v in reversed(walk) if 2 * size[v] >= len(walk))


def _tree(around: Sequence[Sequence[int]], part: list[int]) -> NDArray[np.float64]:
    """Place one tree around the first of its nodes."""
    walk, above = _walk(around, part[0])
    leaves = dict.fromkeys(walk, 0)
    for v in reversed(walk):
        leaves[v] = max(leaves[v], 1)
        if v != above[v]:
            leaves[above[v]] += leaves[v]
    share = 2 * pi / leaves[walk[0]]
    depth = {walk[0]: 0}
    begin = {walk[0]: 0.0}  # of the part of the wedge that is still free for children
    angle = {walk[0]: 0.0}
    for v in walk[1:]:
        depth[v] = depth[above[v]] + 1
        begin[v] = begin[above[v]]
        begin[above[v]] += share * leaves[v]
        angle[v] = begin[v] + share * leaves[v] / 2
    return np.array([(depth[v] * cos(angle[v]), depth[v] * sin(angle[v])) for v in walk])
