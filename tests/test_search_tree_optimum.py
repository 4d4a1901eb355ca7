"""The best network inside a tree, with all families inside its bags scored from the rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from reference import scoring, search
from strategies_scoring import make_dataset, rows_of, small_datasets
from treebound import Bic, Exhaustive, _core_testing, score
from treebound.solvers._problem import searchable

pytestmark = pytest.mark.core


def single_parents(data, max_treewidth):
    """The problem of single parents, with rows to score further families from."""
    return searchable(score(data, score=Bic(), parent_sets=Exhaustive(1)).cache, max_treewidth, data)


def scored_from_rows(problem):
    """A pool of the problem, a network without arcs, and what scores further families."""
    pool = _core_testing.FamilyPool(problem)
    return pool, _core_testing.BoundedNetwork(pool), _core_testing.FamilyProposals(pool, 1000)


@settings(max_examples=40)
@given(data=small_datasets(max_variables=4))
def test_with_room_for_all_it_finds_the_best_of_all_networks(data):
    n = data.num_variables
    problem = single_parents(data, n - 1)
    optimum = _core_testing.TreeOptimum(problem)
    found = []
    for seed in range(80):  # at least one in six fills the bags up to a clique of all
        pool, network, proposals = scored_from_rows(problem)
        optimum.improve(network, proposals, math.inf, seed)
        found.append(sum(pool.score(family) for family in network.chosen))

    cards, rows = data.schema.cardinalities, rows_of(data)
    sets = [[] for _ in range(n)]
    for child, parents in scoring.all_families(n, n):
        sets[child].append((scoring.bic(child, sorted(parents), rows, cards), parents))
    assert max(found) == pytest.approx(search.best_score(sets, n), rel=1e-9, abs=1e-6)


def test_what_it_chooses_from_the_rows_joins_the_pool():
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2, (2, 400))
    data = make_dataset(np.array([a, b, a ^ b]), [2, 2, 2])
    problem = single_parents(data, 2)
    pool, network, proposals = scored_from_rows(problem)
    before = pool.num_families
    optimum = _core_testing.TreeOptimum(problem)
    for seed in range(40):
        assert not optimum.improve(network, None, math.inf, seed)  # no single parent gains
    assert any(optimum.improve(network, proposals, math.inf, seed) for seed in range(40))
    assert pool.num_families == before + 1
    assert sorted(len(pool.members(family)) for family in network.chosen) == [1, 1, 3]
