"""Slow twins of what the explorer computes for its drawings."""

from __future__ import annotations

from collections.abc import Sequence


def isotonic(values: Sequence[float]) -> list[float]:
    """The ascending sequence nearest in squares, by the min-max formula."""
    mean = lambda part: sum(part) / len(part)  # noqa: E731
    size = len(values)
    return [
        max(min(mean(values[i : j + 1]) for j in range(k, size)) for i in range(k + 1)) for k in range(size)
    ]


def modularity(edges: Sequence[Sequence[int]], group: Sequence[int]) -> float:
    """Share of edges inside groups less what degrees alone would give."""
    degree = [0] * len(group)
    for a, b in edges:
        degree[a] += 1
        degree[b] += 1
    inside = sum(group[a] == group[b] for a, b in edges) / len(edges)
    mass: dict[int, int] = {}
    for v, g in enumerate(group):
        mass[g] = mass.get(g, 0) + degree[v]
    return inside - sum((one / (2 * len(edges))) ** 2 for one in mass.values())
