"""Directions that follow from background knowledge: the rules of Meek.

Meek (1995, "Causal inference and causal explanation with background knowledge"): arcs that are known, with
the compelled ones, direct further lines, because no new v-structure and no cycle may arise. Four rules,
applied until none changes anything, find all that follow.
"""

from __future__ import annotations

from collections.abc import Iterable


class PartlyDirected:
    """Arcs and lines; lines become arcs."""

    def __init__(
        self, num_variables: int, arcs: Iterable[tuple[int, int]], lines: Iterable[tuple[int, int]]
    ) -> None:
        self.parents: list[set[int]] = [set() for _ in range(num_variables)]
        self.children: list[set[int]] = [set() for _ in range(num_variables)]
        self.undirected: list[set[int]] = [set() for _ in range(num_variables)]
        for parent, child in arcs:
            self.parents[child].add(parent)
            self.children[parent].add(child)
        for a, b in lines:
            self.undirected[a].add(b)
            self.undirected[b].add(a)

    def direct(self, parent: int, child: int) -> None:
        """Make a line an arc."""
        self.undirected[parent].discard(child)
        self.undirected[child].discard(parent)
        self.parents[child].add(parent)
        self.children[parent].add(child)

    def close(self) -> None:
        """Direct all lines whose direction follows."""
        waiting = [(a, b) for a, others in enumerate(self.undirected) for b in others]
        while waiting:
            a, b = waiting.pop()
            if b in self.undirected[a] and self._follows(a, b):
                self.direct(a, b)
                near = {a, b, *self._joined(a), *self._joined(b)}
                waiting += [pair for v in near for u in self.undirected[v] for pair in ((v, u), (u, v))]

    def _joined(self, v: int) -> set[int]:
        return self.parents[v] | self.children[v] | self.undirected[v]

    def _follows(self, a: int, b: int) -> bool:
        """Whether the line between a and b must point from a to b."""
        around_b = self._joined(b)
        return (
            # c -> a - b: else c -> a <- b is new
            bool(self.parents[a] - around_b)
            # a -> c -> b: else there is a cycle
            or bool(self.children[a] & self.parents[b])
            or self._has_two_ways(a, b)
            or self._has_long_way(a, b, around_b)
        )

    def _has_two_ways(self, a: int, b: int) -> bool:
        """A - c -> b and a - d -> b with c and d apart: one of them is below a."""
        between = sorted(self.undirected[a] & self.parents[b])
        return any(d not in self._joined(c) for i, c in enumerate(between) for d in between[i + 1 :])

    def _has_long_way(self, a: int, b: int, around_b: set[int]) -> bool:
        """A - c -> d -> b with b and c apart: b -> a would make a -> c, and close a cycle."""
        return any(self.children[c] & self.parents[b] for c in self.undirected[a] - around_b)
