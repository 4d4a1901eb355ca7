"""Posteriors as functions of one number of a table, against networks in which it is changed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound
from reference import inference as reference
from reference import inference_exact
from strategies_extremes import extreme_networks
from strategies_inference import possible_cases

pytestmark = pytest.mark.core


def changed(network, found, value):
    """The tables with one number replaced and the rest of its row scaled."""
    schema = network.schema
    tables = [table.copy() for table in network.tables]
    child = schema.position(found.variable)
    family = network.parent_indices[child]
    place = tuple(schema[p].code(found.given[schema.names[p]]) for p in family)
    table = tables[child].reshape([schema.cardinalities[v] for v in (*family, child)])
    own = schema[child].code(found.state)
    row = table[place]
    assert row[own] == pytest.approx(found.value)
    row *= (1 - value) / (1 - row[own])
    row[own] = value
    return tables


@given(case=possible_cases(max_variables=4), data=st.data())
def test_the_posterior_is_that_of_the_network_with_another_number(case, data):
    network, cards = case.network, case.network.schema.cardinalities
    free = [v for v in range(len(cards)) if network.schema.names[v] not in case.evidence]
    target = data.draw(st.sampled_from(free)) if free else None
    if target is None:
        return
    state = data.draw(st.integers(0, cards[target] - 1))
    now = reference.posterior(case.weighted, [target])[state]
    label = network.schema[target].states[state]
    every = network.parameter_sensitivity(network.schema.names[target], label, case.evidence, most=None)
    between = sum(int(((table > 0) & (table < 1)).sum()) for table in network.tables)
    assert len(every) == (between if now > 0 else 0)
    for found in every:
        assert found.at(found.value) == pytest.approx(now, abs=1e-9)
        for value in (0.0, 0.3, 1.0):
            joint = reference.joint(network.parent_indices, changed(network, found, value), cards)
            weighted = reference.weighted(joint, case.likelihoods)
            if weighted.sum() > 1e-9:
                expected = reference.posterior(weighted, [target])[state]
                assert found.at(value) == pytest.approx(expected, abs=1e-6)
        step = 1e-6
        slope = (found.at(found.value + step) - found.at(found.value - step)) / (2 * step)
        assert found.derivative == pytest.approx(slope, rel=1e-2, abs=1e-2)
    steepness = [abs(found.derivative) for found in every]
    assert steepness == sorted(steepness, reverse=True)
    few = network.parameter_sensitivity(network.schema.names[target], label, case.evidence, most=2)
    assert [abs(found.derivative) for found in few] == pytest.approx(steepness[:2])


# Smaller ones next to 1 are lost in its last digit, and products of three of them are still doubles.
CLOSE_TO_NOTHING = [0.0, 1e-60, 1e-30, 2e-17, 1e-16, 1e-12, 1e-3, 0.3]


def exactly_changed(network, found, value):
    """The tables as fractions, with one number replaced and the rest of its row scaled."""
    schema = network.schema
    tables = [[Fraction(number) for number in table] for table in network.tables]
    child = schema.position(found.variable)
    first = 0
    for p in network.parent_indices[child]:
        first = first * schema.cardinalities[p] + schema[p].code(found.given[schema.names[p]])
    card = schema.cardinalities[child]
    own = first * card + schema[child].code(found.state)
    row = range(first * card, (first + 1) * card)
    others = sum(tables[child][i] for i in row if i != own)
    for i in row:
        tables[child][i] = value if i == own else tables[child][i] * (1 - value) / others
    return tables


@given(network=extreme_networks(max_variables=3, tiny=CLOSE_TO_NOTHING), data=st.data())
def test_numbers_close_to_0_and_1_do_not_cancel(network, data):
    cards = network.schema.cardinalities
    target = data.draw(st.integers(0, len(cards) - 1))
    known = {v: data.draw(st.integers(-1, c - 1)) for v, c in enumerate(cards) if v != target}
    known = {v: code for v, code in known.items() if code >= 0}
    likelihoods = {v: [float(state == code) for state in range(cards[v])] for v, code in known.items()}
    evidence = {network.schema.names[v]: f"s{code}" for v, code in known.items()}
    now = inference_exact.joint(network.parent_indices, network.tables, cards)
    if not inference_exact.weighted(now, likelihoods):
        return
    every = network.parameter_sensitivity(network.schema.names[target], "s0", evidence, most=None)
    for found in every:
        assert math.isfinite(found.derivative)
        for value in (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)):
            tables = exactly_changed(network, found, value)
            joint = inference_exact.joint(network.parent_indices, tables, cards)
            weighted = inference_exact.weighted(joint, likelihoods)
            if weighted:
                expected = inference_exact.posterior(weighted, [target], cards)[0]
                assert found.at(float(value)) == pytest.approx(expected, rel=1e-9, abs=1e-12)
            else:
                assert math.isnan(found.at(float(value)))


@pytest.mark.parametrize("tiny", [1e-16, 1e-17, 1e-300, 1e-310])
def test_a_row_with_one_state_that_is_almost_certain(tiny):
    network = treebound.BayesianNetwork.from_tables(
        {"a": [0.2 * tiny, 1 - tiny, 0.8 * tiny], "b": [[0.0, 1.0], [1.0, 0.0], [0.6, 0.4]]},
        parents={"b": ["a"]},
    )
    found = {(one.variable, one.state): one for one in network.parameter_sensitivity("b", 1, most=None)}
    certain = found["a", "1"]  # half of it leaves 0.1 and 0.4 for the others
    assert certain.at(0.5) == pytest.approx(0.1 + 0.4 * 0.4)
    assert certain.derivative == pytest.approx(-2 * certain.at(0.5))
    assert certain.value_for(0.26) == pytest.approx(0.5)


def test_the_number_that_brings_a_posterior_about():
    network = treebound.BayesianNetwork.from_tables(
        {"rain": [0.8, 0.2], "wet": [[0.9, 0.1], [0.05, 0.95]]}, parents={"wet": ["rain"]}
    )
    found = network.parameter_sensitivity("rain", 1, {"wet": 1})
    wanted = next(one for one in found if one.given == {"rain": "0"} and one.state == "1")
    assert wanted.at(0.1) == pytest.approx(0.19 / 0.27)
    value = wanted.value_for(0.9)
    assert wanted.at(value) == pytest.approx(0.9)
    assert wanted.value_for(0.01) is None
    assert str(wanted).startswith("P(wet = 1 | rain = 0) = 0.1: derivative -")


def test_targets_that_are_known_or_impossible():
    network = treebound.BayesianNetwork.from_tables(
        {"a": [0.5, 0.5], "b": [[1.0, 0.0], [0.5, 0.5]]}, parents={"b": ["a"]}
    )
    assert network.parameter_sensitivity("a", 0, {"b": 1}) == []
    with pytest.raises(treebound.InferenceError, match="target 'a' must not be part of the evidence"):
        network.parameter_sensitivity("a", 0, {"a": 1})
    with pytest.raises(treebound.InferenceError, match="7 is not one of its states"):
        network.parameter_sensitivity("a", 7)
    with pytest.raises(ValueError, match="most must be at least 1"):
        network.parameter_sensitivity("a", 0, most=0)
    np.testing.assert_allclose([one.value for one in network.parameter_sensitivity("a", 0)][:2], 0.5)
