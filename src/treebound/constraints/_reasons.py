"""Why an arc is forbidden or required, in words: for contradictions, the checker and explanations.

This reads the constraints rule by rule and shares nothing with their compiled form, on purpose: the checker
uses it to verify what a search made of the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from treebound.constraints._arcs import ARROW, Pair, spelled
from treebound.constraints._names import NameIndex

if TYPE_CHECKING:
    from treebound.constraints._constraints import Constraints


class _PairRules:
    """Rules for arcs: single pairs by index, and sets of sources and targets for all others."""

    def __init__(self, pairs: Sequence[Pair], index: NameIndex, what: str) -> None:
        self.single: dict[tuple[int, int], str] = {}
        self.sets: list[tuple[frozenset[int], frozenset[int], str]] = []
        for sources, targets in pairs:
            one, other = index.select(sources, what), index.select(targets, what)
            text = f"{spelled(sources)} {{}} {spelled(targets)}"
            if len(one) == len(other) == 1:
                self.single[one[0], other[0]] = text
            else:
                self.sets.append((frozenset(one), frozenset(other), text))

    def find(self, parent: int, child: int) -> str | None:
        if (parent, child) in self.single:
            return self.single[parent, child]
        return next((text for s, t, text in self.sets if parent in s and child in t), None)

    def arcs(self) -> Iterator[tuple[int, int]]:
        yield from self.single
        for sources, targets, _ in self.sets:
            yield from ((a, b) for a in sorted(sources) for b in sorted(targets) if a != b)


class Reasons:
    """The rules of some constraints for named variables, each with its wording."""

    def __init__(self, constraints: Constraints, names: Sequence[str]) -> None:
        self.names = tuple(names)
        index = NameIndex(names, constraints.groups)
        self._required = _PairRules(constraints.required, index, "required")
        self._forbidden = _PairRules(constraints.forbidden, index, "forbidden")
        self._adjacent = _PairRules(constraints.adjacent, index, "adjacent")
        self._apart = _PairRules(constraints.not_adjacent, index, "not_adjacent")
        self._tiers = [(tiers, tiers.ranks(index).tolist()) for tiers in constraints.tiers]
        self._roots = frozenset(index.select(constraints.roots, "roots"))
        self._leaves = frozenset(index.select(constraints.leaves, "leaves"))
        self._next = _steps(constraints, index)
        self._most = _most_parents(constraints, index)

    def why_forbidden(self, parent: int, child: int) -> str | None:
        """Return why an arc is forbidden, or None if it is not."""
        if found := self._forbidden.find(parent, child):
            return f"{found.format(ARROW)} is forbidden"
        if found := self._apart.find(parent, child) or self._apart.find(child, parent):
            return f"{found.format('-')} must not be adjacent"
        for tiers, ranks in self._tiers:
            if found := tiers.reason(ranks[parent], ranks[child]):
                return found
        if child in self._roots:
            return f"{self.names[child]!r} is a root"
        if parent in self._leaves:
            return f"{self.names[parent]!r} is a leaf"
        if path := self._path(child, parent):
            return f"the order has {' < '.join(repr(self.names[v]) for v in path)}"
        return None

    def is_required(self, parent: int, child: int) -> bool:
        """Whether an arc is required by itself, not as one of two directions."""
        return self._required.find(parent, child) is not None

    def why_required(self, parent: int, child: int) -> str:
        """Return why an arc is required: by itself, or as the only direction that is left of two."""
        if found := self._required.find(parent, child):
            return f"{found.format(ARROW)} is required"
        found = self._adjacent.find(parent, child) or self._adjacent.find(child, parent)
        assert found is not None
        return f"{found.format('-')} must be adjacent, and {self.why_forbidden(child, parent)}"

    def clash(self, parent: int, child: int) -> str:
        """Return the message for an arc that is both required and forbidden."""
        a, b = self.names[parent], self.names[child]
        why = self.why_forbidden(parent, child)
        if self.is_required(parent, child):
            return f"{a!r} -> {b!r} is required, and {why}; drop one of the two rules."
        return (
            f"{a!r} and {b!r} must be adjacent, and neither direction is allowed: {why}, and"
            f" {self.why_forbidden(child, parent)}; drop one of these rules."
        )

    def violations(self, parents: Sequence[Sequence[int]]) -> Iterator[str]:
        """Describe what the parents of each variable violate."""
        names = self.names
        for child, chosen in enumerate(parents):
            for parent in chosen:
                if why := self.why_forbidden(parent, child):
                    yield f"{names[parent]} -> {names[child]}: {why}"
            if len(chosen) > self._most.get(child, len(chosen)):
                yield f"{names[child]} has {len(chosen)} parents, and may have at most {self._most[child]}"
        for parent, child in self._required.arcs():
            if parent not in parents[child]:
                yield f"the required arc {names[parent]} -> {names[child]} is missing"
        for a, b in self._adjacent.arcs():
            if a not in parents[b] and b not in parents[a]:
                yield f"{names[a]} and {names[b]} must be adjacent"

    def _path(self, start: int, end: int) -> list[int]:
        """The shortest chain of the order from one variable up to a later one; empty if there is none."""
        came: dict[int, int] = {}
        waiting = [start]
        for v in waiting:
            for gate in self._next.get(v, ()):
                for u in gate:
                    if u not in came:
                        came[u] = v
                        waiting.append(u)
                    if u == end:
                        path = [end]
                        while len(path) == 1 or path[-1] != start:
                            path.append(came[path[-1]])
                        return path[::-1]
        return []


def _steps(constraints: Constraints, index: NameIndex) -> dict[int, list[tuple[int, ...]]]:
    """For each variable of a chain the groups that come next."""
    steps: dict[int, list[tuple[int, ...]]] = {}
    for chain in constraints.order:
        groups = [tuple(index.select(group, "order")) for group in chain]
        for earlier, later in itertools.pairwise(groups):
            for v in earlier:
                steps.setdefault(v, []).append(later)
    return steps


def _most_parents(constraints: Constraints, index: NameIndex) -> dict[int, int]:
    most: dict[int, int] = {}
    for pattern, number in constraints.max_parents.items():
        for v in index.matches(pattern, "max_parents"):
            most[v] = min(number, most.get(v, number))
    return most
