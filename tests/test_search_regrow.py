"""Regrow: within its bounds, next to the optimum, the same for any number of threads."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import elimination
from reference import search as reference
from reference.scoring import all_dags
from strategies_scoring import make_dataset
from strategies_search import as_cache, faults_of, random_cache, searchable_sets, seeds
from treebound import Budget, Constraints, ParentSetCache, Schema, Structure, Variable, check, solvers
from treebound.solvers import KGreedy, KMax, Regrow, StopReason, Takes, solve_order, takers_of

pytestmark = pytest.mark.core

STEPS = Budget(steps=6)
MOVES = Regrow(exact=False)  # the optimum of small problems is to be found by moves
search = functools.partial(solvers.search, solver=MOVES)


def exactly(sentence):
    """A pattern for the whole of a message."""
    return f"^{re.escape(sentence)}$"


def with_states(cache, cards, **extras):
    variables = [
        Variable(name, tuple(map(str, range(card)))) for name, card in zip(cache.names, cards, strict=True)
    ]
    return dataclasses.replace(cache, schema=Schema(tuple(variables)), **extras)


def optimum(cache, max_treewidth, max_cells=None, cards=None):
    """Score of the best DAG within the bounds: all of them, best first, until one fits."""
    n = cache.num_variables
    scores = [{frozenset(s.parent_indices): s.score for s in cache[v]} for v in range(n)]
    total = {
        dag: sum(scores[v][chosen] for v, chosen in enumerate(dag))
        for dag in all_dags(tuple(tuple(of) for of in scores))
    }
    bounds = (max_treewidth, float("inf") if max_cells is None else max_cells, cards)
    for dag in sorted(total, key=total.__getitem__, reverse=True):
        if elimination.can_be_kept([{v, *chosen} for v, chosen in enumerate(dag)], *bounds):
            return total[dag]
    raise AssertionError("the empty network is always within the bounds")


# Bounds


@settings(max_examples=60)
@given(
    sets=searchable_sets(max_variables=9),
    k=st.integers(0, 6),
    islands=st.integers(1, 3),
    seed=seeds,
)
def test_every_network_is_within_its_width(sets, k, islands, seed):
    cache = as_cache(sets)
    result = search(cache, k, solver=Regrow(islands, exact=False), budget=STEPS, seed=seed, threads=1)
    assert faults_of(cache, result, k) == ()
    assert result.structure.max_treewidth == k


@settings(max_examples=60)
@given(sets=searchable_sets(max_variables=9), k=st.none() | st.integers(0, 5), data=st.data(), seed=seeds)
def test_every_network_is_within_its_states(sets, k, data, seed):
    cards = data.draw(st.lists(st.integers(1, 5), min_size=len(sets), max_size=len(sets)))
    most = data.draw(st.integers(max(cards), 60))
    cache = with_states(as_cache(sets), cards)
    limit = Constraints(max_cells=most)
    result = search(cache, k, constraints=limit, budget=STEPS, seed=seed, threads=1)
    verdict = check(result.structure, cache, k, constraints=limit)
    assert verdict.faults == ()
    assert (result.structure.max_cells, result.structure.max_treewidth) == (most, k)


@settings(max_examples=30)
@given(sets=searchable_sets(max_variables=4, max_sets=5, with_ties=True), k=st.integers(0, 3), seed=seeds)
def test_nothing_beats_the_optimum(sets, k, seed):
    result = search(as_cache(sets), k, budget=STEPS, seed=seed, threads=1)
    assert reference.treewidth(result.structure.parent_indices) <= k
    assert reference.is_acyclic(result.structure.parent_indices)
    assert result.score <= reference.best_score(sets, k) + 1e-9


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_the_optimum_of_small_problems_is_found(k, seed):
    cache = random_cache(6, 6, seed=seed)
    result = search(cache, k, budget=Budget(steps=20), seed=seed, threads=1)
    assert result.score == pytest.approx(optimum(cache, k), abs=1e-9)


@pytest.mark.parametrize("most", [4, 8, 13, 30])
@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_within_states_is_found(most, seed):
    cards = random.Random(seed).choices([1, 2, 3, 4], k=6)
    cache = with_states(random_cache(6, 6, seed=seed), cards)
    limit = Constraints(max_cells=most)
    result = search(cache, constraints=limit, budget=Budget(steps=20), seed=seed, threads=1)
    assert result.score == pytest.approx(optimum(cache, 5, most, cards), abs=1e-9)


def test_bound_zero_is_the_empty_graph():
    for k, most in ((0, None), (None, 2), (0, 99)):
        cache = with_states(random_cache(8, 9), [2] * 8)
        result = search(cache, k, constraints=Constraints(max_cells=most), budget=Budget(steps=3))
        assert result.structure.parent_indices == ((),) * 8


@pytest.mark.parametrize("islands", [1, 2, 5])
@pytest.mark.parametrize("k", [0, 3])
def test_one_variable(islands, k):
    cache = ParentSetCache.from_sets({"only": [((), -1.5)]})
    result = search(cache, k, solver=Regrow(islands, exact=False), budget=Budget(steps=4))
    assert (result.score, result.structure.parent_indices) == (-1.5, ((),))


@pytest.mark.parametrize("seed", range(4))
def test_without_a_real_bound_the_best_network_of_all_is_found(seed):
    cache = random_cache(6, 8, seed=seed)
    sets = [[(s.score, s.parent_indices) for s in cache[v]] for v in range(6)]
    result = search(cache, 50, budget=Budget(steps=20), seed=seed)
    assert result.structure.max_treewidth == 50
    assert result.score == pytest.approx(reference.best_root_score(sets, range(6)), abs=1e-9)


def test_more_than_others_find_in_more_steps():
    cache = random_cache(40, 15, seed=3)
    ours = search(cache, 3, budget=Budget(steps=12), threads=1)
    assert ours.score > search(cache, 3, solver=KMax(), budget=Budget(steps=500), threads=1).score


# The same answer again


@pytest.mark.parametrize("islands", [1, 2, 3])
@pytest.mark.parametrize("bounds", [{"max_treewidth": 3}, {"constraints": Constraints(max_cells=20)}])
def test_same_seed_and_steps_give_the_same_network_for_any_number_of_threads(islands, bounds):
    cache = with_states(random_cache(40, 15, seed=3), [2, 3] * 20)
    budget, solver = Budget(steps=20), Regrow(islands, exact=False)
    first, *others = (
        search(cache, **bounds, solver=solver, budget=budget, seed=5, threads=t) for t in (1, 2, 5)
    )
    assert first.steps == 20
    for other in others:
        assert other.structure == first.structure
        assert other.trace[-1][1:] == first.trace[-1][1:]
    elsewhere = search(cache, **bounds, solver=solver, budget=budget, seed=6, threads=2)
    assert elsewhere.structure != first.structure


@pytest.mark.parametrize("islands", [1, 2, 3])
def test_runs_with_more_steps_repeat_the_cycles_of_runs_with_fewer(islands):
    cache = random_cache(20, 40, seed=2)
    first = islands * (16 + 20**4 // 40_000)
    ends = [first, 3 * first, 6 * first]  # the second cycle is twice as long, the third three times
    traces = []
    for steps in ends:
        result = search(
            cache, 3, solver=Regrow(islands, exact=False), budget=Budget(steps=steps), seed=1, threads=1
        )
        traces.append([(step, score) for _, step, score in result.trace])
    for steps, trace in zip(ends, traces, strict=True):
        assert [entry for entry in traces[-1] if entry[0] < steps] == trace


def test_the_trace_rises_and_ends_with_the_result():
    result = search(random_cache(40, 15, seed=4), 3, budget=Budget(steps=20), threads=2)
    assert [i.score for i in result.trace] == sorted({i.score for i in result.trace})
    assert result.trace[-1].score == result.score
    assert result.stopped is StopReason.STEPS


def test_a_search_goes_on_from_any_structure_and_never_gets_worse():
    cache = random_cache(40, 15, seed=4)
    starts = [
        search(cache, 3, solver=solver, budget=Budget(steps=4), seed=1)
        for solver in (MOVES, KGreedy(), KMax())
    ]
    for start in starts:
        for steps in (1, 10):
            on = search(cache, 3, budget=Budget(steps=steps), seed=2, start=start.structure)
            assert on.score >= start.score
            assert check(on.structure, cache, 3)
            if on.structure is not start.structure:
                assert on.structure.steps == 4 + steps


@settings(max_examples=60)
@given(sets=searchable_sets(max_variables=8), k=st.integers(0, 4), source=st.randoms(use_true_random=False))
def test_any_network_of_the_cache_can_be_the_start(sets, k, source):
    """Also one with families that are worse than none: the search must not keep them, nor trip over them."""
    cache = as_cache(sets)
    order = source.sample(range(len(sets)), len(sets))
    parents = [()] * len(sets)
    for place, v in enumerate(order):
        fit = [p for _, p in sets[v] if set(p) <= set(order[:place])]
        for wanted in source.sample(fit, len(fit)):
            tried = [*parents[:v], wanted, *parents[v + 1 :]]
            if Structure.from_parents(tried).treewidth <= k:
                parents = tried
                break
    start = Structure.from_parents(parents, cache=cache)
    on = search(cache, k, budget=Budget(steps=4), seed=1, threads=1, start=start)
    assert on.score >= start.score - 1e-9
    assert faults_of(cache, on, k) == ()


def test_a_start_need_not_know_its_scores():
    cache = random_cache(12, 9, seed=2)
    known = search(cache, 2, budget=Budget(steps=2)).structure
    bare = Structure.from_parents(
        known.parent_indices, names=known.names, elimination_order=known.elimination_order
    )
    for solver in (MOVES, KMax()):
        on = search(cache, 2, solver=solver, budget=Budget(steps=3), start=bare)
        assert check(on.structure, cache, 2)
    assert search(cache, 2, budget=Budget(steps=1), start=bare).score == pytest.approx(known.score)


def test_constant_columns_do_not_count_as_states_of_a_start():
    alone = [((), -1.0)]
    sets = {"a": [(("b", "c", "d"), -1.0), ((), -2.0)], "b": alone, "c": alone, "d": alone}
    cache = with_states(ParentSetCache.from_sets(sets), [2, 1, 1, 1])
    start = Structure.from_parents([(1, 2, 3), (), (), ()], cache=cache)
    limit = Constraints(max_cells=2)
    assert check(start, cache, constraints=limit)
    on = search(cache, constraints=limit, budget=Budget(steps=3), start=start)
    assert on.score == -4
    assert check(on.structure, cache, constraints=limit)


def test_a_start_from_elsewhere_is_refused():
    cache = random_cache(6, 6, seed=1)
    other = Structure.from_parents({"p": [], "q": ["p"]})
    with pytest.raises(ValueError, match=r"^The structure to start from is for other variables"):
        search(cache, 2, budget=STEPS, start=other)
    start = search(cache, 3, budget=STEPS).structure
    with pytest.raises(ValueError, match=r"^The structure to start from does not hold for this cache"):
        search(cache, 0, budget=STEPS, start=start)


# What is refused


NEITHER = "A bound is needed: max_treewidth, Constraints(max_cells=...) or both, got neither."
FEW = "max_cells must be at least 3, the states of 'x1' alone, got 2."
NO_STATES = "max_cells needs the numbers of states, and the cache has no schema."
NO_BOUND_ON_STATES = f"max_cells needs another solver ({takers_of(Takes.CELLS)}), got kg."
NO_ROWS = f"data needs another solver ({takers_of(Takes.ROWS)}), got kg."
FOREIGN = "The cache is for other variables than the table: the cache has 4 of them, the table 1."


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({}, NEITHER),
        ({"max_treewidth": -1}, "max_treewidth must be at least 0, got -1."),
        ({"constraints": Constraints(max_cells=2)}, FEW),
        ({"max_treewidth": 1, "constraints": Constraints(max_cells=2)}, FEW),
        ({"constraints": Constraints(max_cells=8), "solver": KGreedy()}, NO_BOUND_ON_STATES),
        ({"max_treewidth": 2, "solver": KGreedy(), "data": make_dataset([[0, 1]], [2])}, NO_ROWS),
        ({"max_treewidth": 2, "data": make_dataset([[0, 1]], [2])}, FOREIGN),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(bounds, message):
    cache = with_states(random_cache(4, 3), [2, 3, 2, 2])
    with pytest.raises(ValueError, match=exactly(message)):
        search(cache, **bounds, budget=STEPS)


def test_states_need_a_schema():
    with pytest.raises(ValueError, match=exactly(NO_STATES)):
        search(random_cache(4, 3), constraints=Constraints(max_cells=8), budget=STEPS)


def test_there_is_no_order_to_decode():
    with pytest.raises(ValueError, match=exactly("order needs another solver (kg, ka, kmax), got regrow.")):
        solve_order(random_cache(4, 3), 2, [0, 1, 2, 3], solver=Regrow())


@pytest.mark.parametrize(("islands", "limit"), [(0, "least 1"), (1025, "most 1024")])
def test_islands_have_limits(islands, limit):
    with pytest.raises(ValueError, match=exactly(f"islands must be at {limit}, got {islands}.")):
        Regrow(islands)


# Interruption


def test_an_error_of_a_callback_ends_the_search_and_is_raised():
    def fail(_):
        raise RuntimeError("no more")

    for callback in ("progress", "on_improvement"):
        with pytest.raises(RuntimeError, match="no more"):
            search(random_cache(60, 9), 2, budget=Budget(seconds=60), **{callback: fail})


def test_every_improvement_shown_is_what_it_claims():
    cache, seen = random_cache(60, 20, seed=1), []
    search(cache, 3, budget=Budget(seconds=0.4), threads=2, on_improvement=seen.append)
    assert seen
    assert all(check(structure, cache, 3) for structure in seen)
    assert all(a.score < b.score for a, b in itertools.pairwise(seen))
