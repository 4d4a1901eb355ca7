"""The method of Elidan and Gould: its triangulation and its choice of arcs against slow twins."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import search as reference
from reference import structure as reference_structure
from reference import triangulation as twin
from strategies_search import as_cache, random_cache, searchable_sets, seeds
from treebound import Budget, Dataset, Exhaustive, Schema, Variable, _core_testing, check, score
from treebound.solvers import ChowLiu, ElidanGould, search

pytestmark = pytest.mark.core


def random_forest(source, n):
    """Parents with smaller indices, or the variable itself."""
    return [v if v == 0 or source.random() < 0.2 else source.randrange(v) for v in range(n)]


@settings(max_examples=150)
@given(n=st.integers(2, 9), num_arcs=st.integers(1, 10), seed=seeds)
def test_the_triangulation_joins_a_parent_to_what_it_must(n, num_arcs, seed):
    source = random.Random(seed)
    forest = random_forest(source, n)
    parents = [[] if p == v else [p] for v, p in enumerate(forest)]
    homes = list(range(n))
    built = _core_testing.Triangulation(forest)
    for _ in range(num_arcs):
        child = source.randrange(1, n)
        free = sorted(set(range(child)) - set(parents[child]))
        if not free:
            continue
        s = source.choice(free)
        family = sorted([child, *parents[child]])
        before, edges_before = built.bags, built.edges
        needed = twin.neighbours_needed(before, edges_before, s, family)
        width, grown = built.plan(s, family, homes[child])
        homes[child] = built.apply(s, family)
        parents[child].append(s)
        added = twin.joined(built.bags) - twin.joined(before)
        assert added == {frozenset((s, v)) for v in needed} - twin.joined(before)
        assert {s, *family} <= set(built.bags[homes[child]])
        assert width <= max((len(before[b]) for b in grown), default=0)
        assert built.width == max(len(members) for members in built.bags) - 1
        families = [(v, *chosen) for v, chosen in enumerate(parents)]
        assert reference_structure.is_tree_decomposition(built.bags, built.edges, families, n)
    order = built.elimination_order
    assert sorted(order) == list(range(n))
    edges = reference_structure.moral_edges(parents)
    assert reference_structure.width_of_order(edges, order) <= built.width


@settings(max_examples=150)
@given(n=st.integers(1, 9), num_paths=st.integers(0, 9), seed=seeds)
def test_paths_are_packed_best(n, num_paths, seed):
    source = random.Random(seed)
    up = [0, *(source.randrange(v) for v in range(1, n))]
    edges = [(v, up[v]) for v in range(1, n)]
    paths = []
    for _ in range(num_paths):
        start = source.randrange(n)
        reached = twin.paths_from(start, edges)
        paths.append((source.uniform(0, 9), reached[source.randrange(n)]))
    taken = _core_testing.pack_paths(list(range(n)), up, paths)
    used = [v for p in taken for v in paths[p][1]]
    assert len(used) == len(set(used))
    assert sum(paths[p][0] for p in taken) == pytest.approx(twin.best_packing(paths))


@settings(max_examples=50)
@given(sets=searchable_sets(max_variables=5, max_sets=6), k=st.integers(1, 4), seed=seeds)
def test_it_lies_between_the_forest_and_the_optimum(sets, k, seed):
    cache = as_cache(sets)
    found = search(cache, k, solver=ElidanGould(), budget=Budget(steps=4), seed=seed, threads=1)
    assert found.score >= search(cache, k, solver=ChowLiu()).score - 1e-9
    assert found.score <= reference.best_score(sets, k) + 1e-9


def test_no_arc_that_gains_and_fits_is_left_out():
    cache = random_cache(8, 40, seed=2, max_parents=2)
    result = search(cache, 7, solver=ElidanGould(), budget=Budget(steps=1), threads=1)
    parents = [list(chosen) for chosen in result.structure.parent_indices]
    for child, chosen in enumerate(parents):
        for s in set(range(8)) - {child, *chosen}:
            larger = cache.score_of(child, tuple(sorted([*chosen, s])))
            if larger is None or larger <= cache.score_of(child, tuple(chosen)):
                continue
            # A bound of n - 1 is none: only a cycle can stand in the way.
            assert not reference.is_acyclic([*parents[:child], [*chosen, s], *parents[child + 1 :]])


def test_rows_score_what_the_cache_lacks():
    source = random.Random(4)
    a, b = ([source.randrange(2) for _ in range(400)] for _ in range(2))
    both = [x & y if source.random() < 0.95 else source.randrange(2) for x, y in zip(a, b, strict=True)]
    data = Dataset(Schema(tuple(Variable(name, ("no", "yes")) for name in "abc")), [a, b, both])
    cache = score(data, parent_sets=Exhaustive(1), budget=None).cache
    alone, with_rows = (
        search(cache, 2, solver=ElidanGould(), budget=Budget(steps=3), threads=1, **options)
        for options in ({}, {"data": data})
    )
    assert alone.structure.treewidth == 1
    assert with_rows.structure.treewidth == 2
    assert with_rows.score > alone.score
    assert check(with_rows.structure, cache, 2, data=data)
