"""k-A*: the optimum of an order, what may be switched off, and what happens when memory runs out."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import search as reference
from strategies_search import as_cache, faults_of, random_cache, searchable_sets, seeds
from treebound import Budget
from treebound.solvers import CliquePolicy, KAStar, KGreedy, OrderSampling, StopReason, search, solve_order

pytestmark = pytest.mark.core

SWITCHES = [
    dict(zip(("incumbent", "tight_bound", "conflicts", "dominance"), choice, strict=True))
    for choice in itertools.product([False, True], repeat=4)
]


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@settings(max_examples=30, deadline=None)
@given(
    sets=searchable_sets(max_variables=7, max_sets=14, max_parents=3),
    k=st.integers(0, 3),
    seed=seeds,
    policy=st.sampled_from(CliquePolicy),
)
def test_the_answer_is_the_optimum_over_all_clique_choices(switches, sets, k, seed, policy):
    k = min(k, len(sets) - 1)
    order = list(range(len(sets)))
    random.Random(seed).shuffle(order)
    cache = as_cache(sets)
    solver = KAStar(cliques=policy, max_nodes=10**6, **switches)
    found = solve_order(cache, k, order, solver=solver)
    assert found.statistics["is_optimal_for_order"]
    assert faults_of(cache, found, k) == ()
    assert found.score == pytest.approx(reference.best_for_order(sets, k, order), abs=1e-8)


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_larger_orders_agree_with_the_full_search(switches):
    differing = 0
    for seed in range(15):
        cache = random_cache(11, 25, seed=seed, max_parents=3)
        order = random.Random(seed).sample(range(11), 11)
        full = solve_order(cache, 2, order, solver=KAStar(max_nodes=10**6))
        found = solve_order(cache, 2, order, solver=KAStar(max_nodes=10**6, **switches))
        assert full.statistics["is_optimal_for_order"]
        assert found.statistics["is_optimal_for_order"]
        assert found.score == pytest.approx(full.score, abs=1e-8)
        differing += full.score > solve_order(cache, 2, order, solver=KGreedy()).score + 1e-8
    assert differing > 3, "the orders are too easy to tell k-A* from k-G"


def test_without_memory_nothing_is_proved_and_k_greedy_is_not_beaten():
    cache = random_cache(30, 40, seed=1)
    order = list(range(30))
    greedy = solve_order(cache, 3, order, solver=KGreedy())
    for max_nodes in (1, 10, 100):
        found = solve_order(cache, 3, order, solver=KAStar(max_nodes=max_nodes))
        assert not found.statistics["is_optimal_for_order"]
        assert found.score >= greedy.score
        assert faults_of(cache, found, 3) == ()


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
