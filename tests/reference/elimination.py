"""Slow twin of the elimination tree: eliminate everything from scratch, and try all orders at once.

A family is a collection of variables that are joined to each other; ``separators`` gives, for each variable,
the neighbours that it has when it is eliminated. Nothing here imports the package.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import combinations


def neighbours(num_variables: int, families: Iterable[Collection[int]]) -> list[set[int]]:
    """Join all pairs of every family."""
    around: list[set[int]] = [set() for _ in range(num_variables)]
    for family in families:
        for v in family:
            around[v] |= set(family) - {v}
    return around


def separators(
    num_variables: int, families: Iterable[Collection[int]], order: Sequence[int]
) -> list[set[int]]:
    """Eliminate the variables in this order: each one joins its neighbours to each other and is removed."""
    around = neighbours(num_variables, families)
    assert sorted(order) == list(range(num_variables))
    for v in order:
        for u in around[v]:
            around[u] |= around[v]
            around[u] -= {u, v}
    return around


def parent(order: Sequence[int], members: Collection[int]) -> int:
    """The first of them to be eliminated, -1 if there is none."""
    return min(members, key=order.index, default=-1)


def can_be_kept(
    families: Iterable[Collection[int]],
    max_treewidth: int,
    max_cells: float = math.inf,
    cardinalities: Sequence[int] | None = None,
) -> bool:
    """Whether some elimination order keeps all bags within the bounds: by sets of those that left before.

    The bag of v depends on who left before it and not on their order: it meets whom paths through them reach.
    """
    edges = frozenset(frozenset(pair) for family in families for pair in combinations(sorted(family), 2))
    vertices = frozenset(v for edge in edges for v in edge)

    def bag(v: int, gone: frozenset[int]) -> set[int]:
        reached, walk = {v}, [v]
        for u in walk:
            fresh = {w for edge in edges if u in edge for w in edge} - reached
            reached |= fresh
            walk += [w for w in fresh if w in gone]
        return reached - gone

    def fits(members: set[int]) -> bool:
        states = 1 if cardinalities is None else math.prod(cardinalities[v] for v in members)
        return len(members) <= max_treewidth + 1 and states <= max_cells

    @cache
    def can_go_on(gone: frozenset[int]) -> bool:
        left = vertices - gone
        return not left or any(fits(bag(v, gone)) and can_go_on(gone | {v}) for v in left)

    return can_go_on(frozenset())


def reachable(num_variables: int, parents: Sequence[Collection[int]], source: int) -> set[int]:
    """The variables that paths along the arcs lead to, the source among them."""
    reached, walk = {source}, [source]
    for u in walk:
        fresh = {v for v in range(num_variables) if u in parents[v]} - reached
        reached |= fresh
        walk += sorted(fresh)
    return reached
