"""Layouts: finite, distinct, the same every time; the mesh agrees with the sum over all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies_structure import dags, structures
from treebound import Structure, random_network
from treebound.plot import layout
from treebound.plot._forces import _Mesh, relax
from treebound.plot._labels import place, shortened
from treebound.plot._radial import radial


def all_distinct(points):
    return len(np.unique(points, axis=0)) == len(points)


@settings(max_examples=20)
@given(structure=structures())
def test_positions_are_finite_distinct_and_repeatable(structure):
    points = layout(structure)
    assert points.shape == (structure.num_variables, 2)
    assert np.isfinite(points).all()
    assert all_distinct(points)
    np.testing.assert_array_equal(points, layout(structure))


@settings(max_examples=20)
@given(parents=dags())
def test_the_layout_depends_on_the_arcs_alone(parents):
    plain = Structure.from_parents(parents)
    other = Structure.from_parents(
        parents, names=[f"v{i}" for i in range(len(parents))], elimination_order=range(len(parents))
    )
    np.testing.assert_array_equal(layout(plain), layout(other))


@pytest.mark.parametrize("n", [1, 2, 3, 40, 1000])
def test_without_arcs_variables_stand_apart(n):
    points = layout(Structure.from_parents([()] * n))
    assert points.shape == (n, 2)
    assert all_distinct(points)


def test_a_thousand_variables_keep_their_distance():
    points = layout(Structure.from_parents(random_network(1000, max_treewidth=3, seed=1).parent_indices))
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    assert np.median(apart.min(axis=1)) > 0.3
    assert apart.min() > 0


def test_variables_without_arcs_stand_below_the_others():
    points = layout(Structure.from_parents([(), (0,), (1,), (), ()]))
    assert points[3:, 1].max() < points[:3, 1].min()


@given(
    points=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=2, max_size=12, unique=True)
)
def test_far_nodes_push_as_in_the_sum_over_pairs(points):
    # Spread so far that a cell of the mesh is small beside the distances: there it must be right.
    where = np.array([*points, (0, 0), (40, 40)], dtype=float)
    where = np.unique(where, axis=0)
    delta = where[:, None] - where[None]
    distance = np.linalg.norm(delta, axis=2)
    np.fill_diagonal(distance, np.inf)
    if distance.min() < 5:
        return
    expected = (delta / distance[:, :, None] ** 3).sum(axis=1)
    largest = (1 / distance**2).sum(axis=1)[:, None]
    assert (np.abs(_Mesh(len(where)).push(where) - expected) <= 0.03 * largest).all()


def test_a_node_does_not_push_itself():
    where = np.array([[0.0, 0.0], [100.0, 3.0]])
    np.testing.assert_allclose(_Mesh(2).push(where), [[-1e-4, 0], [1e-4, 0]], atol=1e-5)


def test_an_edge_settles_where_pull_and_push_meet():
    ends = relax(np.array([[0.0, 0.0], [0.1, 0.0]]), np.array([[0, 1]]))
    assert 0.5 < np.linalg.norm(ends[1] - ends[0]) < 1.5


def test_a_radial_tree_has_its_centre_in_the_middle_and_depth_as_radius():
    points = radial(7, [(0, 1), (1, 2), (2, 3), (3, 4), (2, 5), (2, 6)])
    radius = np.hypot(*points.T)
    assert radius[2] == 0
    np.testing.assert_allclose(radius[[0, 4]], 2 * radius[5])
    np.testing.assert_allclose(radius[[1, 3, 6]], radius[5])
    assert all_distinct(points)


@given(st.integers(1, 30), st.data())
def test_forests_and_even_cycles_are_placed(n, data):
    nodes = st.integers(0, n - 1)
    points = radial(n, data.draw(st.lists(st.tuples(nodes, nodes), max_size=40)))
    assert np.isfinite(points).all()
    assert all_distinct(points)


def test_a_label_goes_where_there_is_nothing():
    at = np.array([[50.0, 50.0]])
    crowd = np.array([[60.0, 50.0], [40.0, 50.0], [50.0, 60.0]])
    frame = np.array([[0.0, 0.0], [100.0, 100.0]])
    centre = place(["name"], at, np.array([4.0]), size=8, nodes=crowd, lines=np.empty((0, 2)), frame=frame)
    np.testing.assert_allclose(centre, [[50, 41]])


def test_labels_are_short_and_on_one_line():
    assert shortened("a\n b") == "a b"
    assert shortened("x" * 100) == "x" * 23 + "…"
    assert shortened(" ") == "·"
