"""Queries about the arcs alone: independence, and how two graphs differ."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from treebound._arguments import check_type
from treebound.data import Schema
from treebound.network._names import position_of


class GraphQueries(ABC):
    """Queries about the graph of a network."""

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """The variables with their states."""

    @property
    @abstractmethod
    def parent_indices(self) -> tuple[tuple[int, ...], ...]:
        """Indices of the parents of each variable, ascending."""

    def markov_blanket(self, variable: str) -> tuple[str, ...]:
        """Names of the parents, the children and their other parents: once known, nothing else matters."""
        own = position_of(variable, self.schema)
        blanket = set(self.parent_indices[own])
        for child, family in enumerate(self.parent_indices):
            if own in family:
                blanket |= {child, *family}
        return tuple(self.schema.names[v] for v in sorted(blanket - {own}))

    def d_separated(
        self, xs: str | Iterable[str], ys: str | Iterable[str], given: str | Iterable[str] = ()
    ) -> bool:
        """Whether the graph makes ``xs`` and ``ys`` independent once ``given`` is known, whatever the tables.

        Each is a name or several. Two networks with the same arcs give the same result.
        """
        left, right, known = (positions_of_names(self.schema, names) for names in (xs, ys, given))
        for first, second, message in (
            (left, right, "xs and ys"),
            (left, known, "xs and given"),
            (right, known, "ys and given"),
        ):
            if first & second:
                shared = self.schema.names[min(first & second)]
                raise ValueError(f"{message} must not share variables, got {shared!r} in both.")
        return not right & _reachable(self.parent_indices, left, known)


def positions_of_names(schema: Schema, names: str | Iterable[str]) -> set[int]:
    check_type("names", names, Iterable, "a name or several")
    return {position_of(name, schema) for name in ([names] if isinstance(names, str) else names)}


def _reachable(parents: tuple[tuple[int, ...], ...], sources: set[int], known: set[int]) -> set[int]:
    """Variables that an active trail joins to the sources (Koller and Friedman 2009, algorithm 3.1)."""
    children: list[list[int]] = [[] for _ in parents]
    for child, family in enumerate(parents):
        for parent in family:
            children[parent].append(child)
    # A collider lets a trail pass if it is known, or something below it is.
    opens = set(known)
    above = list(known)
    for v in above:
        fresh = set(parents[v]) - opens
        opens |= fresh
        above += fresh
    # A visit is a variable and whether the trail comes up to it from one of its children.
    trail = [(v, True) for v in sources]
    seen = set(trail)
    for v, from_child in trail:
        steps: list[tuple[int, bool]] = []
        if v not in known:
            steps += [(child, False) for child in children[v]]
        if (from_child and v not in known) or (not from_child and v in opens):
            steps += [(parent, True) for parent in parents[v]]
        fresh_steps = [step for step in steps if step not in seen]
        seen.update(fresh_steps)
        trail += fresh_steps
    return {v for v, _ in seen} - known
