"""Updating: the network counts like so many rows, beside the new ones."""

from __future__ import annotations

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
    expected = reference.updated(network.parent_indices, tables, cards, rows, weight)
    for own, other in zip(found.tables, expected, strict=True):
        np.testing.assert_allclose(own, other, atol=1e-9)
    assert found.parents == network.parents
    assert found.elimination_order == network.elimination_order
    assert found.provenance["rows"] == weight + len(rows)


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
    assert both.provenance["rows"] == 400


def test_rows_with_gaps_are_refused_or_skipped():
    network = treebound.random_network(3, max_states=2, min_parents=1, max_parents=1, seed=1)
    table = network.sample(20, seed=1).to_frame().astype("float")
    table.loc[0, "X1"] = np.nan
    with pytest.raises(treebound.DataError, match="missing values"):
        network.update(table, weight=5)
    skipped = network.update(table, weight=5, missing="skip")
    complete = network.update(table.iloc[1:], weight=5)
    without = [v for v in range(3) if 1 not in (v, *network.parent_indices[v])]
    assert any(not np.allclose(skipped.tables[v], complete.tables[v]) for v in without) or not without
    for v in set(range(3)) - set(without):
        np.testing.assert_allclose(skipped.tables[v], complete.tables[v])


def test_an_unknown_weight_must_be_given():
    network = treebound.random_network(3, seed=1)
    rows = network.sample(5, seed=1)
    with pytest.raises(ValueError, match="weight must say how many rows the network is worth"):
        network.update(rows)
    with pytest.raises(ValueError, match="weight must be finite and not negative, got -1"):
        network.update(rows, weight=-1)
    with pytest.raises(ValueError, match="missing must be 'error' or 'skip', got 'drop'"):
        network.update(rows, weight=1, missing="drop")
