"""Fitting: counts equal those of the slow twin, priors do what they say, and rows are matched by name."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound as tb
from reference import network as reference
from treebound import (
    BackoffPrior,
    BdeuPrior,
    Budget,
    MarginalPrior,
    MaximumLikelihood,
    PseudoCount,
    random_network,
)

pytestmark = pytest.mark.core

SMOOTHINGS = [MaximumLikelihood(), PseudoCount(0.5), BdeuPrior(3.0), MarginalPrior(2.5), BackoffPrior(1.5)]


def backed_off(weight, counts, cards):
    """The slow twin of the prior that drops the parents one by one: what each cell of the table gets."""
    if len(cards) == 1:
        return [0.5] * cards[0]
    size = len(counts) // cards[0]
    shorter = [sum(counts[i::size]) for i in range(size)]
    cells = [a + b for a, b in zip(shorter, backed_off(weight, shorter, cards[1:]), strict=True)]
    own = cards[-1]
    totals = [sum(cells[row : row + own]) for row in range(0, size, own)]
    return [weight * cell / totals[i // own] for i, cell in enumerate(cells)] * cards[0]


def expected_table(smoothing, counts, cards):
    """The table of a family whose parents, and itself at last, have so many states."""
    own = cards[-1]
    if not isinstance(smoothing, BackoffPrior):
        return reference.normalised(counts, own, pseudo_counts(smoothing, counts, own))
    added = backed_off(smoothing.weight, counts, [card for card in cards[:-1] if card > 1] + [own])
    smoothed = [a + b for a, b in zip(counts, added, strict=True)]
    return reference.normalised(smoothed, own, [0.0] * own)


def pseudo_counts(smoothing, counts, cardinality):
    """What each other prior adds to the cells of a row, in plain words."""
    if isinstance(smoothing, MaximumLikelihood):
        return [0.0] * cardinality
    if isinstance(smoothing, PseudoCount):
        return [smoothing.alpha] * cardinality
    if isinstance(smoothing, BdeuPrior):
        return [smoothing.equivalent_sample_size / len(counts)] * cardinality
    marginal = [sum(counts[x::cardinality]) + 0.5 for x in range(cardinality)]
    return [smoothing.weight * x / sum(marginal) for x in marginal]


@settings(max_examples=60)
@given(
    truth_seed=st.integers(0, 100),
    num_rows=st.integers(2, 40),
    smoothing=st.sampled_from(SMOOTHINGS),
    threads=st.integers(1, 3),
    share_missing=st.sampled_from([0.0, 0.2]),
)
def test_tables_equal_those_of_the_slow_twin(truth_seed, num_rows, smoothing, threads, share_missing):
    truth = random_network(5, max_parents=3, seed=truth_seed)
    rng = np.random.default_rng(truth_seed)
    codes = truth.sample(num_rows, 1).codes.T.tolist()
    rows = [[None if rng.random() < share_missing else cell for cell in row] for row in codes]
    rows[0] = codes[0]  # so that no column is empty
    table = {name: [row[v] for row in rows] for v, name in enumerate(truth.schema.names)}
    fitted = tb.fit(truth, table, smoothing=smoothing, missing="keep", threads=threads)
    cards = truth.schema.cardinalities
    for v, counts in enumerate(reference.family_counts(truth.parent_indices, cards, rows)):
        expected = expected_table(smoothing, counts, [cards[u] for u in (*truth.parent_indices[v], v)])
        np.testing.assert_allclose(fitted.tables[v], expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("num_rows", [1, 2047, 2048, 2049, 10_000])
def test_blocks_of_rows_and_threads_do_not_show(num_rows):
    truth = random_network(6, seed=4)
    data = truth.sample(num_rows, 2)
    alone = tb.fit(truth, data, smoothing=MaximumLikelihood(), threads=1)
    counts = reference.family_counts(truth.parent_indices, truth.schema.cardinalities, data.codes.T.tolist())
    for v, table in enumerate(alone.tables):
        expected = reference.normalised(counts[v], truth.schema.cardinalities[v], [0.0] * 4)
        np.testing.assert_allclose(table, expected, rtol=1e-12)
    assert tb.fit(truth, data, smoothing=MaximumLikelihood(), threads=5) == alone


def test_wide_codes_are_counted_too():
    states = tuple(map(str, range(300)))
    schema = tb.Schema((tb.Variable("a", states), tb.Variable("b", ("x", "y"))))
    data = tb.Dataset(schema, np.array([[299, 299, 0], [1, 0, 1]]))
    network = tb.fit({"a": [], "b": ["a"]}, data, smoothing=MaximumLikelihood())
    assert network.tables[0][299] == pytest.approx(2 / 3)
    assert network.tables[1].reshape(300, 2)[[299, 0, 7]].tolist() == [[0.5, 0.5], [0, 1], [0.5, 0.5]]


def test_many_rows_give_back_the_truth():
    truth = random_network(8, max_parents=2, seed=2)
    fitted = tb.fit(truth, truth.sample(200_000, 1))
    worst = max(np.abs(a - b).max() for a, b in zip(truth.tables, fitted.tables, strict=True))
    assert worst < 0.06


TABLE = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "yes", "yes", "yes"]}
GRAPH = {"rain": [], "wet": ["rain"]}


def test_frequencies_by_hand():
    network = tb.fit(GRAPH, TABLE, smoothing=MaximumLikelihood())
    assert network.schema.names == ("rain", "wet")
    assert [table.tolist() for table in network.tables] == [[0.5, 0.5], [0.5, 0.5, 0.0, 1.0]]


@pytest.mark.parametrize(
    ("smoothing", "unseen"),
    [
        ({}, [0.5, 0.5]),
        ({"smoothing": MarginalPrior()}, [1.5 / 5, 3.5 / 5]),
        ({"smoothing": BackoffPrior()}, [1.5 / 5, 3.5 / 5]),
    ],
)
def test_priors_leave_nothing_impossible_and_say_what_unseen_parents_have(smoothing, unseen):
    schema = tb.Schema((tb.Variable("a", ("x", "y", "never")), tb.Variable("b", ("0", "1"), "integer")))
    data = tb.Dataset(schema, np.array([[0, 1, 1, 0], [0, 1, 1, 1]]))
    network = tb.fit({"a": [], "b": ["a"]}, data, **smoothing)
    assert all((table > 0).all() for table in network.tables)
    np.testing.assert_allclose(network.tables[1].reshape(3, 2)[2], unseen)


def test_rare_joint_states_fall_back_on_the_last_parent():
    schema = tb.Schema(tuple(tb.Variable(name, ("0", "1"), "integer") for name in "abc"))
    data = tb.Dataset(schema, np.array([[0] * 8, [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]]))
    network = tb.fit({"a": [], "b": [], "c": ["a", "b"]}, data, smoothing=BackoffPrior(1.0))
    table = network.tables[2].reshape(2, 2, 2)
    marginal = np.array([4.5, 4.5]) / 9
    given_b = (np.array([[4, 0], [0, 4]]) + marginal) / 5
    np.testing.assert_allclose(table[1], given_b)
    np.testing.assert_allclose(table[0], (np.array([[4, 0], [0, 4]]) + given_b) / 5)


def test_parents_of_one_state_do_not_change_the_prior():
    constant = {f"k{i}": ["x"] * 4 for i in range(70)}
    graph = {**{name: [] for name in constant}, **GRAPH, "wet": [*constant, "rain"]}
    wide = tb.fit(graph, {**constant, **TABLE}, smoothing=BackoffPrior())
    narrow = tb.fit(GRAPH, TABLE, smoothing=BackoffPrior())
    np.testing.assert_allclose(wide.tables[-1], narrow.tables[-1])


def test_columns_are_found_by_name_and_read_with_the_schema_of_the_structure():
    data = tb.load({**TABLE, "dose": [0.1, 0.2, 0.7, 0.9]}, discretise="median")
    result = tb.learn(data, 1, budget=Budget(steps=5))
    expected = tb.fit(result, data)
    turned = {name: column[2:] + column[:2] for name, column in TABLE.items()}
    frame = pd.DataFrame({"more": 1, "dose": [0.7, 0.9, 0.1, 0.2], **turned})
    assert tb.fit(result.structure, frame) == expected
    assert expected.schema == data.schema
    assert expected.elimination_order == result.structure.elimination_order
    assert tb.fit(expected, frame, smoothing=PseudoCount()).parent_indices == expected.parent_indices


def test_a_structure_without_schema_takes_the_states_of_the_table():
    structure = tb.Structure.from_parents({"wet": ["rain"], "rain": []})
    network = tb.fit(structure, {"other": ["a", "b", "c", "d"], **TABLE}, smoothing=MaximumLikelihood())
    assert network.schema.names == ("wet", "rain")
    assert network.tables[0].tolist() == [0.5, 0.5, 0.0, 1.0]


@pytest.mark.parametrize(
    ("structure", "table", "options", "error", "message"),
    [
        (GRAPH, TABLE, {"missing": "skip"}, ValueError,
         "missing must be 'error', 'drop' or 'keep', got 'skip'."),
        ([[], [0]], TABLE, {}, TypeError, "structure must be a Structure, what learn() or search() returned, "
         "or a BayesianNetwork, or a dict of parents by name, got an object of type list."),
        (GRAPH, {"rain": ["a", "b"], "wett": ["a", "b"]}, {}, ValueError,
         "'wet': there is none; did you mean 'wett'?"),
        (GRAPH, {**TABLE, "wet": ["no", None, "yes", "no"]}, {}, ValueError,
         "missing values; fill them in, or drop the rows that have some with missing='drop':\n"
         "  fitting a network needs complete rows; 1 of 4 rows has missing values, e.g. column 'wet'"),
        (GRAPH, {**TABLE, "wet": [None] * 4}, {"missing": "keep"}, ValueError,
             "as in hidden={'H': 4}:\n  'wet': all of its 4 rows are missing"),
        ({"rain": ["wet"], "wet": ["rain"]}, TABLE, {}, ValueError, "must not form a cycle"),
    ],
)  # fmt: skip
def test_errors_say_what_was_expected(structure, table, options, error, message):
    with pytest.raises(error, match=re.escape(message)):
        tb.fit(structure, table, **options)


def test_unknown_states_name_the_nearest():
    network = tb.fit(GRAPH, TABLE)
    with pytest.raises(tb.DataError, match=r"'rain': 'yess' in row 2; did you mean 'yes'\?"):
        tb.fit(network, {"rain": ["no", "yess"], "wet": ["no", "no"]})


def test_tables_too_large_to_be_made_are_refused():
    parents = {f"v{i}": [] for i in range(31)} | {"child": [f"v{i}" for i in range(31)]}
    with pytest.raises(ValueError, match=r"4,294,967,296 of them that of 'child'; at most 536,870,912"):
        tb.fit(parents, {name: ["a", "b"] for name in parents})


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize(
    ("prior", "name"),
    [
        (PseudoCount, "alpha"),
        (BdeuPrior, "equivalent_sample_size"),
        (MarginalPrior, "weight"),
        (BackoffPrior, "weight"),
    ],
)
def test_priors_are_positive(prior, name, wrong):
    with pytest.raises(ValueError, match=f"{name} must be positive and finite, got"):
        prior(wrong)


def test_a_fitted_network_tells_where_it_comes_from(tmp_path):
    table = random_network(5, seed=1).sample(40, 1)
    result = tb.learn(table, 2, budget=Budget(steps=50), seed=7)
    network = tb.fit(result, table, smoothing=PseudoCount(0.5))
    told = network.provenance
    assert (told, network.num_rows) == ({"smoothing": "PseudoCount(alpha=0.5)"}, 40)
    assert network.structure == result.structure
    assert network.structure.provenance["seed"] == 7
    tb.save_network(network, tmp_path / "network.json")
    again = tb.load_network(tmp_path / "network.json")
    assert again == network
    assert (again.provenance, again.structure) == (told, network.structure)


@settings(max_examples=40)
@given(
    truth_seed=st.integers(0, 50),
    weights=st.lists(st.integers(0, 4), min_size=3, max_size=30),
    share_missing=st.sampled_from([0.0, 0.2]),
)
def test_whole_weights_are_repeated_rows(truth_seed, weights, share_missing):
    truth = random_network(5, max_parents=3, seed=truth_seed)
    rng = np.random.default_rng(truth_seed)
    weights = [1, *weights]
    codes = truth.sample(len(weights), 1).codes.astype(float)
    codes[rng.random(codes.shape) < share_missing] = np.nan
    codes[:, 0] = 0  # so that no column is empty
    table = pd.DataFrame(codes.T, columns=truth.schema.names)
    weighted = tb.fit(
        truth, tb.load(table, schema=truth.schema, weights=weights, missing="keep"), missing="keep"
    )
    repeated = tb.fit(truth, table.loc[np.repeat(table.index, weights)], missing="keep")
    for one, other in zip(weighted.tables, repeated.tables, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_weights_need_not_be_whole():
    table = pd.DataFrame({"a": [0, 1, 1], "b": [0, 0, 1]})
    data = tb.load(table, weights=[0.5, 1.5, 3.0])
    assert (data.num_rows, data.total_weight) == (3, 5.0)
    network = tb.fit({"a": [], "b": ["a"]}, data, smoothing=MaximumLikelihood())
    np.testing.assert_allclose(network.tables[0], [0.1, 0.9])
    np.testing.assert_allclose(network.tables[1], [1, 0, 1 / 3, 2 / 3])
    assert network.num_rows == 5.0


@pytest.mark.parametrize(
    ("weights", "smoothing", "expected"),
    [
        ([1.0, 1.0, 1.0], tb.PseudoCount(1e308), [1 / 3, 1 / 3, 1 / 3]),
        ([1e308, 2e307, 0.0], tb.PseudoCount(1.0), [5 / 6, 1 / 6, 0.0]),
        ([1e308, 2e307, 0.0], tb.PseudoCount(1e308), [2 / 4.2, 1.2 / 4.2, 1 / 4.2]),
    ],
)
def test_huge_weights_do_not_overflow(weights, smoothing, expected):
    network = tb.fit({"a": []}, tb.load({"a": [0, 1, 2]}, weights=weights), smoothing=smoothing)
    np.testing.assert_allclose(network.tables[0], expected, atol=1e-12)


def test_unseen_joint_states_of_the_parents_are_uniform_without_a_prior():
    table = {"a": [0, 0, 1], "b": [0, 1, 0], "c": [0, 0, 1]}
    network = tb.fit({"a": [], "b": [], "c": ["a", "b"]}, table, smoothing=MaximumLikelihood())
    assert network.tables[2].reshape(2, 2, 2).tolist() == [[[1, 0], [1, 0]], [[0, 1], [0.5, 0.5]]]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"one number for each of the 3 rows, got shape \(1,\)"),
        (["a", "b", "c"], "one number for each of the 3 rows"),
        ([1.0, math.nan, 1.0], "must be finite and not below 0, got nan in row 2"),
        ([1.0, 1.0, -2.0], "must be finite and not below 0, got -2.0 in row 3"),
        ([0, 0, 0], "at least one above 0, got none"),
        ([1e308, 1e308, 1.0], r"sum of weights must be finite, .* is 1e\+308. Divide all weights"),
    ],
)
def test_wrong_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        tb.load({"a": [0, 1, 1]}, weights=weights)
