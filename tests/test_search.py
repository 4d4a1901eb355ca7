"""What every solver promises: the bound, the witness, determinism, budgets, interruption."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import search as reference
from strategies_search import as_cache, faults_of, random_cache, searchable_sets, seeds
from treebound import Budget, ParentSetCache
from treebound.solvers import (
    CliquePolicy,
    KAStar,
    KGreedy,
    KMax,
    OrderSampling,
    StopReason,
    search,
    solve_order,
)
from treebound.solvers._upper_bound import UpperBound

pytestmark = pytest.mark.core

SWITCHES = [(False, False), (True, False), (True, True)]
SOLVERS = [
    *(KGreedy(cliques, orders) for cliques in CliquePolicy for orders in OrderSampling),
    *(KAStar(orders=orders, max_nodes=500) for orders in OrderSampling),
    KAStar(max_nodes=500, printed=True, skip_beaten=False),
    KAStar(max_nodes=500, printed=True, max_open=20),
    *(KMax(cliques, vary_limit, refine) for cliques in CliquePolicy for vary_limit, refine in SWITCHES),
]
by_name = pytest.mark.parametrize("solver", SOLVERS, ids=repr)


@by_name
@settings(max_examples=30)
@given(sets=searchable_sets(), k=st.integers(0, 6), seed=seeds)
def test_every_structure_is_what_its_witness_says(solver, sets, k, seed):
    cache = as_cache(sets)
    result = search(cache, k, solver=solver, budget=Budget(steps=40), seed=seed, threads=1)
    assert faults_of(cache, result, k) == ()


@by_name
@settings(max_examples=10, deadline=None)
@given(sets=searchable_sets(max_variables=4, max_sets=4, with_ties=True), k=st.integers(0, 3), seed=seeds)
def test_no_solver_beats_the_optimum(solver, sets, k, seed):
    cache = as_cache(sets)
    result = search(cache, k, solver=solver, budget=Budget(steps=30), seed=seed, threads=1)
    assert reference.treewidth(result.structure.parent_indices) <= k
    assert reference.is_acyclic(result.structure.parent_indices)
    assert result.score <= reference.best_score(sets, k) + 1e-9


@by_name
@pytest.mark.parametrize("k", [0, 1, 3, 30])
def test_same_seed_and_steps_give_the_same_answer_for_any_number_of_threads(solver, k):
    cache = random_cache(40, 15, seed=3)
    budget = Budget(steps=150)
    results = [search(cache, k, solver=solver, budget=budget, seed=5, threads=t) for t in (1, 2, 5)]
    for result in results:
        assert faults_of(cache, result, k) == ()
        assert result.score == results[0].score
        assert result.trace[-1][1:] == results[0].trace[-1][1:]
        assert result.structure == results[0].structure
        assert result.ktree == results[0].ktree
        assert result.steps == (results[0].steps if result.is_optimal else 150)


@by_name
def test_another_seed_searches_elsewhere(solver):
    cache = random_cache(40, 15, seed=3)
    first, second = (search(cache, 3, solver=solver, budget=Budget(steps=5), seed=s) for s in (1, 2))
    assert first.ktree.insertion_order != second.ktree.insertion_order


@by_name
def test_more_steps_are_never_worse_and_the_trace_rises(solver):
    cache = random_cache(40, 15, seed=4)
    scores = []
    for steps in (1, 10, 100):
        result = search(cache, 3, solver=solver, budget=Budget(steps=steps), seed=1, threads=1)
        assert [i.score for i in result.trace] == sorted({i.score for i in result.trace})
        assert [i.step for i in result.trace] == sorted({i.step for i in result.trace})
        assert result.trace[0].step == 0
        assert result.trace[-1].score == result.score
        scores.append(result.score)
    assert scores == sorted(scores)


def test_refining_begins_behind_the_first_round_and_pays():
    gains = []
    for seed in range(5):
        cache = random_cache(40, 15, seed=seed)
        plain, refined = (
            [search(cache, 3, solver=KMax(refine=refine), budget=Budget(steps=steps)) for steps in (16, 300)]
            for refine in (False, True)
        )
        assert refined[0].structure == plain[0].structure
        gains.append(refined[1].score > plain[1].score)
    assert sum(gains) >= 4


def test_a_step_budget_stops_after_its_steps():
    result = search(random_cache(20, 9), 2, budget=Budget(steps=17), threads=3)
    assert (result.steps, result.stopped) == (17, StopReason.STEPS)


@by_name
def test_a_time_budget_stops_in_time_and_says_so(solver):
    result = search(
        random_cache(60, 9), 2, solver=solver, budget=Budget(seconds=0.1, patience=None), threads=2
    )
    assert result.stopped == StopReason.SECONDS
    assert result.seconds >= 0.1


def test_no_time_at_all_still_gives_a_structure():
    cache = random_cache(60, 9)
    result = search(cache, 2, budget=Budget(seconds=0))
    assert faults_of(cache, result, 2) == ()


def test_interrupt_returns_the_best_so_far():
    cache = random_cache(60, 9)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    result = search(cache, 2, budget=Budget(seconds=60), threads=2)
    assert result.stopped == StopReason.INTERRUPTED
    assert faults_of(cache, result, 2) == ()


def test_progress_is_reported_while_the_search_runs():
    seen = []
    result = search(random_cache(60, 9), 2, budget=Budget(seconds=0.4), progress=seen.append)
    assert len(seen) >= 2
    assert [p.steps for p in seen] == sorted(p.steps for p in seen)
    assert seen[-1].score <= result.score
    assert seen[-1].seconds <= result.seconds


def test_an_error_of_the_progress_callback_ends_the_search_and_is_raised():
    def fail(progress):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        search(random_cache(60, 9), 2, budget=Budget(seconds=60), progress=fail)


@by_name
def test_bound_zero_is_the_empty_graph(solver):
    result = search(random_cache(8, 9), 0, solver=solver, budget=Budget(steps=3))
    assert result.structure.parent_indices == ((),) * 8
    assert result.ktree.k == 0


@by_name
def test_one_variable(solver):
    cache = ParentSetCache.from_sets({"only": [((), -1.5)]})
    result = search(cache, 3, solver=solver, budget=Budget(steps=2))
    assert (result.score, result.structure.parent_indices) == (-1.5, ((),))


@settings(max_examples=60)
@given(sets=searchable_sets(max_variables=5), extra=st.integers(0, 50))
def test_without_a_real_bound_the_whole_problem_is_one_exact_clique(sets, extra):
    k = len(sets) - 1 + extra
    result = search(as_cache(sets), k, solver=KMax(), budget=Budget(steps=1))
    assert result.score == pytest.approx(reference.best_root_score(sets, range(len(sets))), abs=1e-9)


def test_root_cliques_too_large_for_exact_solution_follow_the_order():
    cache = random_cache(25, 30, seed=8)
    order = list(range(25))[::-1]
    result = solve_order(cache, 24, order, solver=KGreedy())
    assert faults_of(cache, result, 24) == ()
    assert list(result.ktree.insertion_order) == order
    for place, v in enumerate(order):
        best = next(s for s in cache[v] if set(s.parent_indices) <= set(order[:place]))
        assert result.structure.parent_indices[v] == best.parent_indices


def test_small_spaces_of_orders_are_exhausted_without_repetition(monkeypatch):
    # The bound of six variables is their optimum, which ends the search where it is found.
    monkeypatch.setattr(
        "treebound.solvers._search_job.upper_bound", lambda problem, _: UpperBound(problem.sum_of_best)
    )
    cache = random_cache(6, 6, seed=2)
    solver = KGreedy(CliquePolicy.NEWEST, OrderSampling.UNIFORM)
    result = search(cache, 2, solver=solver, budget=Budget(seconds=60), threads=2)
    assert (result.stopped, result.steps) == (StopReason.FINISHED, 120)


@pytest.mark.parametrize("seed", range(5))
def test_enumeration_reaches_the_best_order(seed):
    from strategies_search import all_orders

    cache = random_cache(6, 6, seed=seed)
    solver = KGreedy(CliquePolicy.NEWEST, OrderSampling.UNIFORM)
    best = max(solve_order(cache, 2, order, solver=solver).score for order in all_orders(6, 2))
    assert search(cache, 2, solver=solver, budget=Budget(seconds=60), seed=seed).score == best


def test_variables_without_an_empty_set_are_named():
    cache = ParentSetCache.from_sets({"a": [((), -1.0)], "b": [(("a",), -1.0)]})
    with pytest.raises(ValueError, match=r"none for 'b' \(1 such"):
        search(cache, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_treewidth": -1}, "max_treewidth must be at least 0, got -1"),
        ({"threads": 0}, "threads must be at least 1, got 0"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        search(random_cache(3, 3), **{"max_treewidth": 1, **arguments})


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0, 1, 3], [-1, 0, 1]])
def test_an_order_must_be_a_permutation(order):
    with pytest.raises(ValueError, match=r"order must hold each of 0\.\.2 once"):
        solve_order(random_cache(3, 3), 1, order)


@pytest.mark.parametrize("arguments", [{}, {"steps": 0}, {"seconds": -1.0}, {"seconds": float("inf")}])
def test_budgets_that_make_no_sense_are_refused(arguments):
    with pytest.raises(ValueError, match="got"):
        Budget(**arguments)
