"""Slow twins of everything said about graphs: cycles, moral graphs, elimination and treewidth.

Parents are one collection of ints per variable; an edge is a frozenset of two variables. Nothing here imports
the package, so nothing here can share its bugs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import combinations, permutations

Edge = frozenset[int]
Parents = Sequence[Collection[int]]


def is_acyclic(parents: Parents) -> bool:
    """Take away variables without remaining parents; what cannot be taken away lies on or below a cycle."""
    left = set(range(len(parents)))
    while free := {v for v in left if not left & set(parents[v])}:
        left -= free
    return not left


def moral_edges(parents: Parents) -> frozenset[Edge]:
    """Join every child with its parents, and the parents with each other."""
    families = [{child, *members} for child, members in enumerate(parents)]
    return frozenset(frozenset(pair) for family in families for pair in combinations(family, 2))


def elimination_width(edges: Iterable[Edge], elimination_order: Sequence[int]) -> int:
    """Largest number of neighbours that a variable still has when its turn comes to leave."""
    neighbours: dict[int, set[int]] = {v: set() for v in elimination_order}
    for u, v in edges:
        neighbours[u].add(v)
        neighbours[v].add(u)
    width = 0
    for v in elimination_order:
        around = neighbours.pop(v)
        width = max(width, len(around))
        for u in around:
            neighbours[u] = (neighbours[u] | around) - {u, v}
    return width


@cache
def treewidth(num_variables: int, edges: frozenset[Edge]) -> int:
    """Smallest width over all elimination orders."""
    return min(elimination_width(edges, order) for order in permutations(range(num_variables)))
