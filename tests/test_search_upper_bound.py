"""Upper bounds: never below the optimum, never above what single clusters cost, the same for everyone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import bounds as reference
from reference import scoring as scoring_reference
from reference import search as search_reference
from strategies_scoring import make_dataset, rows_of, small_datasets
from strategies_search import as_cache, random_cache, searchable_sets, seeds
from treebound import (
    Bdeu,
    Bic,
    Budget,
    Constraints,
    Exhaustive,
    Independence,
    Local,
    _core,
    learn,
    random_network,
    score,
)
from treebound._ordering import orderable
from treebound.solvers import (
    S2,
    BoundSource,
    ChowLiu,
    Gobnilp,
    HcEt,
    KGreedy,
    KMax,
    OrderSearch,
    Regrow,
    StopReason,
    search,
)
from treebound.solvers._problem import searchable
from treebound.solvers._unscored_families import largest_scores
from treebound.solvers._upper_bound import upper_bound

pytestmark = pytest.mark.core
ANY_RUN = _core.Run(math.inf, _core.Run.NO_LIMIT, 1)


@settings(max_examples=200)
@given(sets=searchable_sets(max_variables=5, max_sets=6), k=st.integers(0, 4))
def test_the_bound_lies_between_the_optimum_and_the_sum_of_best_less_the_largest_loss(sets, k):
    bound = _core.upper_bound(searchable(as_cache(sets), k), ANY_RUN)
    assert bound >= search_reference.best_score(sets, k) - 1e-9
    most = reference.sum_of_best(sets, k) - reference.largest_cluster_loss(sets, k)
    assert bound <= most + 1e-9


@settings(max_examples=200)
@given(sets=searchable_sets(max_variables=5, max_sets=6))
def test_of_treewidth_one_the_bound_is_the_optimum(sets):
    bound = _core.upper_bound(searchable(as_cache(sets), 1), ANY_RUN)
    assert bound == pytest.approx(search_reference.best_score(sets, 1), abs=1e-9)


# Where an exact solver is soon done, the bound is the optimum.


@settings(max_examples=100)
@given(sets=searchable_sets(max_variables=5, max_sets=6))
def test_the_best_dag_of_any_treewidth_is_that_of_brute_force(sets):
    problem = searchable(as_cache(sets), len(sets))
    chosen = _core.best_dag(problem)
    owners = np.searchsorted(problem.first_entries, chosen, "right") - 1
    assert owners.tolist() == list(range(len(sets)))
    parents = [problem.parents(entry) for entry in chosen]
    assert len(list(orderable(parents))) == len(sets)
    assert problem.scores[chosen].sum() == pytest.approx(search_reference.best_score(sets, len(sets)))


@settings(max_examples=100)
@given(sets=searchable_sets(max_variables=5, max_sets=6), k=st.integers(0, 4))
def test_of_few_variables_the_bound_is_the_optimum(sets, k):
    bound, optimum = upper_bound(searchable(as_cache(sets), k), ANY_RUN)
    assert bound == pytest.approx(search_reference.best_score(sets, k), abs=1e-9)
    assert sum(optimum.local_scores) == pytest.approx(bound, abs=1e-9)
    assert search_reference.treewidth(optimum.parents) <= k
    assert search_reference.is_acyclic(optimum.parents)
    assert sorted(optimum.elimination_order) == list(range(len(sets)))


@pytest.mark.parametrize("k", range(1, 6))
@pytest.mark.parametrize("budget", [Budget(steps=500), Budget(seconds=600)], ids=["steps", "seconds"])
def test_the_default_proves_the_optimum_of_a_table_of_nine_columns(k, budget):
    table = random_network(9, max_states=3, seed=4).sample(400, seed=1)
    result = learn(table, k, budget=budget, where=Local(threads=2)).search
    assert result.stopped is StopReason.OPTIMAL
    assert result.bound_source is BoundSource.ROWS


@pytest.mark.parametrize("k", range(1, 6))
def test_where_the_optimum_is_soon_found_the_default_makes_no_moves(k):
    table = random_network(9, max_states=3, seed=4).sample(400, seed=1)
    by_moves = learn(table, k, solver=Regrow(exact=False), budget=Budget(steps=500)).search
    result = learn(table, k, budget=Budget(steps=500)).search
    assert (result.stopped, result.steps) == (StopReason.OPTIMAL, 1)
    assert result.score == pytest.approx(by_moves.bound)


@pytest.mark.parametrize("max_cells", [8, 20, 50])
def test_an_optimum_with_too_many_cells_is_only_a_bound(max_cells):
    table = random_network(8, max_states=3, seed=4).sample(400, seed=1)
    wide = learn(table, 3, budget=Budget(steps=100))
    limit = Constraints(max_cells=max_cells)
    result = learn(table, 3, constraints=limit, budget=Budget(steps=100))
    assert result.verdict
    assert result.score <= wide.score
    assert (result.search.steps == 1) == (result.score == pytest.approx(wide.score))


def test_a_start_at_the_optimum_is_its_own_result():
    table = random_network(9, max_states=3, seed=4).sample(400, seed=1)
    first = learn(table, 2, budget=Budget(steps=5)).structure
    again = learn(table, 2, budget=Budget(steps=5), start=first)
    assert again.search.stopped is StopReason.OPTIMAL
    assert again.structure.parent_indices == first.parent_indices


def test_the_steps_until_a_proof_do_not_depend_on_the_threads():
    table = random_network(9, max_states=3, seed=4).sample(400, seed=1)
    moves, budget = Regrow(exact=False), Budget(steps=500)
    one, three = (learn(table, 3, solver=moves, budget=budget, where=Local(threads=n)).search for n in (1, 3))
    assert one.stopped is StopReason.OPTIMAL
    assert (one.steps, one.bound) == (three.steps, three.bound)
    assert one.structure.parent_indices == three.structure.parent_indices


def test_a_search_stops_while_its_bound_is_computed():
    run = _core.Run(math.inf, _core.Run.NO_LIMIT, 1)
    run.request_stop()
    problem = searchable(random_cache(9, 40), 3)
    assert upper_bound(problem, run).score >= upper_bound(problem, ANY_RUN).score - 1e-9


def test_a_search_of_treewidth_one_ends_with_its_proof():
    found = search(random_cache(60, 40), 1, budget=Budget(seconds=60))
    assert found.stopped is StopReason.OPTIMAL


def test_many_conflicts_add_up():
    # Pairs that want each other, and a ring: each costs one.
    sets = {f"x{v}": [((), -1.0), ((v ^ 1,), 0.0)] for v in range(6)}
    sets |= {f"x{v}": [((), -1.0), ((6 + (v - 5) % 4,), 0.0)] for v in range(6, 10)}
    cache = type(random_cache(2, 1)).from_sets(sets)
    assert _core.upper_bound(searchable(cache, 2), ANY_RUN) == pytest.approx(-4.0)


def test_the_bound_is_the_same_for_every_budget_of_steps_and_valid_when_cut_short():
    problem = searchable(random_cache(60, 40), 3)
    free = _core.upper_bound(problem, ANY_RUN)
    assert _core.upper_bound(problem, _core.Run(math.inf, 7, 3)) == free
    assert free < problem.sum_of_best
    assert free <= _core.upper_bound(problem, _core.Run(0, 7, 1)) <= problem.sum_of_best


@settings(max_examples=60)
@given(
    data=small_datasets(max_variables=4), scored=st.integers(0, 2), k=st.integers(0, 3), bdeu=st.booleans()
)
def test_no_unseen_family_is_above_its_bound(data, scored, k, bdeu):
    cards, rows = data.schema.cardinalities, rows_of(data)

    def local_score(child, parents):
        if bdeu:
            return scoring_reference.bdeu(child, parents, rows, cards, 1.0)
        return scoring_reference.bic(child, parents, rows, cards)

    n = data.num_variables
    bounds = largest_scores(data, Bdeu() if bdeu else Bic(), np.full(n, scored), min(k, n - 1))
    for v in range(n):
        true_best = reference.largest_unseen_score(local_score, n, v, scored, k)
        assert bounds[v] >= true_best - 1e-7 * (1 + abs(true_best))
        assert (bounds[v] == -math.inf) == (true_best == -math.inf)


@settings(max_examples=40)
@given(
    data=small_datasets(max_variables=4, min_states=2),
    k=st.integers(1, 3),
    parent_sets=st.sampled_from([Exhaustive(0), Exhaustive(1), Exhaustive(3), Independence()]),
    solver=st.sampled_from([Regrow(), Regrow(exact=False), HcEt(), ChowLiu(), S2()]),
    bdeu=st.booleans(),
)
def test_the_bound_of_rows_is_never_below_the_optimum_of_the_table(data, k, parent_sets, solver, bdeu):
    local_score = Bdeu() if bdeu else Bic()
    cache = score(data, parent_sets=parent_sets, score=local_score, budget=None).cache
    everything = score(data, parent_sets=Exhaustive(3), score=local_score, pruning=None, budget=None).cache
    pairs = [[(one.score, one.parent_indices) for one in everything[v]] for v in range(len(everything))]
    best = search_reference.best_score(pairs, k)
    result = search(cache, k, data=data, solver=solver, budget=Budget(steps=3), threads=1)
    assert result.score <= result.bound + 1e-9 * abs(result.bound)
    if isinstance(solver, S2):
        assert result.bound_source is BoundSource.CACHE
    else:
        assert result.bound_source is BoundSource.ROWS
        assert result.bound >= best - 1e-7
    if parent_sets == Exhaustive(3):
        assert result.bound == pytest.approx(best, abs=1e-7)


def test_a_start_with_families_beyond_the_cache_asks_for_the_bound_of_the_rows():
    data = make_dataset(np.tile([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]], 20), (2, 2, 2))
    start = learn(data, 2, budget=Budget(steps=5)).structure
    bare = score(data, parent_sets=Exhaustive(0), budget=None).cache
    result = search(bare, 2, data=data, solver=S2(), budget=Budget(steps=1), start=start)
    assert result.score == start.score <= result.bound
    assert result.bound_source is BoundSource.ROWS


SOLVERS = pytest.mark.parametrize(
    "solver", [Regrow(), Regrow(exact=False), KGreedy(), KMax(), OrderSearch(), S2()], ids=str
)


@SOLVERS
def test_a_search_that_reaches_the_bound_ends_at_once_and_says_so(solver):
    cache = random_cache(3, 3)
    k = None if isinstance(solver, OrderSearch) else 2
    # Without an end this budget lasts longer than any test.
    result = search(cache, k, solver=solver, budget=Budget(steps=2**60, patience=None), threads=2)
    assert result.stopped in (StopReason.OPTIMAL, StopReason.FINISHED)
    assert result.is_optimal
    assert result.gap == pytest.approx(0, abs=1e-9)


@SOLVERS
@settings(max_examples=20)
@given(seed=seeds, cache_seed=seeds)
def test_reaching_the_bound_gives_the_same_answer_for_any_threads(solver, seed, cache_seed):
    cache = random_cache(4, 4, seed=cache_seed)
    k = None if isinstance(solver, OrderSearch) else 2
    results = [
        search(cache, k, solver=solver, budget=Budget(steps=200), seed=seed, threads=threads)
        for threads in (1, 3)
    ]
    assert results[0].stopped is results[1].stopped
    assert results[0].steps == results[1].steps
    assert results[0].structure.parent_indices == results[1].structure.parent_indices
    assert results[0].structure.witness == results[1].structure.witness


def test_an_optimal_start_is_kept():
    cache = random_cache(5, 6)
    first = search(cache, 2, budget=Budget(steps=2**60))
    assert first.is_optimal
    again = search(cache, 2, budget=Budget(steps=2**60), start=first.structure)
    assert again.score >= first.score
    assert (again.stopped, again.steps) == (StopReason.OPTIMAL, 1)


def test_two_columns_are_learned_at_once():
    data = make_dataset(np.tile([[0, 0, 1, 1], [0, 0, 1, 0]], 25), (2, 2))
    result = learn(data, 1, budget=Budget(steps=2**60))
    assert result.search.stopped is StopReason.OPTIMAL
    assert result.search.bound_source is BoundSource.ROWS
    assert result.search.steps == 1


def test_an_exact_solver_ends_where_its_start_reaches_the_bound():
    result = search(random_cache(4, 3), solver=Gobnilp(), budget=Budget(steps=5))
    assert result.is_optimal
    assert result.stopped in (StopReason.OPTIMAL, StopReason.FINISHED)


# Patience


def unprovable():
    """A cache whose bound no structure of treewidth 1 reaches: a search without patience has no end."""
    return random_cache(12, 40, seed=3)


def test_a_stalled_search_ends_early():
    cache = unprovable()
    result = search(cache, 2, budget=Budget(steps=100_000, patience=0.02), threads=2, solver=KGreedy())
    assert result.stopped is StopReason.STALLED
    stall = result.steps - result.trace[-1].step
    assert max(0.02 * 100_000, 1000 * 12) <= stall
    assert f"stalled: no improvement for {stall:,} steps" in result.summary
    assert result.steps < 100_000


@pytest.mark.parametrize("solver", [KGreedy(), KMax()], ids=str)
def test_patience_gives_the_same_answer_for_any_threads(solver):
    cache = unprovable()
    budget = Budget(steps=40_000, patience=0.1)
    results = [search(cache, 2, solver=solver, budget=budget, threads=threads) for threads in (1, 3)]
    assert results[0].stopped is StopReason.STALLED
    assert results[0].stopped is results[1].stopped
    assert results[0].steps == results[1].steps
    assert results[0].structure.parent_indices == results[1].structure.parent_indices


def test_without_patience_all_steps_are_done():
    result = search(unprovable(), 2, budget=Budget(steps=3_000, patience=None), threads=2)
    assert (result.stopped, result.steps) == (StopReason.STEPS, 3_000)


def test_a_search_by_the_clock_stalls_too():
    budget = Budget(seconds=3_000, patience=0.0002)
    result = search(unprovable(), 2, budget=budget, threads=2, solver=KGreedy())
    assert result.stopped is StopReason.STALLED
    assert result.seconds < 3_000


@pytest.mark.parametrize("patience", [0, -0.1, 1.5, math.nan, math.inf])
def test_a_patience_that_is_no_share_is_refused(patience):
    with pytest.raises(ValueError, match="patience"):
        Budget(seconds=1, patience=patience)


def test_a_patience_that_is_no_number_is_refused():
    with pytest.raises(TypeError, match="patience must be a number"):
        Budget(seconds=1, patience="long")
