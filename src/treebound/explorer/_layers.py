"""A layered drawing of a small graph: parents above children, few crossings, arcs as smooth as can be.

The scheme of Sugiyama, Tagawa and Toda (1981): layers by longest paths, places for long arcs in the layers
between, orders by barycentres, and last the places: each layer comes as near to the middles of its neighbours
as the widths of its nodes allow, which is an isotonic regression and has an exact answer. Layers with many
nodes are split: a row of forty cards fits no screen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_SWEEPS = 24
_FEWEST_SPLIT = 6  # nodes that always fit into a layer
_GAP = 20.0  # pixels between nodes of a layer
_THIN = 14.0  # the width of the place that a long arc takes in a layer


@dataclass(frozen=True, eq=False)
class LayeredDrawing:
    """The middles of the nodes, and the points between their ends that each arc passes."""

    points: NDArray[np.float64]
    bends: list[list[tuple[float, float]]]


def layered(
    arcs: Sequence[tuple[int, int]], sizes: Sequence[tuple[float, float]], gap: float
) -> LayeredDrawing:
    """Place nodes of given widths and heights, with a gap between layers.

    ``arcs`` are pairs (parent, child) without a cycle.
    """
    whole = _layers(len(sizes), arcs)
    chains, links, between = _with_places(arcs, whole, len(sizes))
    layer = _split(whole, between, arcs)
    widths = [width for width, _ in sizes] + [_THIN] * (len(layer) - len(sizes))
    rows = _ordered(layer, links)
    xs = _placed(rows, links, widths)
    ys = _heights(layer, rows, sizes, gap)
    points = np.column_stack([xs[: len(sizes)], ys[: len(sizes)]])
    return LayeredDrawing(points, [[(xs[v], ys[v]) for v in chain] for chain in chains])


def _layers(num_nodes: int, arcs: Sequence[tuple[int, int]]) -> list[int]:
    """Longest paths from above; then nodes go down as far as their children allow, to shorten arcs."""
    above: list[list[int]] = [[] for _ in range(num_nodes)]
    below: list[list[int]] = [[] for _ in range(num_nodes)]
    for parent, child in arcs:
        above[child].append(parent)
        below[parent].append(child)
    left = [len(parents) for parents in above]
    order = [v for v in range(num_nodes) if not left[v]]
    layer = [0] * num_nodes
    for v in order:
        for child in below[v]:
            layer[child] = max(layer[child], layer[v] + 1)
            left[child] -= 1
            if not left[child]:
                order.append(child)
    for v in reversed(order):
        if len(below[v]) > len(above[v]):
            layer[v] = min(layer[child] for child in below[v]) - 1
    return layer


def _split(layer: list[int], between: list[int], arcs: Sequence[tuple[int, int]]) -> list[int]:
    """Layers of a limited number of nodes, and for places between nodes the first part of their layer.

    In a layer that is split, nodes with children go lower. Arcs pass behind the nodes of such parts.
    """
    most = max(_FEWEST_SPLIT, math.ceil(math.sqrt(len(layer))))
    num_children = Counter(parent for parent, _ in arcs)
    found, firsts = [0] * len(layer), [0]
    for number in range(max(layer, default=-1) + 1):
        row = sorted((v for v in range(len(layer)) if layer[v] == number), key=lambda v: num_children[v])
        num_rows = math.ceil(len(row) / most)
        for place, v in enumerate(row):
            found[v] = firsts[-1] + place * num_rows // len(row)
        firsts.append(firsts[-1] + num_rows)
    return found + [firsts[number] for number in between]


def _with_places(
    arcs: Sequence[tuple[int, int]], layer: list[int], num_nodes: int
) -> tuple[list[list[int]], list[tuple[int, int]], list[int]]:
    """Long arcs as chains of places, one in each layer that they pass; and the layers of these places."""
    chains: list[list[int]] = []
    links: list[tuple[int, int]] = []
    between: list[int] = []
    for parent, child in arcs:
        passed = range(layer[parent] + 1, layer[child])
        chain = [num_nodes + len(between) + i for i in range(len(passed))]
        between += passed
        chains.append(chain)
        links += pairwise([parent, *chain, child])
    return chains, links, between


def _ordered(layer: list[int], links: list[tuple[int, int]]) -> list[list[int]]:
    """The nodes of each layer from left to right: of all sweeps, the order with fewest crossings."""
    rows: list[list[int]] = [[] for _ in range(max(layer, default=0) + 1)]
    for v in _walk(len(layer), links):
        rows[layer[v]].append(v)
    near: list[list[int]] = [[] for _ in layer]
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    best, fewest = [list(row) for row in rows], _crossings(rows, layer, links)
    for sweep in range(_SWEEPS):
        going = range(1, len(rows)) if sweep % 2 == 0 else range(len(rows) - 2, -1, -1)
        for i in going:
            other = {v: place for place, v in enumerate(rows[i - 1 if sweep % 2 == 0 else i + 1])}
            _sort(rows[i], near, other)
        crossings = _crossings(rows, layer, links)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _walk(num_nodes: int, links: list[tuple[int, int]]) -> list[int]:
    """The nodes depth first along links of either direction: neighbours begin near each other."""
    near: list[list[int]] = [[] for _ in range(num_nodes)]
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    seen: dict[int, None] = {}
    for root in range(num_nodes):
        waiting = [root]
        while waiting:
            v = waiting.pop()
            if v not in seen:
                seen[v] = None
                waiting += reversed(near[v])
    return list(seen)


def _sort(row: list[int], near: list[list[int]], other: dict[int, int]) -> None:
    """Order a layer by the mean places of its neighbours in the other; those without any stay."""
    middle = {}
    for place, v in enumerate(row):
        places = [other[u] for u in near[v] if u in other]
        middle[v] = sum(places) / len(places) if places else float(place)
    row.sort(key=lambda v: middle[v])


def _crossings(rows: list[list[int]], layer: list[int], links: list[tuple[int, int]]) -> int:
    place = {v: i for row in rows for i, v in enumerate(row)}
    total = 0
    for i in range(len(rows) - 1):
        ends = np.array(sorted((place[a], place[b]) for a, b in links if layer[a] == i)).reshape(-1, 2)
        total += int(
            np.sum(np.triu(ends[:, None, 1] > ends[None, :, 1], 1) & (ends[:, None, 0] < ends[None, :, 0]))
        )
    return total


def _placed(rows: list[list[int]], links: list[tuple[int, int]], widths: list[float]) -> NDArray[np.float64]:
    """Horizontal places: sweeps that bring each node to the middle of its neighbours."""
    xs = np.zeros(len(widths))
    for row in rows:
        xs[row] = _spread(np.zeros(len(row)), [widths[v] for v in row])
    near: list[list[int]] = [[] for _ in widths]
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    for sweep in range(2 * _SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = np.array([xs[near[v]].mean() if near[v] else xs[v] for v in row])
            xs[row] = _spread(wanted, [widths[v] for v in row])
    return xs


def _spread(wanted: NDArray[np.float64], widths: list[float]) -> NDArray[np.float64]:
    """The places nearest to the wanted ones, in squares, at which nodes do not touch."""
    half = np.array(widths) / 2
    room = np.concatenate([[0.0], np.cumsum(half[:-1] + half[1:] + _GAP)])
    return np.asarray(isotonic(wanted - room) + room)


def isotonic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ascending sequence nearest to the values, in squares: neighbours in the wrong order are pooled."""
    pools: list[tuple[float, int]] = []
    for value in values.tolist():
        mean, count = value, 1
        while pools and pools[-1][0] > mean:
            before, size = pools.pop()
            mean, count = (mean * count + before * size) / (count + size), count + size
        pools.append((mean, count))
    return np.repeat([mean for mean, _ in pools], [count for _, count in pools])


def _heights(
    layer: list[int], rows: list[list[int]], sizes: Sequence[tuple[float, float]], gap: float
) -> NDArray[np.float64]:
    """Vertical middles: each layer is as high as its highest node."""
    middles, top = [], 0.0
    for row in rows:
        height = max((sizes[v][1] for v in row if v < len(sizes)), default=0.0)
        middles.append(top + height / 2)
        top += height + gap
    return np.array([middles[i] for i in layer])
