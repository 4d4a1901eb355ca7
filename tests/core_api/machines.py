"""The objects under test: each applies one operation to the core and to the twin, and compares."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np

from reference import elimination, regrow
from treebound import _core, _core_testing

# Few enough to try all orders of the variables.
FEW_VARIABLES = 8

Operation = tuple[str, int, int]


class Machine:
    """A core object and its twin; the methods named in OPERATIONS take two random integers each."""

    OPERATIONS: tuple[str, ...]  # named as often as they should come relative to the others

    def __init__(self, source: random.Random) -> None:
        self.n = source.choice((*range(1, 11), *range(4, 11), 30))
        self.k = source.randint(0, 4)

    def apply(self, operation: Operation) -> None:
        """Do it on both sides."""
        name, a, b = operation
        step: Callable[[int, int], None] = getattr(self, name)
        step(a, b)

    def check(self) -> None:
        """Compare everything."""
        raise NotImplementedError

    def some(self, number: int, limit: int, without: int = -1) -> list[int]:
        """Up to ``limit`` different variables, drawn by the number."""
        found: list[int] = []
        for _ in range(limit):
            number, u = divmod(number, self.n)
            if u != without and u not in found:
                found.append(u)
        return found


class Bounded(Machine):
    """With a bound on treewidth and, every other time, on states."""

    def __init__(self, source: random.Random) -> None:
        super().__init__(source)
        self.cards: list[int] | None = None
        self.max_cells = math.inf
        if source.random() < 0.5:
            self.cards = [source.randint(1, 4) for _ in range(self.n)]
            self.max_cells = source.randint(max(self.cards), 40)

    def bound(self) -> tuple[int, float, np.ndarray]:
        """The bound as the core takes it."""
        return self.k, self.max_cells, np.array(self.cards or [], dtype=np.uint32)


class Tree(Bounded):
    """EliminationTree: families put in and taken out, in any order."""

    OPERATIONS = ("put", "put", "put", "drop", "mark", "back", "holds", "blocking_families", "build")

    def __init__(self, source: random.Random) -> None:
        super().__init__(source)
        self.core = _core_testing.EliminationTree(self.n, *self.bound())
        self.families: dict[int, list[int]] = {}
        self.marks: list[tuple[int, object, dict[int, list[int]]]] = []

    def state(self) -> object:
        return self.core.separators(), [self.core.parent(u) for u in range(self.n)]

    def put(self, a: int, b: int) -> None:
        owner = a % self.n
        family = [owner, *self.some(b, self.k + 1, without=owner)]
        self.drop(a, b)
        if len(family) < 2:
            return
        before = self.state()
        is_held = regrow.holds(before[0], family)
        if self.core.cover(family):
            if is_held:
                assert self.state() == before
            self.core.add(owner, family)
            self.families[owner] = family
            assert self.core.holds(family)
        else:
            assert not is_held
            assert self.state() == before

    def drop(self, a: int, b: int) -> None:
        self.core.remove(a % self.n)
        self.families.pop(a % self.n, None)

    def mark(self, a: int, b: int) -> None:
        self.marks.append((self.core.mark(), self.state(), dict(self.families)))

    def back(self, a: int, b: int) -> None:
        if self.marks:
            mark, state, self.families = self.marks.pop()
            self.core.roll_back(mark)
            assert self.state() == state

    def holds(self, a: int, b: int) -> None:
        family = self.some(b, self.k + 1)
        assert self.core.holds(family) == regrow.holds(self.core.separators(), family)

    def blocking_families(self, a: int, b: int) -> None:
        family = self.some(b, max(self.k, 1) + 1)
        if len(family) > 1:
            found = self.core.blocking_families(family)
            assert len(set(found)) == len(found)
            assert set(found) <= set(self.families)

    def build(self, a: int, b: int) -> None:
        if self.marks or b % 8:
            return
        order = self.core.elimination_order()
        families = self.families
        for owner in list(families):
            self.core.remove(owner)
        assert self.state() == ([[]] * self.n, [-1] * self.n)
        self.core.build(order, [families.get(v, [v]) for v in range(self.n)])

    def check(self) -> None:
        order = self.core.elimination_order()
        found = self.core.separators()
        families = list(self.families.values())
        assert regrow.is_tree_of(found, order, families, self.k, self.max_cells, self.cards)
        assert [self.core.parent(u) for u in range(self.n)] == [
            elimination.parent(order, members) for members in found
        ]
        assert all(regrow.holds(found, family) for family in families)


class Arcs(Machine):
    """ArcOrder: parents replaced where they close no cycle; positions undone by the log, arcs by hand."""

    OPERATIONS = ("replace", "replace", "replace", "clear", "mark", "back", "is_descendant", "children")

    def __init__(self, source: random.Random) -> None:
        super().__init__(source)
        self.core = _core_testing.ArcOrder(self.n)
        self.parents: list[list[int]] = [[] for _ in range(self.n)]
        self.marks: list[tuple[int, list[int], list[list[int]]]] = []

    def replace(self, a: int, b: int) -> None:
        child = a % self.n
        parents = self.some(b, self.k, without=child)
        self.clear(a, b)
        self.core.mark_from(child)
        below = regrow.reached(self.parents, child)
        is_cyclic = [self.core.is_descendant(p) for p in parents]
        assert is_cyclic == [p in below for p in parents]
        if not any(is_cyclic):
            self.core.add(child, parents)
            self.parents[child] = parents

    def clear(self, a: int, b: int) -> None:
        child = a % self.n
        self.core.remove(child, self.parents[child])
        self.parents[child] = []
        assert not self.core.has_parents(child)

    def mark(self, a: int, b: int) -> None:
        self.marks.append((self.core.mark(), self.core.positions, list(self.parents)))

    def back(self, a: int, b: int) -> None:
        if not self.marks:
            return
        mark, positions, earlier = self.marks.pop()
        for child in range(self.n):
            self.core.remove(child, self.parents[child])
        self.core.roll_back(mark)
        assert self.core.positions == positions
        for child in range(self.n):
            self.core.add(child, earlier[child])
        assert self.core.positions == positions
        self.parents = earlier

    def is_descendant(self, a: int, b: int) -> None:
        v, u = a % self.n, b % self.n
        self.core.mark_from(v)
        assert self.core.is_descendant(u) == (u in regrow.reached(self.parents, v))

    def children(self, a: int, b: int) -> None:
        v = a % self.n
        assert sorted(self.core.children(v)) == [c for c in range(self.n) if v in self.parents[c]]

    def check(self) -> None:
        assert regrow.is_topological(self.core.positions, self.parents)


class WithPool(Bounded):
    """A pool made of a random problem."""

    def __init__(self, source: random.Random) -> None:
        super().__init__(source)
        lists = [self.random_list(source, v) for v in range(self.n)]
        self.twin = regrow.Pool(lists)
        sets = [parents for pairs in lists for _, parents in pairs]
        problem = _core.SearchProblem(
            np.cumsum([0, *map(len, lists)]),
            np.array([score for pairs in lists for score, _ in pairs]),
            np.cumsum([0, *map(len, sets)]),
            np.array([p for parents in sets for p in parents], dtype=np.uint32),
            *self.bound(),
            None,
            None,
            _core.FamilyRules(),
            np.zeros(0),
            np.zeros(0, dtype=np.uint32),
        )
        self.problem = problem
        self.pool = _core_testing.FamilyPool(problem)

    def random_list(self, source: random.Random, v: int) -> list[tuple[float, tuple[int, ...]]]:
        """Parent sets of v, best first, scores with ties; the last one is empty."""
        others = [u for u in range(self.n) if u != v]
        most = min(self.k, len(others))
        draws = source.choice((6, 24))  # long lists are walked down in another way
        found = {tuple(sorted(source.sample(others, source.randint(0, most)))) for _ in range(draws)} - {()}
        pairs = [(float(source.randint(-8, -1)), parents) for parents in sorted(found)]
        return [*sorted(pairs, key=lambda pair: -pair[0]), (-9.0, ())]

    def add(self, a: int, b: int) -> None:
        v = a % self.n
        parents = self.some(b, min(self.k, self.n - 1), without=v)
        expected = self.twin.find(v, parents)
        score = -8.5 + b % 16 / 2 if expected is None else self.twin.score(expected)
        assert self.pool.find(v, parents, score) == expected
        if expected is None:
            assert self.pool.add(v, parents, score) == self.twin.add(v, parents, score)

    def family(self, v: int, number: int) -> int:
        """One of the families of v."""
        return self.twin.lists[v][number % len(self.twin.lists[v])]

    def check(self) -> None:
        assert self.pool.num_families == len(self.twin.families)
        assert [self.pool.families(v) for v in range(self.n)] == self.twin.lists


class Pool(WithPool):
    """FamilyPool: families found and added."""

    OPERATIONS = ("add", "family_of", "find")

    def family_of(self, a: int, b: int) -> None:
        v = a % self.n
        family = self.family(v, b)
        members = self.pool.members(family)
        assert members[0] == v
        assert set(members) == self.twin.members(family)
        assert self.pool.score(family) == self.twin.score(family)
        assert self.pool.families(v) == self.twin.lists[v]

    def find(self, a: int, b: int) -> None:
        v = a % self.n
        family = self.family(v, b)
        assert self.pool.find(v, self.pool.members(family)[:0:-1], self.pool.score(family)) == family


class Network(WithPool):
    """BoundedNetwork: families released and placed, kept and taken back."""

    OPERATIONS = (
        *("place", "place", "place", "place_best", "place_best", "release", "release"),
        *("keep", "take_back", "take_back", "is_reached", "holds", "blocking_families", "gain"),
        *("add", "save", "load", "improve_whole"),
    )

    def __init__(self, source: random.Random) -> None:
        super().__init__(source)
        self.core = _core_testing.BoundedNetwork(self.pool)
        self.optimum = _core_testing.TreeOptimum(self.problem)
        self.network = regrow.Network(self.twin)
        self.kept = self.state()
        self.saved = self.core.chosen, self.core.elimination_order

    def state(self) -> object:
        return self.core.chosen, self.core.separators, self.core.positions

    def release(self, a: int, b: int) -> None:
        v = a % self.n
        self.core.release(v)
        self.network.chosen[v] = self.twin.empty(v)

    def place(self, a: int, b: int) -> None:
        v = a % self.n
        family = self.family(v, b)
        self.release(a, b)
        before = self.state()
        if self.core.place(v, family):
            assert not self.network.closes_cycle(family)
            self.network.chosen[v] = family
        else:
            assert self.state() == before
            is_held = regrow.holds(before[1], self.twin.members(family))
            assert not is_held or self.network.closes_cycle(family)

    def place_best(self, a: int, b: int) -> None:
        v = a % self.n
        self.release(a, b)
        separators = self.core.separators
        max_tests = b % 4
        self.core.place_best(v, max_tests)
        family = self.core.chosen[v]
        assert not self.network.closes_cycle(family)
        first_held = next(
            other
            for other in self.twin.lists[v]
            if regrow.holds(separators, self.twin.members(other)) and not self.network.closes_cycle(other)
        )
        rank = self.twin.lists[v].index
        assert family == first_held if max_tests == 0 else rank(family) <= rank(first_held)
        self.network.chosen[v] = family

    def keep(self, a: int, b: int) -> None:
        self.core.keep()
        self.network.kept = list(self.network.chosen)
        self.kept = self.state()
        assert self.core.gain == 0

    def take_back(self, a: int, b: int) -> None:
        self.core.take_back()
        self.network.chosen = list(self.network.kept)
        assert self.state() == self.kept
        assert self.core.gain == 0

    def is_reached(self, a: int, b: int) -> None:
        v, u = a % self.n, b % self.n
        assert self.core.is_reached(v, u) == self.network.is_reached(v, u)

    def holds(self, a: int, b: int) -> None:
        family = self.family(a % self.n, b)
        assert self.core.holds(family) == regrow.holds(self.core.separators, self.twin.members(family))

    def blocking_families(self, a: int, b: int) -> None:
        family = self.family(a % self.n, b)
        if self.twin.parents(family):
            found = self.core.blocking_families(family)
            assert len(set(found)) == len(found)
            assert all(self.twin.parents(self.network.chosen[v]) for v in found)

    def gain(self, a: int, b: int) -> None:
        assert math.isclose(self.core.gain, self.network.gain(), abs_tol=1e-9)

    def save(self, a: int, b: int) -> None:
        self.saved = self.core.chosen, self.core.elimination_order

    def load(self, a: int, b: int) -> None:
        self.core.load(*self.saved)
        self.network.chosen = list(self.saved[0])
        self.keep(a, b)

    def improve_whole(self, a: int, b: int) -> None:
        """At least as good as all networks inside the bags that there were; no work leaves all as it is."""
        self.keep(a, b)
        before, separators = self.core.chosen, self.core.separators
        assert not self.optimum.improve(self.core, None, 0, b)
        assert self.optimum.work > 0
        assert self.state() == self.kept
        is_better = self.optimum.improve(self.core, None, math.inf, b)
        self.network.chosen = self.core.chosen
        changed = [v for v in range(self.n) if before[v] != self.network.chosen[v]]
        assert self.optimum.changed == changed if is_better else not changed
        assert self.network.gain() >= (1e-6 if is_better else 0)
        if self.n <= FEW_VARIABLES:
            assert self.network.score() > regrow.best_inside(separators, self.twin) - 1e-5
        self.keep(a, b)

    def check(self) -> None:
        super().check()
        self.gain(0, 0)
        assert self.core.chosen == self.network.chosen
        assert regrow.is_topological(self.core.positions, self.network.parents())
        order, found = self.core.elimination_order, self.core.separators
        families = self.network.families()
        assert regrow.is_tree_of(found, order, families, self.k, self.max_cells, self.cards)


MACHINES: tuple[type[Machine], ...] = (Tree, Arcs, Pool, Network, Network)
