"""The search over orders: windows and selections against slow twins."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import order as twin
from reference import search as reference
from strategies_search import as_cache, random_cache, searchable_sets, seeds
from treebound import Budget, _core, _core_testing
from treebound.solvers import OrderSearch, search
from treebound.solvers._problem import searchable

pytestmark = pytest.mark.core


def in_core(sets):
    cache = as_cache(sets)
    return searchable(cache, max(len(sets) - 1, 0))


def shuffled(n, seed):
    order = list(range(n))
    random.Random(seed).shuffle(order)
    return order


def assert_decoded(sliding, sets):
    score, parents = twin.decode(sets, sliding.order)
    assert sliding.parents == [list(chosen) for chosen in parents]
    assert sliding.score == pytest.approx(score, abs=1e-9)


@settings(max_examples=150)
@given(sets=searchable_sets(max_variables=9, max_sets=12), seed=seeds, data=st.data())
def test_a_window_slides_to_its_best_place(sets, seed, data):
    sliding = _core_testing.SlidingOrder(in_core(sets))
    sliding.load(shuffled(len(sets), seed))
    for _ in range(4):
        size = data.draw(st.integers(1, min(_core.MAX_WINDOW, len(sets))))
        first = data.draw(st.integers(0, len(sets) - size))
        before = list(sliding.order)
        best = max(twin.decode(sets, order)[0] for order in twin.all_slides(before, first, size))
        has_moved = sliding.slide(first, size, 0.0, seed)
        assert_decoded(sliding, sets)
        assert sliding.score == pytest.approx(best, abs=1e-9)
        assert has_moved == (sliding.order != before)


@settings(max_examples=150)
@given(
    sets=searchable_sets(max_variables=9, max_sets=12, with_ties=True),
    seed=seeds,
    temperature=st.sampled_from([0.01, 1.0, 100.0]),
    data=st.data(),
)
def test_a_heated_window_slides_to_some_place(sets, seed, temperature, data):
    sliding = _core_testing.SlidingOrder(in_core(sets))
    sliding.load(shuffled(len(sets), seed))
    for turn in range(6):
        size = data.draw(st.integers(1, min(_core.MAX_WINDOW, len(sets))))
        first = data.draw(st.integers(0, len(sets) - size))
        allowed = twin.all_slides(list(sliding.order), first, size)
        sliding.slide(first, size, temperature, seed + turn)
        assert list(sliding.order) in allowed
        assert_decoded(sliding, sets)


def test_places_are_drawn_by_their_gains():
    # Variable 0 gains 1 behind 1, and 2 behind 2: weights 1, e and e^2 for the three places.
    sets = [[(-1.0, (2,)), (-2.0, (1,)), (-3.0, ())], [(0.0, ())], [(0.0, ())]]
    sliding = _core_testing.SlidingOrder(in_core(sets))
    counts = {}
    for seed in range(3000):
        sliding.load([0, 1, 2])
        sliding.slide(0, 1, 1.0, seed)
        counts[tuple(sliding.order)] = counts.get(tuple(sliding.order), 0) + 1
    shares = [counts[order] / 3000 for order in ((0, 1, 2), (1, 0, 2), (1, 2, 0))]
    assert shares == pytest.approx([0.090, 0.245, 0.665], abs=0.03)


@settings(max_examples=100)
@given(sets=searchable_sets(max_variables=9, max_sets=12), seed=seeds)
def test_another_order_of_the_arcs_never_loses(sets, seed):
    sliding = _core_testing.SlidingOrder(in_core(sets))
    sliding.load(shuffled(len(sets), seed))
    before, arcs = sliding.score, sliding.parents
    sliding.reorder(seed)
    place = {v: i for i, v in enumerate(sliding.order)}
    assert all(place[p] < place[v] for v, chosen in enumerate(arcs) for p in chosen)
    assert_decoded(sliding, sets)
    assert sliding.score >= before - 1e-9


@settings(max_examples=150)
@given(sets=searchable_sets(max_variables=9, max_sets=12), seed=seeds)
def test_acyclic_selection_is_that_of_the_twin(sets, seed):
    turns = shuffled(len(sets), seed)
    order = _core_testing.asobs_order(in_core(sets), turns)
    selected = twin.asobs(sets, turns)
    place = {v: i for i, v in enumerate(order)}
    assert all(place[p] < place[v] for v, chosen in enumerate(selected) for p in chosen)


@settings(max_examples=40)
@given(sets=searchable_sets(max_variables=5, max_sets=5))
def test_small_optima_are_found(sets):
    best = max(twin.decode(sets, order)[0] for order in itertools.permutations(range(len(sets))))
    assert best == pytest.approx(reference.best_score(sets, len(sets)), abs=1e-9)

    def found(seed):
        return search(as_cache(sets), solver=OrderSearch(), budget=Budget(steps=10), seed=seed).score

    # One chain may stay where sliding any window loses more than the temperature allows: on some of these
    # instances every second seed does.
    assert any(found(seed) == pytest.approx(best, abs=1e-9) for seed in range(16))


def test_annealing_improves_on_the_first_descent():
    cache = random_cache(40, 60, seed=3)
    first, last = (
        search(cache, solver=OrderSearch(chains=1), budget=Budget(steps=steps), threads=1).score
        for steps in (1, 20)
    )
    assert last > first


@pytest.mark.parametrize("option", [{"chains": 0}, {"max_window": 0}, {"max_window": 7}])
def test_options_out_of_range_are_refused(option):
    with pytest.raises(ValueError, match=next(iter(option))):
        OrderSearch(**option)
