"""Parts of a network that are small enough to draw as cards: a neighbourhood, a Markov blanket, a path."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from treebound.explorer._layers import layered
from treebound.explorer._packing import integers
from treebound.network import BayesianNetwork

MOST_CARDS = 80
_FULL_UP_TO = 14  # cards with all their states; more are drawn with a line each
_MOST_STATES = 10
_WIDTHS = (168.0, 184.0)  # pixels, of cards with one line and with all states
_GAPS = (30.0, 46.0)  # between layers of such cards
_LINE, _HEAD = 17.0, 30.0


def part(network: BayesianNetwork, kind: str, names: Sequence[str], distance: int) -> dict[str, Any]:
    """The variables of a part, placed in layers; of large parts those nearest to the first variable."""
    chosen = _chosen(network, kind, [network.schema.position(name) for name in names], distance)
    return drawing(network, sorted(chosen[:MOST_CARDS]), left_out=max(0, len(chosen) - MOST_CARDS))


def drawing(network: BayesianNetwork, chosen: list[int], left_out: int = 0) -> dict[str, Any]:
    """Cards and arcs among some variables."""
    number = {v: i for i, v in enumerate(chosen)}
    arcs = [(number[p], number[v]) for v in chosen for p in network.parent_indices[v] if p in number]
    is_full = len(chosen) <= _FULL_UP_TO
    sizes = [(_WIDTHS[is_full], _height(network.schema[v].cardinality, is_full)) for v in chosen]
    drawn = layered(arcs, sizes, _GAPS[is_full])
    return {
        "variables": integers(chosen),
        "full": is_full,
        "sizes": sizes,
        "points": drawn.points.tolist(),
        "arcs": arcs,
        "bends": drawn.bends,
        "left_out": left_out,
    }


def _height(cardinality: int, is_full: bool) -> float:
    lines = min(cardinality, _MOST_STATES) + (cardinality > _MOST_STATES)
    return _HEAD + _LINE * lines + 8 if is_full else _HEAD + 12


def _chosen(network: BayesianNetwork, kind: str, centres: list[int], distance: int) -> list[int]:
    """The variables, the nearest to the first first."""
    schema = network.schema
    if kind == "whole":
        return list(range(len(schema)))
    if kind == "blanket":
        blanket = [name for v in centres for name in network.markov_blanket(schema.names[v])]
        return list(dict.fromkeys([*centres, *map(schema.position, blanket)]))
    near = _neighbours(network)
    if kind == "path" and len(centres) == 2:
        return _shortest(near, *centres)
    away = _distances(near, centres)
    return [v for v, steps in away.items() if steps <= distance]


def _neighbours(network: BayesianNetwork) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in network.parent_indices]
    for parent, child in network.arc_indices:
        near[parent].append(child)
        near[child].append(parent)
    return near


def _distances(near: list[list[int]], sources: Sequence[int]) -> dict[int, int]:
    """Arcs to the nearest source, whatever their direction, of all that can be reached, the nearest first."""
    away = dict.fromkeys(sources, 0)
    waiting = deque(sources)
    while waiting:
        v = waiting.popleft()
        for u in near[v]:
            if u not in away:
                away[u] = away[v] + 1
                waiting.append(u)
    return away


def _shortest(near: list[list[int]], a: int, b: int) -> list[int]:
    """All variables on a shortest path between two, or just these if nothing joins them."""
    from_a, from_b = _distances(near, [a]), _distances(near, [b])
    if b not in from_a:
        return [a, b]
    return [v for v, steps in from_a.items() if v in from_b and steps + from_b[v] == from_a[b]]
