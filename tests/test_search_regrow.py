"""Regrow: within its bounds, next to the optimum, the same for any number of threads."""

from __future__ import annotations

import dataclasses
import itertools
import os
import random
import re
import signal
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound
from reference import elimination
from reference import search as reference
from reference.scoring import all_dags
from strategies_scoring import make_dataset
from strategies_search import as_cache, faults_of, random_cache, searchable_sets, seeds
from treebound import Bdeu, Bic, Budget, KGreedy, KMax, ParentSetCache, Regrow, Structure, check
from treebound.scoring import Exhaustive
from treebound.search import StopReason, search, solve_order
from treebound.structure import Promise

pytestmark = pytest.mark.core

STEPS = Budget(steps=6)


def exactly(sentence):
    """A pattern for the whole of a message."""
    return f"^{re.escape(sentence)}$"


def with_states(cache, cards, **extras):
    variables = [
        {"name": name, "states": [str(state) for state in range(card)]}
        for name, card in zip(cache.names, cards, strict=True)
    ]
    return dataclasses.replace(cache, schema={"variables": variables}, **extras)


def optimum(cache, max_treewidth, max_states=None, cards=None):
    """Score of the best DAG within the bounds: all of them, best first, until one fits."""
    n = cache.num_variables
    scores = [{frozenset(s.parents): s.score for s in cache[v]} for v in range(n)]
    total = {
        dag: sum(scores[v][chosen] for v, chosen in enumerate(dag))
        for dag in all_dags(tuple(tuple(of) for of in scores))
    }
    bounds = (max_treewidth, float("inf") if max_states is None else max_states, cards)
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
    result = search(cache, k, solver=Regrow(islands), budget=STEPS, seed=seed, threads=1)
    assert faults_of(cache, result, k) == ()
    assert result.structure.max_treewidth == k


@settings(max_examples=60)
@given(sets=searchable_sets(max_variables=9), k=st.none() | st.integers(0, 5), data=st.data(), seed=seeds)
def test_every_network_is_within_its_states(sets, k, data, seed):
    cards = data.draw(st.lists(st.integers(1, 5), min_size=len(sets), max_size=len(sets)))
    most = data.draw(st.integers(max(cards), 60))
    cache = with_states(as_cache(sets), cards)
    result = search(cache, k, max_states=most, budget=STEPS, seed=seed, threads=1)
    verdict = check(result.structure, cache, k, max_states=most)
    assert verdict.faults == ()
    assert (result.structure.max_states, result.structure.max_treewidth) == (most, k)


@settings(max_examples=30)
@given(sets=searchable_sets(max_variables=4, max_sets=5, with_ties=True), k=st.integers(0, 3), seed=seeds)
def test_nothing_beats_the_optimum(sets, k, seed):
    result = search(as_cache(sets), k, budget=STEPS, seed=seed, threads=1)
    assert reference.treewidth(result.structure.parents) <= k
    assert reference.is_acyclic(result.structure.parents)
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
    result = search(cache, max_states=most, budget=Budget(steps=20), seed=seed, threads=1)
    assert result.score == pytest.approx(optimum(cache, 5, most, cards), abs=1e-9)


def test_bound_zero_is_the_empty_graph():
    for bounds in ({"max_treewidth": 0}, {"max_states": 2}, {"max_treewidth": 0, "max_states": 99}):
        cache = with_states(random_cache(8, 9), [2] * 8)
        result = search(cache, **bounds, budget=Budget(steps=3))
        assert result.structure.parents == ((),) * 8


@pytest.mark.parametrize("islands", [1, 2, 5])
@pytest.mark.parametrize("k", [0, 3])
def test_one_variable(islands, k):
    cache = ParentSetCache.from_sets({"only": [((), -1.5)]})
    result = search(cache, k, solver=Regrow(islands), budget=Budget(steps=4))
    assert (result.score, result.structure.parents) == (-1.5, ((),))


@pytest.mark.parametrize("seed", range(4))
def test_without_a_real_bound_the_best_network_of_all_is_found(seed):
    cache = random_cache(6, 8, seed=seed)
    sets = [[(s.score, s.parents) for s in cache[v]] for v in range(6)]
    result = search(cache, 50, budget=Budget(steps=20), seed=seed)
    assert result.structure.max_treewidth == 50
    assert result.score == pytest.approx(reference.best_root_score(sets, range(6)), abs=1e-9)


def test_more_than_others_find_in_more_steps():
    cache = random_cache(40, 15, seed=3)
    ours = search(cache, 3, budget=Budget(steps=12), threads=1)
    assert ours.score > search(cache, 3, solver=KMax(), budget=Budget(steps=500), threads=1).score


# The same answer again


@pytest.mark.parametrize("islands", [1, 2, 3])
@pytest.mark.parametrize("bounds", [{"max_treewidth": 3}, {"max_states": 20}])
def test_same_seed_and_steps_give_the_same_network_for_any_number_of_threads(islands, bounds):
    cache = with_states(random_cache(40, 15, seed=3), [2, 3] * 20)
    budget, solver = Budget(steps=20), Regrow(islands)
    first, *others = (
        search(cache, **bounds, solver=solver, budget=budget, seed=5, threads=t) for t in (1, 2, 5)
    )
    assert first.steps == 20
    for other in others:
        assert other.structure == first.structure
        assert other.trace[-1][1:] == first.trace[-1][1:]
    elsewhere = search(cache, **bounds, solver=solver, budget=budget, seed=6, threads=2)
    assert elsewhere.structure != first.structure


def test_the_trace_rises_and_ends_with_the_result():
    result = search(random_cache(40, 15, seed=4), 3, budget=Budget(steps=20), threads=2)
    assert [i.score for i in result.trace] == sorted({i.score for i in result.trace})
    assert result.trace[-1].score == result.score
    assert result.stopped is StopReason.STEPS


def test_a_search_goes_on_from_any_structure_and_never_gets_worse():
    cache = random_cache(40, 15, seed=4)
    starts = [
        search(cache, 3, solver=solver, budget=Budget(steps=4), seed=1)
        for solver in (Regrow(), KGreedy(), KMax())
    ]
    for start in starts:
        for steps in (1, 10):
            on = search(cache, 3, budget=Budget(steps=steps), seed=2, start=start.structure)
            assert on.score >= start.score
            assert check(on.structure, cache, 3)
            if on.structure is not start.structure:
                assert on.structure.provenance["steps"] == 4 + steps


@settings(max_examples=60)
@given(sets=searchable_sets(max_variables=8), k=st.integers(0, 4), source=st.randoms(use_true_random=False))
def test_any_network_of_the_cache_can_be_the_start(sets, k, source):
    """Also one with families that are worse than none: the search must not keep them, nor trip over them."""
    cache = as_cache(sets)
    order = source.sample(range(len(sets)), len(sets))
    parents = [()] * len(sets)
    for place, v in enumerate(order):
        fit = [p for _, p in sets[v] if set(p) <= set(order[:place])]
        for wish in source.sample(fit, len(fit)):
            tried = [*parents[:v], wish, *parents[v + 1 :]]
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
    bare = Structure.from_parents(known.parents, names=known.names, elimination_order=known.elimination_order)
    for solver in (Regrow(), KMax()):
        on = search(cache, 2, solver=solver, budget=Budget(steps=3), start=bare)
        assert check(on.structure, cache, 2)
    assert search(cache, 2, budget=Budget(steps=1), start=bare).score == pytest.approx(known.score)


def test_constant_columns_do_not_count_as_states_of_a_start():
    alone = [((), -1.0)]
    sets = {"a": [(("b", "c", "d"), -1.0), ((), -2.0)], "b": alone, "c": alone, "d": alone}
    cache = with_states(ParentSetCache.from_sets(sets), [2, 1, 1, 1])
    start = Structure.from_parents([(1, 2, 3), (), (), ()], cache=cache)
    assert check(start, cache, max_states=2)
    on = search(cache, max_states=2, budget=Budget(steps=3), start=start)
    assert on.score == -4
    assert check(on.structure, cache, max_states=2)


def test_a_start_from_elsewhere_is_refused():
    cache = random_cache(6, 6, seed=1)
    other = Structure.from_parents({"p": [], "q": ["p"]})
    with pytest.raises(ValueError, match=r"^The structure to start from is for other variables"):
        search(cache, 2, budget=STEPS, start=other)
    start = search(cache, 3, budget=STEPS).structure
    with pytest.raises(ValueError, match=r"^The structure to start from does not hold for this cache"):
        search(cache, 0, budget=STEPS, start=start)


# Data


@pytest.fixture(scope="module")
def table():
    return treebound.random_network(15, max_treewidth=2, max_states=3, seed=3).sample(300, 3)


@pytest.fixture(scope="module", params=[Bic(), Bdeu(3.0)], ids=["bic", "bdeu"])
def poor_cache(request, table):
    """Single parents only: all larger families are outside."""
    return treebound.score(table, method=Exhaustive(max_parents=1), score=request.param).cache


def score_of(cache):
    return Bic() if cache.score["name"] == "bic" else Bdeu(cache.score["equivalent_sample_size"])


def outside(structure, cache):
    return [v for v, chosen in enumerate(structure.parents) if cache.score_of(v, chosen) is None]


@pytest.mark.parametrize("bounds", [{"max_treewidth": 3}, {"max_states": 30}])
def test_data_give_families_that_the_cache_lacks(table, poor_cache, bounds):
    score = score_of(poor_cache)
    without = search(poor_cache, **bounds, budget=STEPS, seed=1)
    runs = [search(poor_cache, **bounds, data=table, budget=STEPS, seed=1, threads=t) for t in (1, 2)]
    assert runs[0].structure == runs[1].structure
    assert runs[0].score > without.score
    found = runs[0].structure
    assert outside(found, poor_cache)
    verdict = check(found, poor_cache, **bounds, data=table, score=score)
    assert verdict
    assert verdict.compared_with == "table"
    assert check(found, **bounds, data=table, score=score)
    refused = check(found, poor_cache, **bounds)
    assert {fault.promise for fault in refused.faults} == {Promise.SCORES}
    assert "the cache has no parent set" in str(refused)


def test_with_data_one_goes_on_from_families_outside_the_cache(table, poor_cache):
    first = search(poor_cache, 3, data=table, budget=STEPS, seed=1).structure
    on = search(poor_cache, 3, data=table, budget=STEPS, seed=2, start=first)
    assert on.score >= first.score
    assert check(on.structure, poor_cache, 3, data=table, score=score_of(poor_cache))
    with pytest.raises(ValueError, match="the cache has no parent set"):
        search(poor_cache, 3, budget=STEPS, start=first)


def test_rounded_scores_of_a_start_do_not_last():
    """As in files of others; what they say of families outside the cache is counted again."""
    data = treebound.random_network(40, max_treewidth=3, max_states=3, seed=3).sample(500, 3)
    cache = treebound.score(data, method=Exhaustive(max_parents=1)).cache
    first = search(cache, 3, data=data, budget=Budget(steps=3), seed=1).structure
    local = tuple(round(score, 2) for score in first.local_scores)
    total = round(first.score, 3)
    rounded = dataclasses.replace(first, local_scores=local, score=total, score_rounding=0.005)
    on = search(cache, 3, data=data, budget=Budget(steps=8), seed=2, start=rounded)
    assert on.score > first.score + 1
    assert set(outside(first, cache)) & set(outside(on.structure, cache))
    assert check(on.structure, cache, 3, data=data)


def _less(structure, v):
    local = list(structure.local_scores)
    local[v] -= 0.5
    return dataclasses.replace(structure, local_scores=tuple(local), score=None)


def _fewer_parents(structure, v):
    parents = list(structure.parents)
    parents[v] = parents[v][1:]
    return dataclasses.replace(structure, parents=tuple(parents))


def _other_sum(structure, v):
    return dataclasses.replace(structure, score=structure.score + 0.5)


@pytest.mark.parametrize("tamper", [_less, _fewer_parents, _other_sum])
def test_tampering_with_a_family_outside_the_cache_is_convicted(table, poor_cache, tamper):
    found = search(poor_cache, 3, data=table, budget=STEPS, seed=1).structure
    wrong = tamper(found, outside(found, poor_cache)[0])
    for cache in (poor_cache, None):
        verdict = check(wrong, cache, 3, data=table, score=score_of(poor_cache))
        assert {fault.promise for fault in verdict.faults} == {Promise.SCORES}


def test_constant_columns_and_few_rows_do_no_harm():
    source = random.Random(1)
    cards = [1, 2, 3, 1, 2, 5]
    data = make_dataset([[source.randrange(card) for _ in range(7)] for card in cards], cards)
    cache = treebound.score(data, method=Exhaustive(max_parents=1)).cache
    for bounds in ({"max_treewidth": 4}, {"max_states": 10}):
        found = search(cache, **bounds, data=data, budget=STEPS).structure
        assert check(found, cache, **bounds, data=data)


# What is refused


NEITHER = "A bound is needed: max_treewidth, max_states or both, got neither."
FEW = "max_states must be at least 3, the states of 'x1' alone, got 2."
NO_STATES = "max_states needs the numbers of states, and the cache has no schema."
ONLY_REGROW = "max_states and data need the solver regrow, got kg."
NO_SCORE = "The cache does not say by which score of ours it was made, so data cannot add to it."
FOREIGN = "The data are of other variables than the cache."


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({}, NEITHER),
        ({"max_treewidth": -1}, "max_treewidth must be at least 0, got -1."),
        ({"max_states": 2}, FEW),
        ({"max_treewidth": 1, "max_states": 2}, FEW),
        ({"max_states": 8, "solver": KGreedy()}, ONLY_REGROW),
        ({"max_treewidth": 2, "solver": KGreedy(), "data": make_dataset([[0, 1]], [2])}, ONLY_REGROW),
        ({"max_treewidth": 2, "data": make_dataset([[0, 1]], [2])}, FOREIGN),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(bounds, message):
    cache = with_states(random_cache(4, 3), [2, 3, 2, 2])
    with pytest.raises(ValueError, match=exactly(message)):
        search(cache, **bounds, budget=STEPS)


def test_states_need_a_schema():
    with pytest.raises(ValueError, match=exactly(NO_STATES)):
        search(random_cache(4, 3), max_states=8, budget=STEPS)


@pytest.mark.parametrize("said", [None, {"name": "k2"}])
def test_data_need_a_cache_that_names_its_score(table, said):
    cache = treebound.score(table, method=Exhaustive(max_parents=1)).cache
    with pytest.raises(ValueError, match=exactly(NO_SCORE)):
        search(dataclasses.replace(cache, score=said), 2, data=table, budget=STEPS)


def test_there_is_no_order_to_decode():
    with pytest.raises(
        ValueError, match=exactly("regrow has no insertion order to decode; use kg, ka or kmax.")
    ):
        solve_order(random_cache(4, 3), 2, [0, 1, 2, 3], solver=Regrow())


@pytest.mark.parametrize("islands", [0, 1025])
def test_islands_have_limits(islands):
    with pytest.raises(ValueError, match=exactly(f"islands must be in 1..1024, got {islands}.")):
        Regrow(islands)


# Interruption


@pytest.mark.parametrize("with_data", [False, True])
def test_an_interrupt_returns_the_best_so_far(table, poor_cache, with_data):
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = search(poor_cache, 3, data=table if with_data else None, budget=Budget(seconds=60), threads=2)
    timer.join()
    assert result.stopped is StopReason.INTERRUPTED
    assert check(result.structure, poor_cache, 3, data=table, score=score_of(poor_cache))


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
