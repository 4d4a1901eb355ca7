"""The topological order that follows the arcs, against walking along all of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import elimination as reference
from treebound import _core_testing

pytestmark = pytest.mark.core


def agree(order, parents):
    """The positions are an order in which parents come first, and reachability is the twin's."""
    n = len(parents)
    positions = order.positions
    assert sorted(positions) == list(range(n))
    for child, chosen in enumerate(parents):
        assert all(positions[p] < positions[child] for p in chosen)
        assert order.has_parents(child) == bool(chosen)
        assert sorted(order.children(child)) == [c for c in range(n) if child in parents[c]]
    for v in range(n):
        order.mark_from(v)
        reachable = reference.reachable(n, parents, v)
        assert {u for u in range(n) if order.is_descendant(u)} == reachable
        assert {u for u in range(n) if u != v and order.leads_to(v, u)} == reachable - {v}


@st.composite
def requests(draw):
    n = draw(st.integers(1, 8))
    variables = st.integers(0, n - 1)
    sets = st.tuples(variables, st.sets(variables, max_size=3))
    return n, draw(st.lists(sets | st.sampled_from(["mark", "back"]), max_size=30))


@settings(max_examples=200)
@given(task=requests())
def test_the_order_stays_topological_through_additions_removals_and_undoing(task):
    """As a network uses it: parents replaced if they close no cycle; arcs undone by hand, not by log."""
    n, steps = task
    order = _core_testing.ArcOrder(n)
    parents = [set() for _ in range(n)]
    marks = []
    for step in steps:
        match step:
            case "mark":
                marks.append((order.mark(), order.positions, [set(chosen) for chosen in parents]))
            case "back" if marks:
                mark, positions, earlier = marks.pop()
                for child in range(n):
                    order.remove(child, sorted(parents[child]))
                order.roll_back(mark)
                assert order.positions == positions
                for child in range(n):
                    order.add(child, sorted(earlier[child]))
                assert order.positions == positions
                parents = earlier
            case (child, wanted):
                order.remove(child, sorted(parents[child]))
                parents[child] = set()
                order.mark_from(child)
                closes = [order.is_descendant(u) for u in wanted]
                assert closes == [u in reference.reachable(n, parents, child) for u in wanted]
                if not any(closes):
                    order.add(child, sorted(wanted))
                    parents[child] = wanted
        agree(order, parents)


def test_a_long_path_is_turned_around():
    n = 300
    order = _core_testing.ArcOrder(n)
    for v in range(n - 1):
        order.add(v, [v + 1])
    assert order.positions == list(range(n))[::-1]
    order.mark_from(n - 1)
    assert all(order.is_descendant(u) for u in range(n))


def test_variables_that_are_not_concerned_keep_their_places():
    order = _core_testing.ArcOrder(6)
    order.add(2, [4])
    assert order.positions == [0, 1, 4, 3, 2, 5]
