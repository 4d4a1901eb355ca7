"""The best network inside a tree, with all families inside its bags scored from the rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from reference import scoring, search
from strategies_scoring import make_dataset, rows_of, small_datasets
from treebound import Bic, Exhaustive, _core, score

pytestmark = pytest.mark.core


def problem_of(cache, max_treewidth):
    return _core.SearchProblem(
        cache.set_offsets, cache.scores, cache.parent_offsets, cache.parents, max_treewidth
    )


def scored_from_rows(data, max_treewidth):
    """A pool of single parents, a network without arcs, and what scores further families."""
    pool = _core.FamilyPool(problem_of(score(data, parent_sets=Exhaustive(1)).cache, max_treewidth))
    local_score = Bic()._in_core(data.num_rows)
    proposals = _core.FamilyProposals(data.in_core, local_score, pool, max_treewidth, math.inf, 1000)
    network = _core.BoundedNetwork(pool, max_treewidth, math.inf, np.zeros(0, dtype=np.uint32))
    return pool, network, proposals


@settings(max_examples=40)
@given(data=small_datasets(max_variables=4))
def test_with_room_for_all_it_finds_the_best_of_all_networks(data):
    n = data.num_variables
    optimum = _core.TreeOptimum(n, n - 1, math.inf)
    found = []
    for seed in range(80):  # at least one in six fills the bags up to a clique of all
        pool, network, proposals = scored_from_rows(data, n - 1)
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
    pool, network, proposals = scored_from_rows(data, 2)
    before = pool.num_families
    optimum = _core.TreeOptimum(3, 2, math.inf)
    for seed in range(40):
        assert not optimum.improve(network, None, math.inf, seed)  # no single parent gains
    assert any(optimum.improve(network, proposals, math.inf, seed) for seed in range(40))
    assert pool.num_families == before + 1
    assert sorted(len(pool.members(family)) for family in network.chosen) == [1, 1, 3]
