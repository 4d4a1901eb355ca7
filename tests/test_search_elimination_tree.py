"""The elimination tree of Regrow against eliminating from scratch, change by change."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import elimination as reference
from treebound import _core_testing

pytestmark = pytest.mark.core


class Checked:
    """A tree with the families that it should hold, and what must be true of both."""

    def __init__(self, n, k, max_cells=math.inf, cards=None):
        self.n, self.k, self.max_cells, self.cards = n, k, max_cells, cards
        states = np.array([] if cards is None else cards, dtype=np.uint32)
        self.tree = _core_testing.EliminationTree(n, k, max_cells, states)
        self.families = {}

    def state(self):
        return [(self.tree.parent(u), sorted(self.tree.separator(u))) for u in range(self.n)]

    def check(self):
        order = self.tree.elimination_order()
        expected = reference.separators(self.n, self.families.values(), order)
        assert [set(self.tree.separator(u)) for u in range(self.n)] == expected
        assert [len(self.tree.separator(u)) for u in range(self.n)] == [len(members) for members in expected]
        for u, members in enumerate(expected):
            assert self.tree.parent(u) == reference.parent(order, members)
        self.check_bounds()

    def check_bounds(self):
        bags = [{u, *self.tree.separator(u)} for u in range(self.n)]
        assert max(map(len, bags)) <= self.k + 1
        if self.cards is not None:
            assert max(math.prod(self.cards[v] for v in bag) for bag in bags) <= self.max_cells
        for family in self.families.values():
            assert any(set(family) <= bag for bag in bags)
            assert self.tree.holds(family)

    def drop(self, owner):
        self.tree.remove(owner)
        self.families.pop(owner, None)

    def put(self, owner, family):
        """Give a variable without family this one; return whether it was covered."""
        before = self.state()
        held = self.tree.holds(family)
        assert held == any(set(family) <= {u, *separator} for u, (_, separator) in enumerate(before))
        if not self.tree.cover(family):
            assert not held
            assert self.state() == before
            return False
        if held:
            assert self.state() == before
        self.tree.add(owner, family)
        self.families[owner] = family
        return True


@st.composite
def bounds(draw, max_variables):
    n = draw(st.integers(1, max_variables))
    k = draw(st.integers(1, 4))
    if draw(st.booleans()):
        return n, k, math.inf, None
    cards = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    return n, k, draw(st.integers(max(cards), 40)), cards


@st.composite
def changes(draw, n, k):
    """(owner, family) to put, (owner, None) to drop, "mark" and "back"."""

    def family(owner):
        others = st.sets(st.integers(0, n - 1), max_size=k + 1).map(lambda found: sorted(found - {owner}))
        return others.flatmap(lambda found: st.permutations([owner, *found]))

    puts = st.integers(0, n - 1).flatmap(lambda owner: st.tuples(st.just(owner), family(owner)))
    drops = st.tuples(st.integers(0, n - 1), st.none())
    return draw(st.lists(puts | puts | drops | st.sampled_from(["mark", "back"]), max_size=40))


@settings(max_examples=120)
@given(data=st.data())
def test_after_every_change_the_bags_are_those_of_the_families_and_no_larger(data):
    n, k, max_cells, cards = data.draw(bounds(9))
    checked = Checked(n, k, max_cells, cards)
    marks = []
    for change in data.draw(changes(n, k)):
        match change:
            case "mark":
                marks.append((checked.tree.mark(), checked.state(), dict(checked.families)))
            case "back" if marks:
                mark, state, families = marks.pop()
                checked.tree.roll_back(mark)
                checked.families = families
                assert checked.state() == state
            case (owner, family):
                checked.drop(owner)
                checked.check()
                if family is not None and len(family) > 1:
                    checked.put(owner, family)
        checked.check()
    for mark, state, families in reversed(marks):
        checked.tree.roll_back(mark)
        checked.families = families
        assert checked.state() == state
        checked.check()


@settings(max_examples=40)
@given(data=st.data())
def test_a_family_is_covered_only_where_some_order_allows_it(data):
    n, k, max_cells, cards = data.draw(bounds(7))
    checked = Checked(n, k, max_cells, cards)
    for change in data.draw(changes(n, k)):
        if change in ("mark", "back"):
            continue
        owner, family = change
        checked.drop(owner)
        if family is not None and len(family) > 1:
            wanted = [*checked.families.values(), family]
            if checked.put(owner, family):
                assert reference.can_be_kept(wanted, k, max_cells, cards)


def test_a_family_is_mostly_covered_where_some_order_allows_it():
    source = random.Random(1)
    possible = found = 0
    for _ in range(40):
        checked = Checked(7, 2)
        for _ in range(10):
            owner, *others = source.sample(range(7), source.randint(2, 3))
            checked.drop(owner)
            possible += reference.can_be_kept([*checked.families.values(), [owner, *others]], 2)
            found += checked.put(owner, [owner, *others])
    assert 0.9 * possible < found <= possible < 400


@settings(max_examples=60)
@given(n=st.integers(1, 9), seed=st.integers(0, 2**32))
def test_a_tree_can_be_built_along_any_order(n, seed):
    source = random.Random(seed)
    order = source.sample(range(n), n)
    families = [
        [v, *source.sample([u for u in range(n) if u != v], source.randint(0, min(2, n - 1)))]
        for v in range(n)
    ]
    kept = {v: family for v, family in enumerate(families) if len(family) > 1}
    expected = reference.separators(n, kept.values(), order)
    checked = Checked(n, max(map(len, expected)))
    checked.tree.build(order, families)
    checked.families = kept
    checked.check()
    assert [set(checked.tree.separator(u)) for u in range(n)] == expected
    for owner in source.sample(range(n), n):
        checked.drop(owner)
        checked.check()


def test_all_families_gone_leaves_nothing():
    checked = Checked(6, 3)
    for owner in range(5):
        assert checked.put(owner, [owner, owner + 1])
    for owner in (2, 0, 4, 1, 3):
        checked.drop(owner)
        checked.check()
    assert checked.state() == [(-1, [])] * 6


def arms(lengths, hub):
    """Paths that leave from their far ends towards a clique of ``hub`` variables; their ends, the order."""
    starts = [hub + sum(lengths[:i]) for i in range(len(lengths))]
    families = {0: list(range(hub))}
    order = []
    for start, length in zip(starts, lengths, strict=True):
        path = [*range(start, start + length), 0]
        families |= {u: [u, w] for u, w in pairwise(path)}
        order += path[:-1]
    return starts, order + list(range(hub)), families


@pytest.mark.parametrize(
    ("lengths", "is_covered"),
    [
        ([5, 5], True),
        ([30, 28], True),  # one word per row
        ([31, 31], True),
        ([32, 31], True),
        ([45, 50], True),  # two
        ([61, 61], True),
        ([62, 62], True),  # inner variables and those around: four
        ([63, 63], True),
        ([40, 41, 42], True),
        ([20, 45, 5], True),
        ([64, 64], False),  # more than are looked at
        ([100, 120], False),
    ],
)
@pytest.mark.parametrize("states", [False, True])
def test_long_paths_are_eliminated_again(lengths, is_covered, states):
    ends, order, families = arms(lengths, 4)
    n = len(order)
    cards = [2 + v % 2 for v in range(n)]
    checked = Checked(n, 3, 100, cards) if states else Checked(n, 3)
    checked.tree.build(order, [families.get(v, [v]) for v in range(n)])
    checked.families = families
    checked.check()
    mark, before = checked.tree.mark(), checked.state()
    assert checked.tree.blocking_families(ends) == [] or is_covered
    owner = n - 1 if n - 1 not in families else 1
    assert checked.put(owner, ends) == is_covered
    checked.check()
    if is_covered:
        checked.drop(owner)
        checked.check()
    checked.tree.roll_back(mark)
    checked.families = families
    assert checked.state() == before


@pytest.mark.parametrize(("k", "reach", "seed"), [(3, 6, 1), (3, 40, 2), (2, 15, 3), (5, 100, 4)])
def test_long_runs_over_many_variables(k, reach, seed):
    """Families of variables not far from each other, on top of a path, put and dropped at random."""
    source, n = random.Random(seed), 200
    checked = Checked(n, k)
    families = {v: [v, v + 1] for v in range(n - 1)}
    checked.tree.build(list(range(n)), [families.get(v, [v]) for v in range(n)])
    checked.families = families
    marked, num_put = (checked.tree.mark(), checked.state(), dict(families)), 0
    for i in range(700):
        owner = source.randrange(n)
        checked.drop(owner)
        near = [u for u in range(max(0, owner - reach), min(n, owner + reach)) if u != owner]
        if source.random() < 0.8:
            num_put += checked.put(owner, [owner, *source.sample(near, source.randint(1, k))])
        if i % 50 == 49:
            checked.check()
            mark, state, families = marked
            if source.random() < 0.3:
                checked.tree.roll_back(mark)
                checked.families = dict(families)
                assert checked.state() == state
                checked.check()
            marked = checked.tree.mark(), checked.state(), dict(checked.families)
    assert num_put > 100


def test_families_that_the_bound_forbids_are_not_covered():
    checked = Checked(5, 2, 12, [2, 3, 4, 2, 2])
    assert not checked.put(0, [0, 1, 2])
    assert not checked.put(0, [0, 1, 3, 4])
    assert checked.put(0, [0, 1, 3])
    checked.check()
