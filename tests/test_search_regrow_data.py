"""Regrow with the table at hand: families that the cache lacks are scored while it searches."""

from __future__ import annotations

import dataclasses
import functools
import math
import os
import random
import signal
import threading

import pytest

import treebound
from strategies_scoring import make_dataset
from treebound import Bdeu, Bic, Budget, CacheError, Constraints, check, solvers
from treebound.scoring import Exhaustive
from treebound.solvers import Regrow, StopReason
from treebound.solvers._upper_bound import UpperBound
from treebound.structure import FaultKind

pytestmark = pytest.mark.core

STEPS = Budget(steps=6)
search = functools.partial(solvers.search, solver=Regrow(exact=False))


@pytest.fixture(scope="module")
def table():
    return treebound.random_network(15, max_treewidth=2, max_states=3, seed=3).sample(300, 3)


@pytest.fixture(scope="module", params=[Bic(), Bdeu(3.0)], ids=["bic", "bdeu"])
def poor_cache(request, table):
    """Single parents only: all larger families are outside."""
    return treebound.score(table, parent_sets=Exhaustive(max_parents=1), score=request.param).cache


def outside(structure, cache):
    return [v for v, chosen in enumerate(structure.parent_indices) if cache.score_of(v, chosen) is None]


@pytest.mark.parametrize("bounds", [{"max_treewidth": 3}, {"constraints": Constraints(max_cells=30)}])
def test_data_give_families_that_the_cache_lacks(table, poor_cache, bounds):
    score = poor_cache.score
    without = search(poor_cache, **bounds, budget=STEPS, seed=1)
    runs = [search(poor_cache, **bounds, data=table, budget=STEPS, seed=1, threads=t) for t in (1, 2)]
    assert runs[0].structure == runs[1].structure
    assert runs[0].score > without.score
    found = runs[0].structure
    assert outside(found, poor_cache)
    verdict = check(found, poor_cache, **bounds, data=table, score=score)
    assert verdict
    assert verdict.compared_with == ("table", "cache")
    assert check(found, **bounds, data=table, score=score)
    refused = check(found, poor_cache, **bounds)
    assert {fault.kind for fault in refused.faults} == {FaultKind.SCORES}
    assert "the cache has no parent set" in str(refused)


def test_with_data_one_goes_on_from_families_outside_the_cache(table, poor_cache):
    first = search(poor_cache, 3, data=table, budget=STEPS, seed=1).structure
    on = search(poor_cache, 3, data=table, budget=STEPS, seed=2, start=first)
    assert on.score >= first.score
    assert check(on.structure, poor_cache, 3, data=table, score=poor_cache.score)
    with pytest.raises(ValueError, match="the cache has no parent set"):
        search(poor_cache, 3, budget=STEPS, start=first)


def test_rounded_scores_of_a_start_do_not_last():
    """As in files of others; what they say of families outside the cache is counted again."""
    data = treebound.random_network(200, max_treewidth=3, max_states=3, seed=3).sample(500, 3)
    cache = treebound.score(data, parent_sets=Exhaustive(max_parents=1)).cache
    poor = Regrow(hill_climb=False, exact=False)
    first = search(cache, 3, data=data, solver=poor, budget=Budget(steps=3), seed=1).structure
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
    parents = list(structure.parent_indices)
    parents[v] = parents[v][1:]
    return dataclasses.replace(structure, parent_indices=tuple(parents))


def _other_sum(structure, v):
    return dataclasses.replace(structure, score=structure.score + 0.5)


@pytest.mark.parametrize("tamper", [_less, _fewer_parents, _other_sum])
def test_tampering_with_a_family_outside_the_cache_is_refused(table, poor_cache, tamper):
    found = search(poor_cache, 3, data=table, budget=STEPS, seed=1).structure
    wrong = tamper(found, outside(found, poor_cache)[0])
    for cache in (poor_cache, None):
        verdict = check(wrong, cache, 3, data=table, score=poor_cache.score)
        assert {fault.kind for fault in verdict.faults} == {FaultKind.SCORES}


def test_constant_columns_and_few_rows_do_no_harm():
    source = random.Random(1)
    cards = [1, 2, 3, 1, 2, 5]
    data = make_dataset([[source.randrange(card) for _ in range(7)] for card in cards], cards)
    cache = treebound.score(data, parent_sets=Exhaustive(max_parents=1)).cache
    for bounds in ({"max_treewidth": 4}, {"constraints": Constraints(max_cells=10)}):
        found = search(cache, **bounds, data=data, budget=STEPS).structure
        assert check(found, cache, **bounds, data=data)


def test_a_cache_that_does_not_name_its_score_is_one_of_bic_if_the_rows_say_so(table, poor_cache):
    unnamed = dataclasses.replace(poor_cache, score=None, fingerprint=None)
    if poor_cache.score == Bic():
        found = search(unnamed, 2, data=table, budget=STEPS).structure
        assert check(found, unnamed, 2, data=table)
    else:
        with pytest.raises(CacheError, match=r"does not match this table and the score Bic\(\)"):
            search(unnamed, 2, data=table, budget=STEPS)


@pytest.mark.parametrize("with_data", [False, True])
def test_an_interrupt_returns_the_best_so_far(table, poor_cache, with_data, monkeypatch):
    # Else the search might reach its bound before.
    monkeypatch.setattr("treebound.solvers._search_job.upper_bound", lambda *_: UpperBound(math.inf))
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = search(poor_cache, 3, data=table if with_data else None, budget=Budget(seconds=60), threads=2)
    timer.join()
    assert result.stopped is StopReason.INTERRUPTED
    assert check(result.structure, poor_cache, 3, data=table, score=poor_cache.score)
