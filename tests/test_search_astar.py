"""k-A*: the optimum of an order, from the back and as printed, and what happens at its limits."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import search as reference
from strategies_search import as_cache, faults_of, random_cache, searchable_sets, seeds
from treebound import Budget
from treebound.solvers import (
    CliquePolicy,
    ExactDp,
    KAStar,
    KGreedy,
    OrderSampling,
    StopReason,
    search,
    solve_order,
)

pytestmark = pytest.mark.core

WAYS = [False, True]
by_way = pytest.mark.parametrize("printed", WAYS, ids=["back", "front"])


@by_way
@settings(max_examples=100, deadline=None)
@given(
    sets=searchable_sets(max_variables=7, max_sets=14, max_parents=3),
    k=st.integers(0, 3),
    seed=seeds,
    policy=st.sampled_from(CliquePolicy),
)
def test_the_answer_is_the_optimum_over_all_clique_choices(printed, sets, k, seed, policy):
    k = min(k, len(sets) - 1)
    order = list(range(len(sets)))
    random.Random(seed).shuffle(order)
    cache = as_cache(sets)
    found = solve_order(cache, k, order, solver=KAStar(cliques=policy, max_nodes=None, printed=printed))
    assert found.statistics["is_optimal_for_order"]
    assert faults_of(cache, found, k) == ()
    assert found.score == pytest.approx(reference.best_for_order(sets, k, order), abs=1e-8)


def test_both_ways_agree_on_larger_orders():
    differing = 0
    for seed in range(30):
        cache = random_cache(11, 25, seed=seed, max_parents=3)
        order = random.Random(seed).sample(range(11), 11)
        back, front = (
            solve_order(cache, 2, order, solver=KAStar(max_nodes=None, printed=printed)) for printed in WAYS
        )
        assert back.statistics["is_optimal_for_order"]
        assert front.statistics["is_optimal_for_order"]
        assert back.score == pytest.approx(front.score, abs=1e-8)
        differing += back.score > solve_order(cache, 2, order, solver=KGreedy()).score + 1e-8
    assert differing > 6, "the orders are too easy to tell k-A* from k-G"


def test_an_unfinished_search_from_the_back_is_not_below_k_greedy():
    cache = random_cache(30, 40, seed=1)
    order = list(range(30))
    greedy = solve_order(cache, 3, order, solver=KGreedy())
    scores = []
    for max_nodes in (1, 10, 30):
        found = solve_order(cache, 3, order, solver=KAStar(max_nodes=max_nodes))
        assert not found.statistics["is_optimal_for_order"]
        assert found.score >= greedy.score
        assert faults_of(cache, found, 3) == ()
        scores.append(found.score)
    assert scores[-1] > greedy.score


def test_a_variable_without_parents_joins_a_random_clique():
    cache = as_cache([[(-1.0, (1,)), (-2.0, ())], *([(-1.0, ())] for _ in range(6))])
    solver = KAStar(cliques=CliquePolicy.RANDOM)
    for seed in range(5):
        order = random.Random(seed).sample(range(7), 7)
        assert faults_of(cache, solve_order(cache, 2, order, solver=solver), 2) == ()


def test_memory_limits_the_printed_search_and_is_reported():
    cache = random_cache(30, 40, seed=1)
    solver = KAStar(printed=True, max_nodes=None, memory_mb=1)
    found = solve_order(cache, 3, list(range(30)), solver=solver)
    assert found.statistics["num_out_of_memory"] == 1
    assert found.statistics["num_proved"] == 0
    assert not found.statistics["is_optimal_for_order"]
    assert faults_of(cache, found, 3) == ()


def test_dropping_open_states_gives_up_the_proof():
    cache = random_cache(14, 25, seed=3, max_parents=3)
    order = list(range(14))
    every = solve_order(cache, 2, order, solver=KAStar(printed=True, max_nodes=None))
    few = solve_order(cache, 2, order, solver=KAStar(printed=True, max_nodes=None, max_open=4))
    assert every.statistics["is_optimal_for_order"]
    assert not few.statistics["is_optimal_for_order"]
    assert few.score <= every.score
    assert faults_of(cache, few, 2) == ()


def test_figure_1_is_outside_the_space_of_k_greedy_and_k_astar():
    # A, B -> E; C, D -> F; E, F -> G: treewidth 2, but 3 along every reverse topological order.
    parents = {4: (0, 1), 5: (2, 3), 6: (4, 5)}
    sets = [[(0.0, ())] if v < 4 else [(0.0, parents[v]), (-10.0, ())] for v in range(7)]
    cache = as_cache(sets)
    assert search(cache, 2, solver=ExactDp(), budget=Budget(seconds=60)).score == 0
    for solver in (KGreedy.as_printed(), KAStar.as_printed(), KAStar(orders=OrderSampling.UNIFORM)):
        found = search(cache, 2, solver=solver, budget=Budget(seconds=60, patience=None), threads=1)
        assert found.stopped == StopReason.FINISHED
        assert found.score == -10
        assert search(cache, 3, solver=solver, budget=Budget(seconds=60), threads=1).score == 0


def test_a_root_too_large_for_exact_solution_proves_nothing():
    cache = random_cache(25, 10, seed=1)
    assert not solve_order(cache, 22, list(range(25)), solver=KAStar()).statistics["is_optimal_for_order"]


def test_exhausting_all_orders_finds_the_best_learnable_structure():
    for seed in range(3):
        cache = random_cache(5, 8, seed=seed, max_parents=2)
        sets = [[(s.score, s.parent_indices) for s in cache[v]] for v in range(5)]
        best = max(reference.best_for_order(sets, 2, order) for order in itertools.permutations(range(5)))
        solver = KAStar(orders=OrderSampling.UNIFORM)
        result = search(cache, 2, solver=solver, budget=Budget(seconds=60), threads=2)
        assert result.stopped in (StopReason.FINISHED, StopReason.OPTIMAL)
        assert result.score == pytest.approx(best, abs=1e-8)


def test_skipping_beaten_orders_changes_the_work_but_not_the_answer():
    cache = random_cache(12, 12, seed=6, max_parents=2)
    solvers = [KAStar(orders=OrderSampling.UNIFORM, skip_beaten=skip) for skip in (False, True)]
    every, some = (search(cache, 2, solver=s, budget=Budget(steps=300), threads=1) for s in solvers)
    assert some.structure == every.structure
    assert (every.statistics["num_skipped"], every.statistics["num_proved"]) == (0, 300)
    assert some.statistics["num_skipped"] > 100
    assert some.statistics["num_proved"] + some.statistics["num_skipped"] == 300


def test_max_nodes_is_checked():
    with pytest.raises(ValueError, match="max_nodes must be at least 1, got 0"):
        KAStar(max_nodes=0)
    with pytest.raises(ValueError, match="max_open applies only to the printed A"):
        KAStar(max_open=5)
