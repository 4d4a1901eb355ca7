"""Updating: the network counts like so many rows, beside the new ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound
from reference import network as reference
from strategies_inference import networks
from treebound import Dataset, MaximumLikelihood

pytestmark = pytest.mark.core


@given(network=networks(max_variables=5), data=st.data())
def test_an_update_adds_the_network_and_the_rows_together(network, data):
    cards = network.schema.cardinalities
    rows = data.draw(st.lists(st.tuples(*(st.integers(0, c - 1) for c in cards)), min_size=1, max_size=6))
    weight = data.draw(st.sampled_from([0.0, 0.5, 1.0, 30.0]))
    codes = np.array(rows, dtype=np.uint8).T
    found = network.update(Dataset(network.schema, codes), weight=weight)
    tables = [table.tolist() for table in network.tables]
    expected = reference.updated(network.parent_indices, tables, cards, rows, [weight] * len(cards))
    for own, other in zip(found.tables, expected, strict=True):
        np.testing.assert_allclose(own, other, atol=1e-9)
    assert found.parents == network.parents
    assert found.elimination_order == network.elimination_order
    assert found.num_rows == weight + len(rows)


@given(network=networks(max_variables=4), data=st.data())
def test_each_table_counts_like_the_rows_that_it_was_counted_from(network, data):
    names, cards = network.schema.names, network.schema.cardinalities
    cells = st.tuples(*(st.integers(-1, c - 1) for c in cards))
    parts = []
    for _ in range(2):
        complete = data.draw(st.tuples(*(st.integers(0, c - 1) for c in cards)))
        parts.append([complete, *data.draw(st.lists(cells, max_size=6))])
    first, second = (
        {
            name: [None if row[v] < 0 else network.schema[v].states[row[v]] for row in part]
            for v, name in enumerate(names)
        }
        for part in parts
    )
    fitted = treebound.fit(network, first, missing="keep")
    counted = [
        [sum(all(row[u] >= 0 for u in (v, *family)) for row in part) for part in parts]
        for v, family in enumerate(network.parent_indices)
    ]
    assert worth(fitted) == [one for one, _ in counted]
    found = fitted.update(second, missing="keep")
    assert worth(found) == [one + other for one, other in counted]
    tables = [table.tolist() for table in fitted.tables]
    expected = reference.updated(network.parent_indices, tables, cards, parts[1], [one for one, _ in counted])
    for own, other in zip(found.tables, expected, strict=True):
        np.testing.assert_allclose(own, other, atol=1e-9)


def worth(network):
    rows = network.num_rows
    if isinstance(rows, tuple):
        assert len(set(rows)) > 1
        return [*rows]
    return [rows] * network.num_variables


def test_rows_that_were_skipped_do_not_count_in_an_update():
    gaps = [None] * 98
    chain = {"a": [], "b": ["a"]}
    table = {"a": [0, 1, *gaps], "b": [0, 1, *gaps]}
    skipped = treebound.fit(chain, table, missing="keep")
    complete = treebound.fit(chain, {"a": [0, 1], "b": [0, 1]})
    assert skipped.num_rows == complete.num_rows == 2
    more = {"a": [1] * 10, "b": [0] * 10}
    for one, other in zip(skipped.update(more).tables, complete.update(more).tables, strict=True):
        np.testing.assert_array_equal(one, other)


def test_weighted_rows_that_were_skipped_do_not_count_either():
    table = {"a": [0, 1, 1, None], "b": [0, 1, None, 1]}
    data = treebound.load(table, missing="keep", weights=[0.1, 0.2, 0.3, 5.0])
    network = treebound.fit({"a": [], "b": []}, data, missing="keep")
    assert network.num_rows == pytest.approx([0.6, 5.3])
    data = treebound.load({"a": [0, 1, 1], "b": [1, 1, 0]}, weights=[0.1, 0.2, 0.3])
    alike = treebound.fit({"a": [], "b": []}, data)
    assert alike.num_rows == pytest.approx(0.6)


@pytest.mark.parametrize("rows", [[3], [3, -1], [3, True], [3, "4"], "3", True, -2])
def test_numbers_of_rows_that_make_no_sense_are_rejected(rows):
    network = treebound.fit({"a": [], "b": []}, {"a": [0, 1], "b": [0, 1]})
    with pytest.raises((TypeError, ValueError), match="num_rows must be"):
        replace(network, num_rows=rows)


def test_two_parts_of_a_table_give_what_the_whole_gives():
    """Without v-structures a network knows the joint frequencies of its families exactly."""
    truth = treebound.random_network(6, max_treewidth=1, max_states=3, seed=3)
    table = truth.sample(400, seed=1).to_frame()
    chain = {name: [f"X{v - 1}"] if v else [] for v, name in enumerate(truth.schema.names)}
    schema = treebound.Structure.from_parents(chain)
    whole = treebound.fit(schema, table, smoothing=MaximumLikelihood())
    start = treebound.fit(whole, table.head(300), smoothing=MaximumLikelihood())
    both = start.update(table.tail(100))
    for own, other in zip(both.tables, whole.tables, strict=True):
        np.testing.assert_allclose(own, other, atol=1e-12)
    assert both.num_rows == 400


def test_rows_with_gaps_are_refused_or_skipped():
    network = treebound.random_network(3, max_states=2, min_parents=1, max_parents=1, seed=1)
    table = network.sample(20, seed=1).to_frame().astype("float")
    table.loc[0, "X1"] = np.nan
    with pytest.raises(treebound.DataError, match="missing values"):
        network.update(table, weight=5)
    skipped = network.update(table, weight=5, missing="keep")
    complete = network.update(table.iloc[1:], weight=5)
    without = [v for v in range(3) if 1 not in (v, *network.parent_indices[v])]
    assert any(not np.allclose(skipped.tables[v], complete.tables[v]) for v in without) or not without
    for v in set(range(3)) - set(without):
        np.testing.assert_allclose(skipped.tables[v], complete.tables[v])


def test_an_unknown_weight_must_be_given():
    network = treebound.random_network(3, seed=1)
    rows = network.sample(5, seed=1)
    with pytest.raises(ValueError, match=r"does not record how many rows it was fitted to. Pass weight="):
        network.update(rows)
    with pytest.raises(ValueError, match="weight must be finite and not negative, got -1"):
        network.update(rows, weight=-1)
    with pytest.raises(ValueError, match="missing must be 'error', 'drop', 'keep' or 'em', got 'skip'"):
        network.update(rows, weight=1, missing="skip")


def test_fit_and_update_treat_the_same_table_in_the_same_way():
    gaps = {"a": [0, 1, 1, None, 0], "b": [0, 1, None, 1, 1]}
    learned = treebound.load(gaps, missing="drop")
    network = treebound.fit({"a": [], "b": ["a"]}, learned)
    assert network.num_rows == 3
    assert treebound.fit(network, gaps) == network
    assert network.update(gaps, weight=0) == treebound.fit(network, gaps, smoothing=MaximumLikelihood())
    plain = treebound.fit({"a": [], "b": ["a"]}, {"a": [0, 1, 0], "b": [0, 1, 1]})
    for count in (lambda **how: treebound.fit(plain, gaps, **how), lambda **how: plain.update(gaps, **how)):
        with pytest.raises(treebound.DataError, match="needs complete rows; 2 of 5 rows have missing values"):
            count()
        assert count(missing="drop").num_rows in (3, 6)


def test_rows_with_weights_count_in_an_update():
    network = treebound.fit({"a": []}, {"a": [0, 1]}, smoothing=MaximumLikelihood())
    rows = treebound.load({"a": [0, 1]}, schema=network.schema, weights=[3.0, 1.0])
    updated = network.update(rows, weight=4)
    np.testing.assert_allclose(updated.tables[0], [5 / 8, 3 / 8])
    assert updated.num_rows == 8
