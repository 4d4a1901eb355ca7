"""The cycle to show when the variables cannot be ordered with parents before children."""

from __future__ import annotations

from collections.abc import Sequence

from treebound.structure._graph import orderable


def find_cycle(parents: Sequence[Sequence[int]]) -> list[int]:
    """A cycle from parent to child that ends where it starts; there must be one."""
    # Whatever cannot be ordered has a parent that cannot be ordered, so climbing never ends but in a cycle.
    stuck = set(range(len(parents))) - set(orderable(parents))
    v = min(stuck)
    walk: dict[int, int] = {}
    while v not in walk:
        walk[v] = len(walk)
        v = next(p for p in parents[v] if p in stuck)
    return [*[*walk][walk[v] :], v][::-1]
