"""Shortest cycles of directed graphs given as parents per variable."""

from __future__ import annotations

from collections.abc import Sequence

from treebound._ordering import orderable


def shortest_cycle(parents: Sequence[Sequence[int]]) -> list[int]:
    """Return a shortest cycle from parent to child that ends where it starts; there must be one."""
    stuck = set(range(len(parents))) - set(orderable(parents))
    found: list[int] = []
    for start in sorted(stuck):
        cycle = _cycle_through(start, parents, stuck)
        if cycle and (not found or len(cycle) < len(found)):
            found = cycle
        if len(found) == 3:
            break
    return found


def _cycle_through(start: int, parents: Sequence[Sequence[int]], allowed: set[int]) -> list[int]:
    """The shortest cycle through a variable, by breadth-first search over parents; empty if none."""
    child_of: dict[int, int] = {}
    waiting = [start]
    for v in waiting:
        for parent in parents[v]:
            if parent == start:
                return [start, *_path(v, start, child_of)]
            if parent in allowed and parent not in child_of:
                child_of[parent] = v
                waiting.append(parent)
    return []


def _path(v: int, end: int, child_of: dict[int, int]) -> list[int]:
    path = [v]
    while path[-1] != end:
        path.append(child_of[path[-1]])
    return path
