"""Answers behave like what users know: mappings by state, arrays, Series and frames, and small charts."""

from __future__ import annotations

import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound
from reference import inference as reference
from strategies_inference import possible_cases
from treebound import BayesianNetwork, InferenceError, JunctionTree, Schema, Variable
from treebound.inference import Posterior, UnknownLabel
from treebound.inference._evidence import code_of, findings_of

pytestmark = pytest.mark.core

TYPED = {
    "count": Variable("count", ("0", "1", "10"), "integer"),
    "open": Variable("open", ("False", "True"), "boolean"),
    "size": Variable("size", ("0.5", "2"), "float"),
    "age": Variable("age", ("young", "old"), "text"),
    "dose": Variable("dose", ("[0, 1)", "[1, 3]"), "binned", edges=(0, 1, 3)),
}


def independent(*variables: Variable) -> BayesianNetwork:
    tables = [np.arange(1, v.cardinality + 1) / math.comb(v.cardinality + 1, 2) for v in variables]
    return BayesianNetwork.from_indices(Schema(variables), ((),) * len(variables), tables)


@given(case=possible_cases(), data=st.data())
def test_a_posterior_maps_every_joint_state_to_its_probability(case, data):
    schema = case.network.schema
    chosen = data.draw(st.lists(st.sampled_from(range(len(schema))), min_size=1, max_size=3, unique=True))
    found = JunctionTree(case.network).posterior([schema.names[v] for v in chosen], case.evidence)
    expected = reference.posterior(case.weighted, chosen)
    assert len(found) == expected.size
    assert found.array.shape == expected.shape
    for codes in np.ndindex(expected.shape):
        labels = tuple(schema[v].states[code] for v, code in zip(chosen, codes, strict=True))
        key = labels if len(chosen) > 1 else labels[0]
        assert found[key] == found.to_dict()[key] == pytest.approx(expected[codes], abs=1e-12)
    assert list(found.values()) == pytest.approx(expected.ravel().tolist(), abs=1e-12)
    for frame in (found.to_frame(), found.to_frame("polars").to_pandas()):
        assert list(frame.columns) == [*found.names, "probability"]
        cells = frame.set_index(list(found.names))["probability"]
        assert cells.to_dict() == found.to_dict()
    assert found.to_series().to_dict() == found.to_dict()


@given(case=possible_cases())
def test_marginals_map_every_variable_to_its_posterior(case):
    tree = JunctionTree(case.network)
    found = tree.marginals(case.evidence)
    assert list(found) == list(case.network.schema.names)
    frame = found.to_frame("pyarrow").to_pylist()
    for v, (name, one) in enumerate(found.items()):
        np.testing.assert_allclose(one, reference.posterior(case.weighted, [v]), atol=1e-12)
        rows = {row["state"]: row["probability"] for row in frame if row["variable"] == name}
        assert rows == one.to_dict()
        assert one.names == (name,)


@pytest.mark.parametrize(
    ("name", "key", "code"),
    [
        ("count", 10, 2), ("count", "10", 2), ("count", 10.0, 2), ("count", np.int64(1), 1),
        ("open", True, 1), ("open", np.bool_(False), 0), ("size", 0.5, 0), ("size", 2, 1),
        ("age", "old", 1), ("dose", 0.2, 0), ("dose", 3, 1), ("dose", "[0, 1)", 0),
    ],
)  # fmt: skip
def test_a_state_is_given_as_evidence_takes_it(name, key, code):
    network = independent(*TYPED.values())
    posterior = network.posterior(name)
    assert posterior[key] == posterior.array[code]
    assert network.posterior(name, {name: key}).array[code] == 1
    joint = network.posterior([name, "age"] if name != "age" else [name, "count"])
    other = "old" if name != "age" else 1
    assert joint[key, other] == joint.array[code, 1]


def test_dates_and_intervals_are_states_too():
    days = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-01", "2024-01-01"])
    parts = pd.cut(pd.Series([1, 2, 7, 8]), [0, 4, 9])
    table = pd.DataFrame(
        {"day": days, "part": parts, "when": [datetime.date(2024, 1, d) for d in (1, 2, 2, 1)]}
    )
    network = treebound.fit(
        {"day": [], "part": [], "when": []}, table, smoothing=treebound.MaximumLikelihood()
    )
    assert network.posterior("day")[pd.Timestamp("2024-01-01")] == 0.75
    assert network.posterior("day")[np.datetime64("2024-01-02T00:00:00")] == 0.25
    assert network.posterior("part")[pd.Interval(0, 4)] == 0.5
    assert network.posterior("when", {"when": datetime.date(2024, 1, 2)})[datetime.date(2024, 1, 2)] == 1


def test_states_keep_their_types_in_mappings_and_frames():
    network = independent(*TYPED.values())
    assert list(network.posterior("count")) == [0, 1, 10]
    assert list(network.posterior("open")) == [False, True]
    assert network.posterior("open").to_series().index.tolist() == [False, True]
    joint = network.posterior(["count", "open"])
    assert list(joint)[:2] == [(0, False), (0, True)]
    assert joint.to_series().loc[10, True] == joint[10, True]
    frame = joint.to_frame("polars")
    assert frame.schema == {"count": pl.Int64, "open": pl.Boolean, "probability": pl.Float64}


def test_evidence_about_all_variables_is_that_about_each():
    mixed = treebound.load(
        {
            "whole": [0, 1, 2, 1],
            "yes": [True, False, True, True],
            "word": ["1", "a", "True", "a"],
            "day": [f"2020-01-0{d}" for d in (1, 2, 2, 1)],
            "size": [0.5, 1.5, 2.5, 3.5],
        },
        discretise={"size": 2},
    ).schema
    for cells in (
        {"whole": 1, "yes": True, "word": "True", "day": "2020-01-02", "size": 3},
        {"whole": "2", "yes": "False", "word": 1, "day": "2020-01-01", "size": "0.7"},
        {"whole": 2.0, "yes": np.True_, "word": True, "day": pd.Timestamp("2020-01-01"), "size": 2.1},
    ):
        found = findings_of(cells, mixed).codes.tolist()
        assert found == [code_of(value, mixed[name]) for name, value in cells.items()]
        assert found == findings_of(pd.Series(cells), mixed).codes.tolist()
    with pytest.raises(InferenceError, match="'yes': 1 is not one of its states"):
        findings_of(cells | {"yes": 1}, mixed)


def test_a_posterior_is_an_array_for_numpy():
    posterior = independent(TYPED["age"]).posterior("age")
    np.testing.assert_array_equal(np.asarray(posterior), posterior.array)
    np.testing.assert_array_equal(np.ones(2) - posterior, 1 - posterior.array)
    assert posterior == {"young": 1 / 3, "old": 2 / 3}


def test_a_posterior_may_serve_as_likelihoods():
    network = independent(TYPED["age"])
    posterior = network.posterior("age")
    assert network.posterior("age", {"age": posterior})["old"] == pytest.approx(0.8)


def test_states_that_are_not_there_are_refused():
    posterior = independent(TYPED["age"], TYPED["open"]).posterior("age")
    assert "old" in posterior
    assert "ancient" not in posterior
    assert posterior.get("ancient") is None
    with pytest.raises(KeyError):
        posterior["ancient"]
    with pytest.raises(UnknownLabel, match=r"is not one of its states") as caught:
        posterior["olld"]
    assert "did you mean 'old'?" in str(caught.value)
    assert isinstance(caught.value, InferenceError)
    with pytest.raises(InferenceError, match="one label for each of"):
        posterior["old", True]
    marginals = independent(TYPED["age"]).marginals()
    assert "agee" not in marginals
    with pytest.raises(UnknownLabel, match=r"^There is no variable 'agee'\.$"):
        marginals["agee"]
    with pytest.raises(ValueError, match="backend must be 'pandas', 'polars' or 'pyarrow', got 'dask'"):
        posterior.to_frame("dask")


def test_a_posterior_prints_as_a_chart():
    network = independent(TYPED["age"], TYPED["count"])
    assert str(network.posterior("age")).splitlines() == [
        "P(age)",
        "young  0.3333  ████████",
        "  old  0.6667  ████████████████",
    ]
    assert repr(network.posterior(["age", "count"])).splitlines()[:2] == [
        "P(age, count)",
        "young   0  0.0556  █▍",
    ]
    wide = independent(Variable("v", tuple(map(str, range(30))))).posterior("v")
    assert repr(wide).splitlines()[-1] == "... and 10 more"
    assert ["count", "10", "0.5000"] in [line.split()[:3] for line in str(network.marginals()).splitlines()]


def test_answers_tell_their_evidence():
    network = independent(TYPED["age"], TYPED["count"])
    hard, soft = {"count": 10}, {"age": [0.2, 0.8]}
    assert str(network.posterior("age", hard)).splitlines()[0] == "P(age | count = 10)"
    assert str(network.posterior("count", soft)).splitlines()[0] == "P(count | age = young:0.25 or old:1)"
    assert str(network.marginals(hard)["age"]).splitlines()[0] == "P(age | count = 10)"
    assert str(network.marginals(hard)).splitlines()[0] == "Marginals given count = 10"
    assert "<strong>P(age | count = 10)</strong>" in network.posterior("age", hard)._repr_html_()
    assert "<strong>Marginals given count = 10</strong>" in network.marginals(hard)._repr_html_()
    assert "<strong>Most probable together given count = 10: " in network.most_probable(hard)._repr_html_()


def test_of_much_evidence_the_first_pieces_are_told():
    network = independent(*(Variable(f"v{i}", ("a", "b")) for i in range(2000)))
    evidence = {f"v{i}": "b" for i in range(1999, 0, -1)}
    first = ", ".join(f"v{i} = b" for i in range(1, 6))
    assert str(network.posterior("v0", evidence)).splitlines()[0] == f"P(v0 | {first}, 1,994 more)"


def test_a_name_that_means_probability_does_not_lose_its_column():
    network = independent(Variable("probability", ("a", "b")), TYPED["age"])
    frame = network.posterior(["probability", "age"]).to_frame()
    assert list(frame.columns) == ["probability", "age", "probability_"]


def test_tables_of_a_network_by_name():
    network = treebound.BayesianNetwork.from_indices(
        Schema([TYPED["age"], TYPED["open"]]), ((), (0,)), ([0.25, 0.75], [0.1, 0.9, 0.2, 0.8])
    )
    rows = network.table("open").to_dict("records")
    assert rows == [
        {"age": "young", "open": False, "probability": 0.1},
        {"age": "young", "open": True, "probability": 0.9},
        {"age": "old", "open": False, "probability": 0.2},
        {"age": "old", "open": True, "probability": 0.8},
    ]
    assert network.table("age", "polars").rows() == [("young", 0.25), ("old", 0.75)]
    with pytest.raises(treebound.DataError, match="there is no variable 'opn'; did you mean 'open'"):
        network.table("opn")
    assert isinstance(network.posterior("age"), Posterior)
