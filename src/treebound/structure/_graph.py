"""Directed graphs as parents per variable, undirected ones as neighbours per variable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_integer, check_type
from treebound._ordering import orderable
from treebound.structure._errors import StructureError

Parents: TypeAlias = tuple[tuple[int, ...], ...]
Neighbours: TypeAlias = tuple[tuple[int, ...], ...]


def arcs_of(parents: Parents) -> tuple[tuple[int, int], ...]:
    """All arcs as pairs (parent, child), by child."""
    return tuple((parent, child) for child, chosen in enumerate(parents) for parent in chosen)


def named_arcs(parents: Parents, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """All arcs as pairs of names (parent, child), by child."""
    return tuple((names[parent], names[child]) for parent, child in arcs_of(parents))


def named_parents(parents: Parents, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The names of the parents by that of the child."""
    return {name: tuple(names[p] for p in chosen) for name, chosen in zip(names, parents, strict=True)}


def moral_graph(parents: Sequence[Sequence[int]]) -> Neighbours:
    """Return the neighbours of each variable once parents of a common child are joined and arrows dropped."""
    families = tuple((child, *chosen) for child, chosen in enumerate(parents))
    if any(not 0 <= v < len(families) for family in families for v in family):
        raise StructureError(f"Parents must be in 0..{len(families) - 1}.")
    offsets, neighbours = (array.tolist() for array in _core.moral_graph(*flat_rows(families)))
    return tuple(tuple(neighbours[first:last]) for first, last in pairwise(offsets))


def check_neighbours(neighbours: Any) -> None:
    """Reject what is not the neighbours of each vertex of an undirected graph."""
    check_type("neighbours", neighbours, Sequence, "a sequence with the neighbours of each vertex")
    for vertex, row in enumerate(neighbours):
        check_type(f"neighbours of {vertex}", row, Sequence, "a sequence of vertices")
        for other in row:
            if type(other) is not int or not 0 <= other < len(neighbours):  # else there is no need to look
                check_integer(f"a neighbour of {vertex}", other, 0, len(neighbours) - 1)
        if len({*row}) < len(row):
            raise StructureError(f"Neighbours must come once each, got {[*row]} for {vertex}.")
    edges = {(v, u) for v, row in enumerate(neighbours) for u in row}
    for v, u in edges:
        if u == v or (u, v) not in edges:
            raise StructureError(f"Neighbours must be others, and mutual; {v} has {u} and not the reverse.")


def find_cycle(parents: Sequence[Sequence[int]]) -> list[int]:
    """Return a cycle from parent to child that ends where it starts; there must be one."""
    # Whatever cannot be ordered has a parent that cannot be ordered, so climbing never ends but in a cycle.
    stuck = set(range(len(parents))) - set(orderable(parents))
    v = min(stuck)
    walk: dict[int, int] = {}
    while v not in walk:
        walk[v] = len(walk)
        v = next(p for p in parents[v] if p in stuck)
    return [*[*walk][walk[v] :], v][::-1]


def topological_order(parents: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
    """Return the variables, parents before children; None if there is a cycle."""
    order = orderable(parents)
    return tuple(order) if len(order) == len(parents) else None


def connected_components(neighbours: Neighbours) -> list[list[int]]:
    """Return the vertices of each connected part, ascending."""
    seen = [False] * len(neighbours)
    parts = []
    for start in range(len(neighbours)):
        if seen[start]:
            continue
        seen[start] = True
        part = [start]
        for v in part:
            for u in neighbours[v]:
                if not seen[u]:
                    seen[u] = True
                    part.append(u)
        parts.append(sorted(part))
    return parts


def induced_subgraph(neighbours: Neighbours, vertices: Iterable[int]) -> Neighbours:
    """Return the graph of these vertices alone, renumbered in the order given."""
    number = {v: i for i, v in enumerate(vertices)}
    return tuple(tuple(sorted(number[u] for u in neighbours[v] if u in number)) for v in number)


def flat_rows(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Return neighbours or parents as the core takes them: offsets, and the rows, ascending, end to end."""
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    return offsets, np.array([v for row in rows for v in sorted(row)], dtype=np.uint32)
