"""Orders in which every variable comes after its parents, and the cycle to show when there is none."""

from __future__ import annotations

from collections.abc import Sequence


def topological_order(parents: Sequence[Sequence[int]]) -> list[int]:
    """All variables that are not on or below a cycle, parents before children."""
    children: list[list[int]] = [[] for _ in parents]
    for child, members in enumerate(parents):
        for parent in members:
            children[parent].append(child)
    num_waiting = [len(members) for members in parents]
    order = [v for v, waiting in enumerate(num_waiting) if waiting == 0]
    for v in order:
        for child in children[v]:
            num_waiting[child] -= 1
            if num_waiting[child] == 0:
                order.append(child)
    return order


def find_cycle(parents: Sequence[Sequence[int]]) -> list[int]:
    """A cycle from parent to child that ends where it starts; there must be one."""
    # Whatever cannot be ordered has a parent that cannot be ordered, so climbing never ends but in a cycle.
    stuck = set(range(len(parents))) - set(topological_order(parents))
    path = [min(stuck)]
    while path[-1] not in path[:-1]:
        path.append(next(p for p in parents[path[-1]] if p in stuck))
    return path[path.index(path[-1]) :][::-1]
