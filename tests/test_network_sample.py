"""Forward sampling: equal to its slow twin row by row, true to the joint distribution, blind to threads."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound
from reference import network as reference
from treebound._core import RandomStream
from treebound.data import Schema, Variable
from treebound.network import BayesianNetwork, random_inverted_tree, random_network

pytestmark = pytest.mark.core

words = st.integers(0, 2**64 - 1)


def plain(network):
    """A network as the slow twins take it."""
    return network.parent_indices, [table.tolist() for table in network.tables], network.schema.cardinalities


def rows_of(dataset):
    return [tuple(row) for row in dataset.codes.T.tolist()]


@given(seed=words, index=words, bound=st.integers(1, 2**32 - 1))
def test_streams_agree_with_their_twin(seed, index, bound):
    fast, slow = RandomStream(seed, index), reference.RandomStream(seed, index)
    assert [fast.uniform() for _ in range(3)] == [slow.uniform() for _ in range(3)]
    assert [fast.below(bound) for _ in range(3)] == [slow.below(bound) for _ in range(3)]
    assert fast.split(index).uniform() == slow.split(index).uniform()


def test_splitmix_is_the_published_generator():
    # First outputs of the reference implementation in C for state 1234567.
    slow = reference.RandomStream(0, 0)
    slow.state = 1234567
    assert [slow.next() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_numbers_can_be_addressed():
    stream, twin = RandomStream(3, 4), RandomStream(3, 4)
    assert [stream.uniform_at(i) for i in range(5)] == [twin.uniform() for _ in range(5)]


@settings(deadline=None, max_examples=40)
@given(num_variables=st.integers(1, 8), network_seed=words, seed=words, num_rows=st.integers(0, 40))
def test_rows_equal_those_of_the_slow_twin(num_variables, network_seed, seed, num_rows):
    network = random_network(num_variables, max_parents=3, seed=network_seed)
    expected = reference.sample(*plain(network), num_rows, seed)
    assert rows_of(network.sample(num_rows, seed)) == expected


# Parents with different numbers of states, listed against their order: any other layout of the tables would
# show in the joint distribution.
MIXED = BayesianNetwork.from_indices(
    Schema(tuple(Variable(f"V{v}", tuple("abc"[:r])) for v, r in enumerate((2, 3, 2, 3)))),
    ((), (0,), (1, 0), (2, 1)),
    (
        [0.3, 0.7],
        [0.6, 0.3, 0.1, 0.1, 0.0, 0.9],
        [0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.05, 0.95, 0.4, 0.6, 1.0, 0.0],
        [0.2, 0.3, 0.5, 0.0, 0.1, 0.9, 0.8, 0.1, 0.1, 0.3, 0.3, 0.4, 1.0, 0.0, 0.0, 0.25, 0.5, 0.25],
    ),
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "network",
    [
        MIXED,
        random_inverted_tree(7, 2, seed=5),
        random_network(4, max_states=3, max_parents=3, min_parents=1, seed=8),
    ],
    ids=["mixed", "inverted", "random"],
)
def test_samples_follow_the_joint_distribution(network, seed):
    expected = list(reference.joint_distribution(*plain(network)))
    assert math.isclose(sum(p for _, p in expected), 1)
    statistic, freedom = reference.chi_square(rows_of(network.sample(20_000, seed)), expected)
    # Five standard deviations of the chi-square distribution.
    assert statistic < freedom + 5 * math.sqrt(2 * freedom)


def test_the_chi_square_test_refuses_another_distribution():
    parents, tables, cards = plain(MIXED)
    tables[2] = tables[2][:2] + tables[2][4:6] + tables[2][2:4] + tables[2][6:]
    expected = list(reference.joint_distribution(parents, tables, cards))
    statistic, freedom = reference.chi_square(rows_of(MIXED.sample(20_000, 0)), expected)
    assert statistic > freedom + 5 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("num_rows", [1, 63, 64, 65, 5000])
def test_threads_do_not_change_the_rows(num_rows):
    network = random_network(30, seed=2)
    alone = network.sample(num_rows, 7, threads=1).codes
    for threads in (2, 3, 8, 100):
        np.testing.assert_array_equal(network.sample(num_rows, 7, threads=threads).codes, alone)


def test_more_rows_continue_the_same_sequence():
    network = random_network(10, seed=2)
    some, more = network.sample(100, 7).codes, network.sample(6000, 7).codes
    np.testing.assert_array_equal(more[:, :100], some)


def test_seeds_change_the_rows():
    network = random_network(10, seed=2)
    assert (network.sample(100, 7).codes != network.sample(100, 8).codes).any()


def test_one_seed_for_tables_and_rows_leaves_them_independent():
    # Were a coin tossed with the number that made it, the first sides would come up too rarely.
    network = random_network(10_000, max_states=2, max_parents=0, seed=11)
    probabilities = np.array([table[0] for table in network.tables])
    is_first = network.sample(1, seed=11).codes[:, 0] == 0
    expected, spread = probabilities.sum(), np.sqrt((probabilities * (1 - probabilities)).sum())
    assert abs(is_first.sum() - expected) < 4 * spread


def test_wide_variables_get_wide_codes():
    states = tuple(map(str, range(300)))
    network = BayesianNetwork.from_indices(
        Schema((Variable("A", states), Variable("B", ("x", "y")))),
        ((), (0,)),
        (np.eye(300)[299], np.array([1.0, 0.0] * 299 + [0.0, 1.0])),
    )
    codes = network.sample(10, 0).codes
    assert codes.dtype == np.uint16
    assert codes.tolist() == [[299] * 10, [1] * 10]


def test_impossible_states_never_occur_even_if_rounding_leaves_a_gap():
    short = [0.0, 1 - 9e-6, 0.0]
    network = BayesianNetwork.from_indices(Schema((Variable("A", ("a", "b", "c")),)), ((),), (short,))
    stream = RandomStream(0, reference.ROWS).split(0)
    assert any(stream.uniform_at(row) >= short[1] for row in range(1_000_000))
    assert (network.sample(1_000_000, 0).codes == 1).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_rows": -1}, "num_rows must be at least 0, got -1"),
        ({"num_rows": 0, "seed": -1}, "seed must be at least 0, got -1"),
        ({"num_rows": 1, "seed": 2**64}, "seed must be at most 18446744073709551615, got"),
        ({"num_rows": 1, "threads": 0}, "threads must be at least 1, got 0"),
    ],
)
def test_arguments_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        MIXED.sample(**arguments)


def test_numbers_of_bins_are_drawn_inside_them():
    table = {"x": [i + 0.25 for i in range(50)], "n": list(range(50)), "s": ["a", "b"] * 25}
    data = treebound.load(table, discretise={"x": "quantile:4", "n": 3})
    network = treebound.fit({"x": (), "n": ("x",), "s": ()}, data)
    drawn = network.sample(200, seed=3)
    values = drawn.to_dict()
    assert values["x"].dtype == np.float64
    assert values["n"].dtype == np.int64
    assert set(values["x"]) <= set(table["x"])
    assert len(set(values["x"])) > 40
    for name in ("x", "n"):
        assert (data.schema[name].find_all(values[name].tolist()) == drawn.column(name)).all()
    again = network.sample(200, seed=3).to_dict()
    assert all((values[name] == again[name]).all() for name in values)
    medians = set(drawn.to_dict("median")["x"])
    assert medians < set(table["x"])
    assert set(np.unique(drawn.column("x"))) == set(data.schema["x"].find_all(sorted(medians)))
    assert set(drawn.to_dict("label")["x"]) <= set(data.schema["x"].states)
    assert set(data.to_dict()["x"]) == set(data.schema["x"].states)
    assert (drawn.to_frame()["x"] == values["x"]).all()
    with pytest.raises(ValueError, match="bins must be 'label', 'median' or 'draw', got 'mean'"):
        drawn.to_dict("mean")
    given = network.sample(5, 1, {"s": "a"})
    assert given.drawn_with == 1
    assert pickle.loads(pickle.dumps(given)).drawn_with == 1
