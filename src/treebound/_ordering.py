"""Which variables of a directed graph can be put in order, given the parents of each."""

from __future__ import annotations

from collections.abc import Sequence


def orderable(parents: Sequence[Sequence[int]]) -> list[int]:
    """Return all variables that are not on or below a cycle, parents before children."""
    children: list[list[int]] = [[] for _ in parents]
    waiting = [len(chosen) for chosen in parents]
    for child, chosen in enumerate(parents):
        for parent in chosen:
            children[parent].append(child)
    ready = [v for v, count in enumerate(waiting) if count == 0]
    for v in ready:
        for child in children[v]:
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    return ready
