"""Communities: groups of variables with many or strong arcs inside and few outside.

The method of Louvain (Blondel et al. 2008): each node moves to the neighbouring group that raises modularity
most, groups become nodes, and again. The order of the nodes is fixed: equal networks get equal groups.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MOST_SWEEPS = 10
_WEAKEST = 0.05  # weight of an arc without any strength, compared with the strongest

Weights = list[dict[int, float]]


def communities(num_nodes: int, arcs: NDArray[np.int64], strengths: NDArray[np.float64]) -> NDArray[np.int64]:
    """The group of each node, the largest group first."""
    strongest = max(float(strengths.max(initial=0.0)), 1e-300)
    around: Weights = [{} for _ in range(num_nodes)]
    for (a, b), strength in zip(arcs.tolist(), (strengths / strongest).tolist(), strict=True):
        around[a][b] = around[b][a] = around[a].get(b, 0.0) + _WEAKEST + strength
    loops = [0.0] * num_nodes
    group = np.arange(num_nodes)
    while True:
        moved = _moved(around, loops)
        if len(set(moved)) == len(around):
            return _by_size(group)
        around, loops, number = _merged(around, loops, moved)
        group = np.array([number[moved[v]] for v in group.tolist()])


def _moved(around: Weights, loops: list[float]) -> list[int]:
    """The group of each node after moves of single nodes, groups being named by one of their nodes."""
    degree = [sum(near.values()) + 2 * loop for near, loop in zip(around, loops, strict=True)]
    total = max(sum(degree), 1e-300)
    group, mass = list(range(len(around))), degree.copy()
    for _ in range(_MOST_SWEEPS):
        has_moved = False
        for v, near in enumerate(around):
            mass[group[v]] -= degree[v]
            links = {group[v]: 0.0}
            for u, weight in near.items():
                links[group[u]] = links.get(group[u], 0.0) + weight
            best = max(links, key=lambda g: links[g] - degree[v] * mass[g] / total + 1e-12 * (g == group[v]))
            has_moved |= best != group[v]
            group[v] = best
            mass[best] += degree[v]
        if not has_moved:
            break
    return group


def _merged(
    around: Weights, loops: list[float], group: list[int]
) -> tuple[Weights, list[float], dict[int, int]]:
    """The graph whose nodes are the groups, with their numbers."""
    number = {g: i for i, g in enumerate(dict.fromkeys(group))}
    joined: Weights = [{} for _ in number]
    inside = [0.0] * len(number)
    for v, near in enumerate(around):
        own = number[group[v]]
        inside[own] += loops[v]
        for u, weight in near.items():
            other = number[group[u]]
            if other == own:
                inside[own] += weight / 2
            else:
                joined[own][other] = joined[own].get(other, 0.0) + weight
    return joined, inside, number


def _by_size(group: NDArray[np.int64]) -> NDArray[np.int64]:
    names, first, inverse, counts = np.unique(
        group, return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.lexsort((first, -counts))] = np.arange(len(names))
    return np.asarray(rank[inverse])
