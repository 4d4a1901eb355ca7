"""Networks made of a table for each variable: nested dicts, arrays and frames say the same."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies_inference
from treebound import BayesianNetwork
from treebound.inference import InferenceError

pytestmark = pytest.mark.core

RAIN = {"rain": {"no": 0.8, "yes": 0.2}}
WET = {"no": {"no": 0.9, "yes": 0.1}, "yes": {"no": 0.05, "yes": 0.95}}


def nested(array: np.ndarray, states: list[tuple[str, ...]]) -> object:
    """An array as dicts in dicts."""
    if not states:
        return float(array)
    return {label: nested(array[code], states[1:]) for code, label in enumerate(states[0])}


@given(network=strategies_inference.networks(max_variables=5), data=st.data())
def test_every_way_of_writing_tables_gives_the_same_network(network, data):
    schema = network.schema
    tables, parents = {}, {}
    for v, variable in enumerate(schema):
        family = [*network.parent_indices[v], v]
        array = network.tables[v].reshape([schema.cardinalities[u] for u in family])
        kind = data.draw(st.sampled_from(["dicts", "array", "lists", "pandas", "polars"]))
        if kind in ("pandas", "polars"):
            tables[variable.name] = network.table(variable.name, kind)
        else:
            parents[variable.name] = list(network.parents[variable.name])
            ways = {"array": array, "lists": array.tolist()}
            tables[variable.name] = ways.get(kind, nested(array, [schema[u].states for u in family]))
    states = {variable.name: variable.states for variable in schema}
    made = BayesianNetwork.from_tables(tables, parents=parents, states=states)
    assert made.schema == schema
    assert made.parents == network.parents
    for own, other in zip(made.tables, network.tables, strict=True):
        np.testing.assert_array_equal(own, other)


def test_states_come_from_the_tables_themselves():
    network = BayesianNetwork.from_tables({**RAIN, "wet": WET}, parents={"wet": ["rain"]})
    assert network.schema["rain"].states == ("no", "yes")
    assert network.posterior("rain", {"wet": "yes"})["yes"] == pytest.approx(0.19 / 0.27)
    numbers = BayesianNetwork.from_tables({"a": [0.5, 0.5], "b": np.eye(2)}, parents={"b": ["a"]})
    assert list(numbers.posterior("b", {"a": 1})) == [0, 1]
    assert numbers.posterior("b", {"a": 1})[1] == 1
    typed = BayesianNetwork.from_tables(
        {"open": {True: 0.5, False: 0.5}, "day": {datetime.date(2024, 1, 1): 1.0}, "x": {1: 0.5, 2: 0.5}}
    )
    assert [variable.kind for variable in typed.schema] == ["boolean", "date", "integer"]
    assert list(typed.posterior("open")) == [True, False]


def test_states_left_out_have_probability_zero():
    network = BayesianNetwork.from_tables(
        {"a": {"x": 0.5, "y": 0.5}, "b": {"x": {"u": 1.0}, "y": {"u": 0.5, "v": 0.5}}}, parents={"b": ["a"]}
    )
    assert network.posterior("b", {"a": "x"}).to_dict() == {"u": 1.0, "v": 0.0}


@pytest.mark.parametrize(
    ("tables", "options", "words"),
    [
        ({**RAIN, "wet": {"no": WET["no"]}}, {"parents": {"wet": ["rain"]}},
         "The probabilities of 'wet' given rain = yes must sum to 1, got 0."),
        ({"a": {"x": 0.5, "y": 0.4}}, {}, "The probabilities of 'a' must sum to 1, got 0.9."),
        ({"a": [0.5, "much"]}, {}, "The table of 'a' must hold probabilities, got 'much'."),
        ({"a": [1.5, -0.5]}, {}, "The table of 'a' must hold probabilities, got 1.5."),
        ({**RAIN, "wet": WET}, {}, "The table of 'wet' must hold probabilities, got an object of type dict; "
         "name its parents, as in parents={'wet': [...]}."),
        ({**RAIN, "wet": [0.5, 0.5]}, {"parents": {"wet": ["rain"]}}, "got 0.5 where a level was expected"),
        ({**RAIN, "wet": WET}, {"parents": {"wet": ["rein"]}}, "got 'rein'; did you mean 'rain'?"),
        (RAIN, {"parents": {"wet": ["rain"]}}, "parents must be about variables with a table, got 'wet'."),
        (RAIN, {"states": {"rain": ["no", "maybe"]}}, "'yes' is not one of its states"),
        ({"a": [0.5, 0.5]}, {"states": {"a": ["x"]}}, "must have 1 entries for the states of 'a', got 2."),
        ({**RAIN, "wet": [WET["no"]]}, {"parents": {"wet": ["rain"]}},
         "The table of 'wet' must have 2 entries for the states of 'rain', got 1."),
        ({"a": {None: 1.0}}, {}, "The states of 'a' must not be missing values"),
    ],
)  # fmt: skip
def test_tables_that_make_no_network_are_refused_by_a_sentence(tables, options, words):
    with pytest.raises((ValueError, InferenceError)) as caught:
        BayesianNetwork.from_tables(tables, **options)
    assert words in str(caught.value)


def test_frames_that_make_no_table_are_refused():
    frame = BayesianNetwork.from_tables({**RAIN, "wet": WET}, parents={"wet": ["rain"]}).table("wet")
    with pytest.raises(ValueError, match=r"columns for \['rain'\], but its parents are given as \[\]"):
        BayesianNetwork.from_tables({**RAIN, "wet": frame}, parents={"wet": []})
    with pytest.raises(
        ValueError, match="one for probabilities, got \\['rain', 'wet', 'probability', 'x'\\]"
    ):
        BayesianNetwork.from_tables({**RAIN, "wet": frame.assign(x=1)})
    with pytest.raises(ValueError, match=r"each joint state once, got \('no', 'no'\) twice"):
        BayesianNetwork.from_tables({**RAIN, "wet": frame.iloc[[0, 0, 1, 2, 3]]})


def test_a_state_by_two_labels_is_an_error():
    half = {"no": 0.5, "yes": 0.5}
    tables = {"a": {1: 0.5, 2: 0.5}, "b": {1: {"no": 1.0, "yes": 0.0}, "1": half, 2: half}}
    with pytest.raises(InferenceError, match=r"1 and '1' are the same state '1' of 'a'\. Give it once\."):
        BayesianNetwork.from_tables(tables, parents={"b": ["a"]})
    del tables["b"]["1"]
    network = BayesianNetwork.from_tables(tables, parents={"b": ["a"]})
    with pytest.raises(InferenceError, match=r"'2' and 2 are the same state '2' of 'a'"):
        network.posterior("b", {"a": {"2": 0.5, 2: 0.25}})
