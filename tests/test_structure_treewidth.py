"""Orders, bounds and exact treewidth against brute force, and on graphs whose treewidth is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import structure as reference
from strategies_structure import graphs, ktrees
from treebound import _core
from treebound.structure import min_degree_order, min_fill_order, moral_graph, treewidth_bounds
from treebound.structure._graph import flat_rows
from treebound.structure._treewidth import width_of_order

pytestmark = pytest.mark.core


def from_edges(n, edges):
    around = [set() for _ in range(n)]
    for a, b in edges:
        around[a].add(b)
        around[b].add(a)
    return tuple(tuple(sorted(one)) for one in around)


def grid(rows, columns):
    right = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    down = [(r * columns + c, (r + 1) * columns + c) for r in range(rows - 1) for c in range(columns)]
    return from_edges(rows * columns, right + down)


@given(graph=graphs(max_vertices=9))
def test_greedy_orders_are_those_of_the_twin(graph):
    edges = reference.edges_of(graph)
    assert min_degree_order(graph) == reference.min_degree_order(edges, len(graph))
    assert min_fill_order(graph) == reference.min_fill_order(edges, len(graph))


@given(graph=graphs(max_vertices=9), data=st.data())
def test_the_width_of_an_order_is_that_of_the_twin(graph, data):
    order = tuple(data.draw(st.permutations(range(len(graph)))))
    assert width_of_order(graph, order) == reference.width_of_order(reference.edges_of(graph), order)


@settings(max_examples=60)
@given(graph=graphs(max_vertices=6))
def test_small_graphs_are_solved_exactly(graph):
    bounds = treewidth_bounds(graph)
    exact = reference.treewidth(reference.edges_of(graph), len(graph))
    assert (bounds.lower, bounds.upper, bounds.is_exact) == (exact, exact, True)
    assert sorted(bounds.elimination_order) == list(range(len(graph)))
    assert width_of_order(graph, bounds.elimination_order) == exact


@settings(max_examples=60)
@given(graph=graphs(max_vertices=6))
def test_the_parts_of_the_answer_are_right_one_by_one(graph):
    exact = reference.treewidth(reference.edges_of(graph), len(graph))
    assert _core.treewidth_lower_bound(*flat_rows(graph)) <= exact
    order = _core.best_elimination_order(*flat_rows(graph)).tolist()
    assert reference.width_of_order(reference.edges_of(graph), order) == exact


@given(tree=ktrees(max_variables=14))
def test_the_treewidth_of_a_ktree_is_k(tree):
    cliques = tree.decomposition.bags
    graph = from_edges(tree.num_variables, {(a, b) for c in cliques for a in c for b in c if a < b})
    assert treewidth_bounds(graph).upper == tree.k
    assert treewidth_bounds(graph).lower == tree.k


@pytest.mark.parametrize(
    ("graph", "width"),
    [
        (((),), 0),
        (((), (), ()), 0),
        (from_edges(5, [(i, i + 1) for i in range(4)]), 1),
        (from_edges(6, [(i, (i + 1) % 6) for i in range(6)]), 2),
        (from_edges(7, [(a, b) for a in range(7) for b in range(a)]), 6),
        (from_edges(10, [*((i, (i + 1) % 5) for i in range(5)), *((i, i + 5) for i in range(5)),
                         *((i + 5, (i + 2) % 5 + 5) for i in range(5))]), 4),
        (grid(4, 4), 4),
        (grid(4, 5), 4),
    ],
    ids=["point", "points", "path", "circle", "complete", "petersen", "grid4x4", "grid4x5"],
)  # fmt: skip
def test_known_treewidths(graph, width):
    bounds = treewidth_bounds(graph)
    assert (bounds.lower, bounds.upper) == (width, width)
    assert str(bounds) == f"treewidth {width}"


def test_a_large_grid_is_bounded_from_both_sides():
    bounds = treewidth_bounds(grid(8, 8))
    assert bounds.lower <= 8 <= bounds.upper
    assert not bounds.is_exact
    assert str(bounds) == f"treewidth from {bounds.lower} to {bounds.upper}"


def test_twenty_vertices_take_the_exact_path_and_parts_add_up():
    two_grids = from_edges(36, [
        *((v, u) for v, around in enumerate(grid(4, 5)) for u in around),
        *((v + 20, u + 20) for v, around in enumerate(grid(4, 4)) for u in around),
    ])  # fmt: skip
    bounds = treewidth_bounds(two_grids)
    assert (bounds.lower, bounds.upper) == (4, 4)


def test_a_star_with_thousands_of_leaves_is_bounded():
    n = 20_000
    star = from_edges(n, [(0, leaf) for leaf in range(1, n)])
    assert treewidth_bounds(star).upper == 1


def test_thousands_of_variables_are_bounded():
    rng = np.random.default_rng(0)
    n = 3000
    parents = [tuple({*rng.integers(max(0, v - 30), v, 3).tolist()}) if v else () for v in range(n)]
    bounds = treewidth_bounds(moral_graph(parents))
    assert 3 <= bounds.lower <= bounds.upper <= 60
