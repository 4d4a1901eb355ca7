"""The value of information: exact mutual information of a target with everything that is not known."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rain
from reference import inference as reference
from strategies_inference import Case, possible_cases
from treebound import BayesianNetwork, InferenceError

pytestmark = pytest.mark.core


@given(case=possible_cases(), data=st.data())
def test_the_value_of_information_is_mutual_information(case: Case, data: st.DataObject) -> None:
    schema = case.network.schema
    target = data.draw(st.sampled_from(range(len(schema))))
    found = case.network.value_of_information(schema.names[target], case.evidence, most=None)
    hard = {name for name, finding in case.evidence.items() if isinstance(finding, str)}
    assert {one.variable for one in found} == set(schema.names) - hard - {schema.names[target]}
    for one in found:
        expected = reference.mutual_information(case.weighted, target, schema.position(one.variable))
        assert one.information == pytest.approx(expected, abs=1e-9)
    assert [one.information for one in found] == sorted((one.information for one in found), reverse=True)


def test_shares_are_of_the_entropy_of_the_target():
    (first, _) = rain.NETWORK.value_of_information("rain")
    entropy = rain.NETWORK.junction_tree.entropy("rain")
    assert first.share == pytest.approx(first.information / entropy)
    assert math.isclose(
        first.information, rain.NETWORK.junction_tree.mutual_information("rain", first.variable)
    )


def test_a_wide_target_takes_time_and_memory_in_proportion_to_its_states():
    """One pass for each of its states would look at the square of them."""
    num_states = 5000
    odds = np.linspace(0.1, 0.9, num_states)
    wide = BayesianNetwork.from_tables(
        {"id": np.full(num_states, 1 / num_states), "y": np.column_stack([odds, 1 - odds])},
        parents={"y": ["id"]},
    )
    tracemalloc.start()
    try:
        (found,) = wide.value_of_information("id")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    (back,) = wide.value_of_information("y")
    assert found.information == pytest.approx(back.information, rel=1e-9)
    assert found.information == pytest.approx(wide.junction_tree.mutual_information("id", "y"), rel=1e-9)
    assert peak < 1000 * num_states


def test_only_the_best_are_returned():
    assert len(rain.NETWORK.value_of_information("rain", most=1)) == 1


def test_a_known_target_has_nothing_to_learn():
    assert {one.share for one in rain.NETWORK.value_of_information("rain", {"rain": "yes"})} == {0.0}


def test_unknown_targets_and_counts_are_rejected():
    with pytest.raises(InferenceError, match="'snow'"):
        rain.NETWORK.value_of_information("snow")
    with pytest.raises(ValueError, match="most"):
        rain.NETWORK.value_of_information("rain", most=0)
