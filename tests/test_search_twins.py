"""The solvers against their slow twins, choice by choice."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import search as reference
from strategies_search import all_orders, as_cache, random_cache, searchable_sets, seeds
from treebound import Budget
from treebound.solvers import CliquePolicy, KGreedy, KMax, OrderSampling, StopReason, search, solve_order

pytestmark = pytest.mark.core

POLICIES = [CliquePolicy.NEWEST, CliquePolicy.PARTNERS]
TWINS = {KGreedy: reference.k_greedy, KMax: reference.k_max}


def shuffled(n, seed):
    order = list(range(n))
    random.Random(seed).shuffle(order)
    return order


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("method", TWINS)
@settings(max_examples=150)
@given(sets=searchable_sets(max_variables=9), k=st.integers(1, 4), seed=seeds)
def test_solver_makes_the_choices_of_its_twin(method, policy, sets, k, seed):
    n = len(sets)
    k = min(k, n - 1)
    order = shuffled(n, seed)
    found = solve_order(as_cache(sets), k, order, solver=method(cliques=policy))
    root = list(found.ktree.insertion_order)[: k + 1]
    assert sorted(root) == sorted(order[: k + 1])
    chosen, separators, inserted = TWINS[method](sets, k, root + order[k + 1 :], policy)
    assert list(found.ktree.insertion_order) == inserted
    joined = dict(zip(inserted[k + 1 :], map(set, found.ktree.separators), strict=True))
    for v, (_, parents) in chosen.items():
        assert found.structure.parent_indices[v] == parents
        assert joined[v] == separators[v]


@settings(max_examples=150)
@given(sets=searchable_sets(max_variables=9), k=st.integers(1, 4), seed=seeds)
def test_random_cliques_hold_the_best_set_that_its_twin_finds(sets, k, seed):
    n = len(sets)
    k = min(k, n - 1)
    order = shuffled(n, seed)
    found = solve_order(as_cache(sets), k, order, solver=KGreedy(cliques=CliquePolicy.RANDOM))
    inserted = list(found.ktree.insertion_order)
    cliques = [set(inserted[: k + 1])]
    for v, separator in zip(inserted[k + 1 :], map(set, found.ktree.separators), strict=True):
        assert found.structure.parent_indices[v] == reference.best_in_cliques(sets, v, cliques, k)[1]
        assert set(found.structure.parent_indices[v]) <= separator
        assert len(separator) == k
        assert any(separator < clique for clique in cliques)
        cliques.append(separator | {v})


@settings(max_examples=200)
@given(sets=searchable_sets(max_variables=7, max_sets=12, with_ties=True), k=st.integers(0, 5), seed=seeds)
def test_the_root_clique_is_solved_exactly(sets, k, seed):
    k = min(k, len(sets) - 1)
    order = shuffled(len(sets), seed)
    cache = as_cache(sets)
    found = solve_order(cache, k, order, solver=KGreedy())
    root = order[: k + 1]
    score = sum(found.structure.local_scores[v] for v in root)
    assert score == pytest.approx(reference.best_root_score(sets, root), abs=1e-9)


@settings(max_examples=50)
@given(sets=searchable_sets(max_variables=7, with_ties=True), k=st.integers(0, 4), seed=seeds)
def test_equivalent_orders_count_as_one(sets, k, seed):
    order = shuffled(len(sets), seed)
    k = min(k, len(sets) - 1)
    other = order[: k + 1][::-1] + order[k + 1 :]
    first, second = (solve_order(as_cache(sets), k, o, solver=KGreedy()) for o in (order, other))
    assert first.structure == second.structure
    assert first.ktree == second.ktree


@settings(max_examples=20)
@given(sets=searchable_sets(max_variables=6, with_ties=True), k=st.integers(1, 2), seed=seeds)
def test_orders_that_are_given_up_could_not_have_won(sets, k, seed):
    k = min(k, len(sets) - 1)
    solver = KGreedy(cliques=CliquePolicy.NEWEST, orders=OrderSampling.UNIFORM)
    found = search(as_cache(sets), k, solver=solver, budget=Budget(seconds=600), seed=seed)
    decoded = [
        solve_order(as_cache(sets), k, order, solver=solver).score for order in all_orders(len(sets), k)
    ]
    assert found.stopped in (StopReason.FINISHED, StopReason.OPTIMAL)
    assert found.score == pytest.approx(max(decoded), rel=1e-9)


@pytest.mark.parametrize("solver", [KGreedy(), KMax(vary_limit=False)])
@pytest.mark.parametrize("k", [1, 3, 6])
def test_a_perturbed_order_decodes_to_what_it_does_alone(solver, k):
    cache = random_cache(40, 20, seed=k)
    found = search(cache, k, solver=solver, budget=Budget(steps=3000), seed=k)
    assert found.trace[-1].step > 16, "no step after the first round has won"
    alone = solve_order(cache, k, found.structure.insertion_order, solver=KGreedy())
    assert alone.structure.parent_indices == found.structure.parent_indices
    assert alone.ktree == found.ktree
