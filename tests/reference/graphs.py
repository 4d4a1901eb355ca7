"""Slow twins of everything said about graphs: cycles, moral graphs, elimination and treewidth.

Parents are one collection of ints per variable; an edge is a frozenset of two variables. Nothing here imports
the package, so nothing here can share its bugs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product

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


def same_independencies(first: Parents, second: Parents) -> bool:
    """Whether two graphs agree on every statement that two variables are independent given others."""
    variables = range(len(first))
    for x, y in combinations(variables, 2):
        others = [v for v in variables if v not in (x, y)]
        for size in range(len(others) + 1):
            for given in combinations(others, size):
                if d_separated(first, [x], [y], given) != d_separated(second, [x], [y], given):
                    return False
    return True


def all_dags(num_variables: int) -> Iterator[list[set[int]]]:
    """Every acyclic graph, as parents per variable."""
    pairs = list(combinations(range(num_variables), 2))
    for marks in product((None, 0, 1), repeat=len(pairs)):
        parents: list[set[int]] = [set() for _ in range(num_variables)]
        for (a, b), mark in zip(pairs, marks, strict=True):
            if mark is not None:
                parents[(a, b)[mark]].add((b, a)[mark])
        if is_acyclic(parents):
            yield parents


def turned(parents: Parents) -> Iterator[list[set[int]]]:
    """Every acyclic graph that joins the same pairs."""
    pairs = [(p, v) for v, family in enumerate(parents) for p in family]
    for ways in product((0, 1), repeat=len(pairs)):
        other: list[set[int]] = [set() for _ in parents]
        for pair, way in zip(pairs, ways, strict=True):
            other[pair[1 - way]].add(pair[way])
        if is_acyclic(other):
            yield other


def v_structures(parents: Parents) -> set[tuple[Edge, int]]:
    """Pairs of parents that no arc joins, each with their child."""
    joined = {frozenset((p, v)) for v, family in enumerate(parents) for p in family}
    pairs = [(frozenset(pair), v) for v, family in enumerate(parents) for pair in combinations(family, 2)]
    return {(pair, v) for pair, v in pairs if pair not in joined}


def equivalent(parents: Parents) -> list[list[set[int]]]:
    """All graphs with the same pairs and the same v-structures."""
    return [other for other in turned(parents) if v_structures(other) == v_structures(parents)]


def compelled(parents: Parents) -> set[tuple[int, int]]:
    """The arcs that point the same way in all equivalent graphs."""
    arcs = {(p, v) for v, family in enumerate(parents) for p in family}
    for other in equivalent(parents):
        arcs &= {(p, v) for v, family in enumerate(other) for p in family}
    return arcs


def hamming_distance(first: Parents, second: Parents) -> int:
    """In how many pairs of variables the graphs differ."""

    def between(parents: Parents, a: int, b: int) -> tuple[bool, bool]:
        return a in parents[b], b in parents[a]

    pairs = combinations(range(len(first)), 2)
    return sum(between(first, a, b) != between(second, a, b) for a, b in pairs)
