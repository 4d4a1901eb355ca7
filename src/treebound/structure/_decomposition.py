"""Tree decompositions: cliques of variables joined to a tree, the witness of a treewidth."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from treebound import _core
from treebound.structure._errors import StructureError
from treebound.structure._graph import Neighbours, flat

Clique: TypeAlias = tuple[int, ...]
Separator: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class TreeDecomposition:
    """Cliques (variables, ascending) and the edges between them (pairs of indexes into ``cliques``).

    Only the form is checked here; whether it is a tree, and a decomposition of a given graph, is for
    ``treebound.check`` to say.
    """

    cliques: tuple[Clique, ...]
    edges: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "cliques", tuple(tuple(sorted(map(int, clique))) for clique in self.cliques))
        put(self, "edges", tuple((int(a), int(b)) for a, b in self.edges))
        for number, clique in enumerate(self.cliques):
            if not clique or clique[0] < 0 or len(set(clique)) < len(clique):
                raise StructureError(f"Clique {number} must hold variables, each once, got {list(clique)}.")
        for a, b in self.edges:
            if not (0 <= a < len(self.cliques) and 0 <= b < len(self.cliques)):
                raise StructureError(f"Edge ({a}, {b}) joins cliques that are not among {len(self.cliques)}.")

    @property
    def width(self) -> int:
        """Size of the largest clique less one."""
        return max((len(clique) for clique in self.cliques), default=0) - 1

    @cached_property
    def separators(self) -> tuple[Separator, ...]:
        """What the two cliques of each edge share."""
        return tuple(tuple(sorted({*self.cliques[a]} & {*self.cliques[b]})) for a, b in self.edges)

    @cached_property
    def elimination_order(self) -> tuple[int, ...]:
        """An order in which the variables can leave without ever meeting more than ``width`` neighbours."""
        around: list[list[int]] = [[] for _ in self.cliques]
        for a, b in self.edges:
            around[a].append(b)
            around[b].append(a)
        above: dict[int, int] = {}
        walk = []
        for root in range(len(self.cliques)):
            if root in above:
                continue
            above[root] = root
            part = [root]
            for clique in part:
                fresh = [other for other in around[clique] if other not in above]
                above.update(dict.fromkeys(fresh, clique))
                part += fresh
            walk += part
        order: dict[int, None] = {}
        for clique in reversed(walk):
            stay = self.cliques[above[clique]] if above[clique] != clique else ()
            order.update(dict.fromkeys(v for v in self.cliques[clique] if v not in stay))
        return tuple(order)

    @classmethod
    def from_elimination_order(cls, neighbours: Neighbours, order: Iterable[int]) -> TreeDecomposition:
        """Return the cliques met when vertices leave a graph in this order, less those inside others."""
        sequence = tuple(int(v) for v in order)
        if sorted(sequence) != list(range(len(neighbours))):
            raise StructureError(f"An elimination order must hold each of {len(neighbours)} variables once.")
        offsets, later = _core.eliminate(*flat(neighbours), np.array(sequence, dtype=np.uint32))
        rows = [later[first:last].tolist() for first, last in itertools.pairwise(offsets)]
        return _joined(sequence, rows)


def _joined(order: Sequence[int], later: Sequence[Sequence[int]]) -> TreeDecomposition:
    """Make a tree of the cliques of an elimination; empty separators join parts that do not touch."""
    position = {v: i for i, v in enumerate(order)}
    cliques: list[Clique] = []
    edges: list[tuple[int, int]] = []
    home: dict[int, int] = {}  # variable -> the clique in which it leaves
    top: int | None = None  # a clique of the part before
    for v in reversed(order):
        if not later[v]:
            if top is not None:
                edges.append((top, len(cliques)))
            top = home[v] = len(cliques)
            cliques.append((v,))
            continue
        below = home[min(later[v], key=position.__getitem__)]
        if len(cliques[below]) == len(later[v]):  # the clique below is inside this one: grow it instead
            cliques[below] = (*cliques[below], v)
            home[v] = below
        else:
            edges.append((below, len(cliques)))
            home[v] = len(cliques)
            cliques.append((*later[v], v))
    return TreeDecomposition(tuple(cliques), tuple(edges))
