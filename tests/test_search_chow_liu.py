"""The optimal forest against brute force, from caches and from rows."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import forest as twin
from reference import search as reference
from strategies_search import as_cache, searchable_sets, seeds
from treebound import Bdeu, Bic, Budget, Constraints, Dataset, Schema, Variable, _core_testing, check, score
from treebound.solvers import ChowLiu, StopReason, search

pytestmark = pytest.mark.core


def random_arcs(seed, num_vertices, num_arcs, with_ties):
    source = random.Random(seed)
    weight = (lambda: float(source.randint(-1, 4))) if with_ties else (lambda: source.uniform(-1, 9))
    pairs = list(itertools.permutations(range(num_vertices), 2))
    return [(a, b, weight()) for a, b in source.sample(pairs, min(num_arcs, len(pairs)))]


@settings(max_examples=200)
@given(n=st.integers(1, 6), num_arcs=st.integers(0, 12), seed=seeds, with_ties=st.booleans())
def test_the_branching_is_the_best_of_all(n, num_arcs, seed, with_ties):
    arcs = random_arcs(seed, n, num_arcs, with_ties)
    taken = _core_testing.maximum_branching(n, arcs)
    chosen = [None if i < 0 else arcs[i] for i in taken]
    assert all(arc is None or arc[1] == v for v, arc in enumerate(chosen))
    assert reference.is_acyclic([() if arc is None else (arc[0],) for arc in chosen])
    weight = sum(arc[2] for arc in chosen if arc is not None)
    assert weight == pytest.approx(twin.best_branching_weight(n, arcs), abs=1e-9)


def test_a_large_symmetric_branching_is_a_spanning_forest():
    # Many contractions: with equal weights in both directions every best arc closes a cycle of two.
    n, source = 400, random.Random(5)
    edges = [(a, b, source.uniform(0, 1)) for a in range(n) for b in source.sample(range(n), 8) if a != b]
    arcs = [arc for a, b, weight in edges for arc in ((a, b, weight), (b, a, weight))]
    taken = [arcs[i] for i in _core_testing.maximum_branching(n, arcs) if i >= 0]
    forest = twin.spanning_forest(n, edges)
    assert len(taken) == len(forest)
    assert sum(arc[2] for arc in taken) == pytest.approx(sum(edge[2] for edge in forest))


@settings(max_examples=100)
@given(n=st.integers(1, 7), num_edges=st.integers(0, 200), seed=seeds, with_ties=st.booleans())
def test_the_spanning_forest_does_not_depend_on_the_sequence(n, num_edges, seed, with_ties):
    # More edges than the buffer holds, so that it is reduced on the way.
    source = random.Random(seed)
    edges = [arc for _ in range(10) for arc in random_arcs(source.random(), n, num_edges // 10, with_ties)]
    found = _core_testing.maximum_spanning_forest(n, edges)
    assert found == twin.spanning_forest(n, edges)
    source.shuffle(edges)
    assert found == _core_testing.maximum_spanning_forest(n, edges)


@settings(max_examples=100)
@given(sets=searchable_sets(max_variables=6), seed=seeds)
def test_the_forest_of_a_cache_is_the_best_of_all(sets, seed):
    result = search(as_cache(sets), 1, solver=ChowLiu(), seed=seed, threads=1)
    assert result.stopped is StopReason.FINISHED
    assert result.structure.treewidth <= 1
    assert result.score == pytest.approx(twin.best_forest_score(sets), abs=1e-9)


def test_a_bound_of_zero_leaves_no_arcs():
    data = table(5, 60, seed=1)
    cache = score(data, budget=None).cache
    for options in ({}, {"data": data}):
        assert search(cache, 0, solver=ChowLiu(), **options).structure.num_arcs == 0


def table(num_variables, num_rows, seed):
    """Columns of two or three states, each a noisy copy of an earlier one."""
    source = random.Random(seed)
    columns = []
    for v in range(num_variables):
        states = 2 + v % 2
        like = columns[source.randrange(v)] if v else [0] * num_rows
        columns.append([c % states if source.random() < 0.7 else source.randrange(states) for c in like])
    names = (Variable(f"x{v}", tuple("abc"[: 2 + v % 2])) for v in range(num_variables))
    return Dataset(Schema(tuple(names)), columns)


@pytest.mark.parametrize("local_score", [Bic(), Bdeu(equivalent_sample_size=2.0)], ids=["bic", "bdeu"])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_the_forest_of_rows_is_the_best_of_all(local_score, threads, seed):
    data = table(5, 80, seed)
    cache = score(data, score=local_score, budget=None).cache
    every_pair = score(data, score=local_score, pruning=None, budget=None).cache
    sets = [
        [(every_pair.score_of(v, parents), parents) for parents in ((), *((u,) for u in range(5) if u != v))]
        for v in range(5)
    ]
    result = search(cache, 1, data=data, solver=ChowLiu(), threads=threads)
    assert result.score == pytest.approx(twin.best_forest_score(sets), abs=1e-9)
    assert result.statistics["has_counted_all_pairs"]
    assert check(result.structure, cache, 1, data=data)


def test_pairs_with_too_many_states_are_left_out():
    data = table(6, 80, seed=2)
    cache = score(data, budget=None).cache
    for options in ({}, {"data": data}):
        result = search(cache, constraints=Constraints(max_cells=4), solver=ChowLiu(), **options)
        assert result.structure.num_arcs > 0
        cards = data.schema.cardinalities
        assert all(cards[a] * cards[b] <= 4 for a, b in result.structure.arc_indices)


def test_without_time_the_forest_of_the_cache_is_returned():
    data = table(6, 80, seed=3)
    cache = score(data, budget=None).cache
    result = search(cache, 1, data=data, solver=ChowLiu(), budget=Budget(seconds=0), threads=2)
    assert result.stopped is StopReason.SECONDS
    assert result.score == search(cache, 1, solver=ChowLiu()).score
