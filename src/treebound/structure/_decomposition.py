"""Tree decompositions: bags of variables joined to a tree, the witness of a treewidth."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_rows, check_type
from treebound.structure._errors import StructureError
from treebound.structure._graph import Neighbours, check_neighbours, flat_rows

Bag: TypeAlias = tuple[int, ...]
Separator: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class TreeDecomposition:
    """Bags (variables, ascending) and the edges between them (pairs of indexes into ``bags``).

    Only the form is checked here; whether it is a tree, and a decomposition of a given graph, is for
    ``treebound.check`` to say.
    """

    bags: tuple[Bag, ...]
    edges: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "bags", tuple(tuple(sorted(map(int, bag))) for bag in check_rows("bags", self.bags)))
        put(self, "edges", tuple((int(a), int(b)) for a, b in check_rows("edges", self.edges)))
        for number, bag in enumerate(self.bags):
            if not bag or bag[0] < 0 or len(set(bag)) < len(bag):
                raise StructureError(f"Bag {number} must hold variables, each once, got {list(bag)}.")
        for a, b in self.edges:
            if not (0 <= a < len(self.bags) and 0 <= b < len(self.bags)):
                raise StructureError(f"Edge ({a}, {b}) joins bags that are not among {len(self.bags)}.")

    @property
    def width(self) -> int:
        """Size of the largest bag less one."""
        return max((len(bag) for bag in self.bags), default=0) - 1

    @cached_property
    def separators(self) -> tuple[Separator, ...]:
        """What the two bags of each edge share."""
        return tuple(tuple(sorted({*self.bags[a]} & {*self.bags[b]})) for a, b in self.edges)

    @cached_property
    def elimination_order(self) -> tuple[int, ...]:
        """An order in which the variables can leave without ever meeting more than ``width`` neighbours."""
        around: list[list[int]] = [[] for _ in self.bags]
        for a, b in self.edges:
            around[a].append(b)
            around[b].append(a)
        above: dict[int, int] = {}
        walk = []
        for root in range(len(self.bags)):
            if root in above:
                continue
            above[root] = root
            part = [root]
            for bag in part:
                fresh = [other for other in around[bag] if other not in above]
                above.update(dict.fromkeys(fresh, bag))
                part += fresh
            walk += part
        order: dict[int, None] = {}
        for bag in reversed(walk):
            stay = self.bags[above[bag]] if above[bag] != bag else ()
            order.update(dict.fromkeys(v for v in self.bags[bag] if v not in stay))
        return tuple(order)

    @classmethod
    def from_elimination_order(cls, neighbours: Neighbours, order: Iterable[int]) -> TreeDecomposition:
        """Return the bags met when vertices leave a graph in this order, less those inside others."""
        sequence = _checked_order(neighbours, order)
        bags, parents = _core.decompose(*flat_rows(neighbours), sequence)
        return cls(tuple(map(tuple, reversed(bags))), tuple(_edges(parents[::-1].tolist())))


def later_neighbours(neighbours: Neighbours, order: Iterable[int]) -> list[list[int]]:
    """Return for each vertex the neighbours that it leaves when vertices leave a graph in this order."""
    offsets, later = _core.eliminate(*flat_rows(neighbours), _checked_order(neighbours, order))
    return [later[first:last].tolist() for first, last in itertools.pairwise(offsets)]


def _checked_order(neighbours: Neighbours, order: Iterable[int]) -> NDArray[np.uint32]:
    check_neighbours(neighbours)
    check_type("order", order, Iterable, "a sequence of variables")
    sequence = list(order)
    for v in sequence:
        check_type("a variable of the order", v, Integral, "a whole number")
    if sorted(sequence) != [*range(len(neighbours))]:
        raise StructureError(f"An elimination order must hold each of {len(neighbours)} variables once.")
    return np.array(sequence, dtype=np.uint32)


def _edges(parents: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Join bags, numbered in the reverse order of the core; the roots are joined to each other."""
    root = None
    for bag, parent in enumerate(parents):
        if parent != _core.NO_BAG:
            yield len(parents) - 1 - parent, bag
            continue
        if root is not None:
            yield root, bag
        root = bag
