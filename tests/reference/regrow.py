"""Slow twins of the parts of Regrow: plain lists and sets, nothing kept up to date that can be recomputed.

Where the core is free to choose (whether the tree can cover a family, which elimination order it has), the
twins say what is allowed. Nothing here imports the package.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

from reference import elimination


class Pool:
    """Families by number, and for each variable their numbers, best first, ties in the order of arrival."""

    def __init__(self, lists: Sequence[Sequence[tuple[float, tuple[int, ...]]]]) -> None:
        self.families: list[tuple[int, frozenset[int], float]] = []
        self.lists: list[list[int]] = []
        for v, pairs in enumerate(lists):
            self.lists.append(list(range(len(self.families), len(self.families) + len(pairs))))
            self.families += [(v, frozenset(parents), score) for score, parents in pairs]

    def parents(self, family: int) -> frozenset[int]:
        """Parents of a family."""
        return self.families[family][1]

    def members(self, family: int) -> frozenset[int]:
        """Child and parents of a family."""
        return self.families[family][1] | {self.families[family][0]}

    def score(self, family: int) -> float:
        """Score of a family."""
        return self.families[family][2]

    def empty(self, v: int) -> int:
        """The family of v without parents."""
        return self.lists[v][-1]

    def find(self, v: int, parents: Collection[int]) -> int | None:
        """Number of the family of v with these parents."""
        return next((family for family in self.lists[v] if self.parents(family) == set(parents)), None)

    def add(self, v: int, parents: Collection[int], score: float) -> int:
        """Add a family that is not there."""
        number = len(self.families)
        self.families.append((v, frozenset(parents), score))
        place = sum(self.score(family) >= score for family in self.lists[v])
        self.lists[v].insert(place, number)
        return number


class Network:
    """One family per variable, and those to go back to."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.chosen = [pool.empty(v) for v in range(len(pool.lists))]
        self.kept = list(self.chosen)

    def parents(self) -> list[frozenset[int]]:
        """Parents of all variables."""
        return [self.pool.parents(family) for family in self.chosen]

    def families(self) -> list[frozenset[int]]:
        """The families with at least one parent."""
        members = [self.pool.members(family) for family in self.chosen]
        return [family for family in members if len(family) > 1]

    def is_reached(self, v: int, u: int) -> bool:
        """Whether u is v or one of its descendants."""
        return u in reached(self.parents(), v)

    def closes_cycle(self, family: int) -> bool:
        """Whether the parents of a family include a descendant of its child."""
        child, parents, _ = self.pool.families[family]
        return not parents.isdisjoint(reached(self.parents(), child))

    def score(self) -> float:
        """Score of the chosen families."""
        return math.fsum(map(self.pool.score, self.chosen))

    def gain(self) -> float:
        """Score of the chosen families minus that of the kept ones."""
        score = self.pool.score
        return math.fsum(map(score, self.chosen)) - math.fsum(map(score, self.kept))


def reached(parents: Sequence[Collection[int]], v: int) -> set[int]:
    """The variable and its descendants."""
    found = {v}
    size = 0
    while size != len(found):
        size = len(found)
        found |= {u for u, chosen in enumerate(parents) if not found.isdisjoint(chosen)}
    return found


def is_topological(positions: Sequence[int], parents: Sequence[Collection[int]]) -> bool:
    """Whether the positions are a permutation in which parents come before their children."""
    return sorted(positions) == list(range(len(parents))) and all(
        positions[p] < positions[v] for v, chosen in enumerate(parents) for p in chosen
    )


def holds(separators: Sequence[Collection[int]], members: Collection[int]) -> bool:
    """Whether some bag, a variable with its separator, holds the members."""
    return any(set(members) <= {u, *separator} for u, separator in enumerate(separators))


def best_inside(separators: Sequence[Collection[int]], pool: Pool) -> float:
    """The best score of a network whose families lie in bags, by trying all orders of the variables."""
    inside = [[f for f in families if holds(separators, pool.members(f))] for families in pool.lists]
    best = {frozenset(): 0.0}
    for size in range(len(separators)):
        for placed in [found for found in best if len(found) == size]:
            for v in set(range(len(separators))) - placed:
                gained = max(pool.score(family) for family in inside[v] if pool.parents(family) <= placed)
                after = placed | {v}
                best[after] = max(best.get(after, -math.inf), best[placed] + gained)
    return best[frozenset(range(len(separators)))]


def is_tree_of(
    separators: Sequence[Collection[int]],
    order: Sequence[int],
    families: Iterable[Collection[int]],
    max_treewidth: int,
    max_cells: float = math.inf,
    cardinalities: Sequence[int] | None = None,
) -> bool:
    """Whether the separators are those of eliminating the families in this order, and keep the bounds."""
    if elimination.separators(len(separators), families, order) != [set(members) for members in separators]:
        return False
    if any(len(members) != len(set(members)) or len(members) > max_treewidth for members in separators):
        return False
    return cardinalities is None or all(
        cardinalities[u] * math.prod(cardinalities[w] for w in members) <= max_cells
        for u, members in enumerate(separators)
    )
