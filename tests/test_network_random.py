"""Random networks: the shapes they promise, the witnesses they carry, the distributions they draw from."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import graphs
from treebound import _core
from treebound.network import random_inverted_tree, random_network
from treebound.network._random_choices import distinct_below, shuffled
from treebound.network._random_networks import _separators

pytestmark = pytest.mark.core

seeds = st.integers(0, 2**64 - 1)


@settings(deadline=None)
@given(
    num_variables=st.integers(1, 30),
    states=st.tuples(st.integers(2, 5), st.integers(2, 5)).map(sorted),
    num_parents=st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted),
    seed=seeds,
)
def test_random_networks_keep_their_ranges(num_variables, states, num_parents, seed):
    network = random_network(
        num_variables,
        min_states=states[0],
        max_states=states[1],
        min_parents=num_parents[0],
        max_parents=num_parents[1],
        seed=seed,
    )
    assert network.num_variables == num_variables
    assert graphs.is_acyclic(network.parent_indices)
    assert all(states[0] <= r <= states[1] for r in network.schema.cardinalities)
    sizes = sorted(map(len, network.parent_indices))
    assert sizes[-1] <= num_parents[1]
    # Only the variables at the head of the order may fall short of the minimum.
    assert all(size >= min(i, num_parents[0]) for i, size in enumerate(sizes))
    assert network.elimination_order is None


@settings(deadline=None)
@given(num_variables=st.integers(1, 30), width=st.integers(1, 6), min_parents=st.integers(0, 6), seed=seeds)
def test_bounded_networks_carry_a_witness(num_variables, width, min_parents, seed):
    network = random_network(
        num_variables, min_parents=min(min_parents, width), max_states=2, max_treewidth=width, seed=seed
    )
    assert graphs.is_acyclic(network.parent_indices)
    assert max(map(len, network.parent_indices)) <= width
    assert (
        graphs.elimination_width(graphs.moral_edges(network.parent_indices), network.elimination_order)
        <= width
    )


def test_bounded_networks_use_the_width_they_are_given():
    for width in (1, 3, 5):
        network = random_network(60, min_parents=width, max_treewidth=width, max_states=2, seed=width)
        edges = graphs.moral_edges(network.parent_indices)
        # Every variable after the root clique has all k members of its clique as parents: a whole k-tree.
        assert len(edges) == math.comb(width + 1, 2) + (60 - width - 1) * width
        assert graphs.elimination_width(edges, network.elimination_order) == width


def test_all_cliques_are_joined_alike():
    # A 2-tree on five variables: the fourth joins one of 3 edges, the fifth one of 5.
    stream = _core.RandomStream(4, 5)
    counts = Counter(
        tuple(frozenset(joined) for joined in list(_separators([0, 1, 2, 3, 4], 2, stream))[3:])
        for _ in range(6000)
    )
    assert len(counts) == 15
    statistic = sum((n - 400) ** 2 / 400 for n in counts.values())
    assert statistic < 14 + 5 * math.sqrt(2 * 14)
    for fourth, fifth in counts:
        edges = [{0, 1}, {0, 2}, {1, 2}, *({3, u} for u in fourth)]
        assert fourth in edges[:3]
        assert fifth in edges


def test_an_unbounded_network_exceeds_the_width_of_a_bounded_one():
    edges = graphs.moral_edges(random_network(60, max_states=2, seed=3).parent_indices)
    by_index = graphs.elimination_width(edges, range(60))
    assert by_index > 6


@settings(deadline=None)
@given(num_variables=st.integers(1, 40), num_parents=st.integers(1, 6), seed=seeds)
def test_inverted_trees_have_their_shape(num_variables, num_parents, seed):
    network = random_inverted_tree(num_variables, num_parents, seed=seed)
    out_degrees = Counter(parent for parent, _ in network.arc_indices)
    assert sorted(out_degrees[v] for v in range(num_variables)) == [0] + [1] * (num_variables - 1)
    whole, rest = divmod(num_variables - 1, num_parents)
    expected = Counter({num_parents: whole, rest: 1} if rest else {num_parents: whole})
    in_degrees = Counter(len(family) for family in network.parent_indices if family)
    assert in_degrees == +expected
    assert graphs.is_acyclic(network.parent_indices)
    assert set(network.schema.cardinalities) == {2}
    width = graphs.elimination_width(graphs.moral_edges(network.parent_indices), network.elimination_order)
    assert width == max(in_degrees, default=0)


def test_the_inverted_tree_of_the_papers_table():
    # n = 100 with k = 4 does not come out even: 99 = 24 * 4 + 3.
    sizes = Counter(map(len, random_inverted_tree(100, 4, seed=1).parent_indices))
    assert sizes == {4: 24, 3: 1, 0: 75}


def longest_path(parents, v):
    return max((1 + longest_path(parents, p) for p in parents[v]), default=0)


def test_inverted_trees_choose_among_all_variables_without_parents():
    # Seven variables, k = 2: in two cases of three a new one is third to get parents: a chain.
    trees = [random_inverted_tree(7, 2, seed=s).parent_indices for s in range(900)]
    chains = sum(max(longest_path(tree, v) for v in range(7)) == 3 for tree in trees)
    assert abs(chains - 600) < 5 * math.sqrt(200)


@pytest.mark.parametrize("make", [random_network, lambda n, seed: random_inverted_tree(n, 2, seed=seed)])
def test_seeds_decide_everything(make):
    first, again, other = make(50, seed=4), make(50, seed=4), make(50, seed=5)
    assert first == again
    assert first.parent_indices != other.parent_indices


def test_numbers_of_states_and_parents_are_uniform():
    network = random_network(7000, seed=6)
    for counts, classes in [
        (Counter(network.schema.cardinalities), range(2, 5)),
        (Counter(map(len, network.parent_indices)), range(7)),
    ]:
        expected = 7000 / len(classes)
        statistic = sum((counts[c] - expected) ** 2 / expected for c in classes)
        freedom = len(classes) - 1
        assert sum(counts[c] for c in classes) == 7000
        assert statistic < freedom + 5 * math.sqrt(2 * freedom)


def test_parents_are_uniform_among_predecessors_and_columns_do_not_betray_the_order():
    # In a random order half of the arcs point to a smaller index.
    arcs = random_network(3000, seed=6).arc_indices
    forward = sum(parent < child for parent, child in arcs)
    assert abs(forward - len(arcs) / 2) < 5 * math.sqrt(len(arcs)) / 2


def test_subsets_and_orders_are_drawn_alike():
    stream = _core.RandomStream(1, 2)
    subsets = Counter(tuple(distinct_below(stream, 5, 2)) for _ in range(10_000))
    orders = Counter(tuple(shuffled(stream, 3)) for _ in range(6000))
    for counts, classes in [(subsets, 10), (orders, 6)]:
        assert len(counts) == classes
        expected = counts.total() / classes
        assert sum((n - expected) ** 2 / expected for n in counts.values()) < classes + 5 * math.sqrt(
            2 * classes
        )
    assert distinct_below(stream, 4, 4) == [0, 1, 2, 3]
    assert distinct_below(stream, 4, 0) == []


@pytest.mark.parametrize("concentration", [0.05, 0.5, 1.0, 1.0000001, 3.0, 40.0])
@pytest.mark.parametrize("num_states", [2, 3, 5])
def test_rows_of_tables_have_the_moments_of_a_dirichlet(concentration, num_states):
    num_rows = 20_000
    tables = _core.draw_tables(
        np.array([num_states], dtype=np.uint32), np.array([0, num_states * num_rows]), concentration, 9
    ).reshape(num_rows, num_states)
    np.testing.assert_allclose(tables.sum(axis=1), 1)
    variance = (num_states - 1) / num_states**2 / (num_states * concentration + 1)
    np.testing.assert_allclose(tables.mean(axis=0), 1 / num_states, atol=5 * math.sqrt(variance / num_rows))
    # The mean of the squares tells concentrations apart; its own spread is below that of the numbers.
    np.testing.assert_allclose(tables.var(axis=0), variance, atol=5 * math.sqrt(variance / num_rows))


def test_binary_rows_are_beta_one_one():
    tables = np.concatenate(random_inverted_tree(4001, 2, seed=3).tables)[::2]
    # Kolmogorov's distance from the uniform distribution; 1.95 / sqrt(n) is exceeded once in a thousand.
    ranks = (np.arange(tables.size) + 0.5) / tables.size
    assert np.abs(np.sort(tables) - ranks).max() < 1.95 / math.sqrt(tables.size)


def test_tiny_concentrations_give_certainties_not_nonsense():
    network = random_network(50, concentration=1e-4, seed=1)
    rows = zip(network.tables, network.schema.cardinalities, strict=True)
    largest = [table.reshape(-1, num_states).max(axis=1) for table, num_states in rows]
    assert np.mean(np.concatenate(largest) > 0.999) > 0.99


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_variables": 0}, "num_variables must be at least 1, got 0"),
        ({"min_states": 1}, "2 <= min_states <= max_states <= 65536, got 1 and 4"),
        ({"min_states": 5}, "got 5 and 4"),
        ({"max_states": 65537}, "got 2 and 65537"),
        ({"min_parents": -1}, "min_parents must be at least 0, got -1"),
        ({"min_parents": 7}, "got 7 and 6"),
        ({"max_treewidth": 0}, "max_treewidth must be at least 1"),
        ({"max_treewidth": 2, "min_parents": 3}, r"at least min_parents \(3\), got 2"),
        ({"concentration": 0.0}, "concentration must be positive and finite, got 0.0"),
        ({"concentration": math.nan}, "concentration must be positive and finite, got nan"),
        ({"concentration": math.inf}, "concentration must be positive and finite, got inf"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        (
            {"min_states": 60, "max_states": 60, "min_parents": 6},
            "Expected tables of 536870912 numbers at most",
        ),
    ],
)
def test_arguments_of_random_networks_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        random_network(**{"num_variables": 10, **arguments})


@pytest.mark.parametrize(("num_variables", "num_parents"), [(0, 2), (5, 0)])
def test_arguments_of_inverted_trees_are_checked(num_variables, num_parents):
    with pytest.raises(ValueError, match="must be at least 1, got 0"):
        random_inverted_tree(num_variables, num_parents)
