"""Slow twins of everything said about graphs: cycles, moral graphs, elimination and treewidth.

Parents are one collection of ints per variable; an edge is a frozenset of two variables. Nothing here imports
the package, so nothing here can share its bugs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
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


def trails(parents: Parents, start: int, end: int) -> Iterator[tuple[int, ...]]:
    """All paths from start to end along arcs in either direction that visit no variable twice."""
    arcs = {(p, v) for v, family in enumerate(parents) for p in family}

    def extended(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if path[-1] == end:
            yield path
            return
        for v in range(len(parents)):
            if v not in path and ((path[-1], v) in arcs or (v, path[-1]) in arcs):
                yield from extended((*path, v))

    return extended((start,))


def descendants(parents: Parents, v: int) -> set[int]:
    """A variable and everything that can be reached from it along the arcs."""
    found = {v}
    while more := {u for u, family in enumerate(parents) if found & set(family)} - found:
        found |= more
    return found


def d_separated(parents: Parents, xs: Iterable[int], ys: Iterable[int], given: Collection[int]) -> bool:
    """By the definition: every trail is blocked by a known variable that is no collider on it, or by a
    collider of which neither itself nor any descendant is known.
    """

    def is_blocked(trail: tuple[int, ...]) -> bool:
        for before, v, after in zip(trail, trail[1:], trail[2:], strict=False):
            is_collider = before in parents[v] and after in parents[v]
            if is_collider and not descendants(parents, v) & set(given):
                return True
            if not is_collider and v in given:
                return True
        return False

    return all(is_blocked(trail) for x in xs for y in ys for trail in trails(parents, x, y))
