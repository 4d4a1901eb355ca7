"""Questions to a network: equal to enumeration of all joint states, in whatever library they are asked."""

from __future__ import annotations

import math
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound as tb
from reference import network as reference
from treebound.network import random_network

pytestmark = pytest.mark.core


def joint(network):
    tables = [table.tolist() for table in network.tables]
    return list(reference.joint_distribution(network.parent_indices, tables, network.schema.cardinalities))


def agrees(states, row):
    return all(known is None or known == state for state, known in zip(states, row, strict=True))


@st.composite
def cases(draw, num_variables=5, num_rows=4):
    """A small network and rows that lack some cells, as lists of states with None."""
    network = random_network(num_variables, max_parents=2, max_states=3, seed=draw(st.integers(0, 200)))
    rows = network.sample(num_rows, draw(st.integers(0, 50))).codes.T.tolist()
    lacks = draw(
        st.lists(st.booleans(), min_size=num_variables * num_rows, max_size=num_variables * num_rows)
    )
    hidden = np.array(lacks).reshape(num_rows, num_variables)
    hidden[0, 0] = False  # some column must hold something
    return network, [
        [None if h else x for x, h in zip(*pair, strict=True)] for pair in zip(rows, hidden, strict=True)
    ]


def columns(network, rows):
    return {name: [row[v] for row in rows] for v, name in enumerate(network.schema.names)}


@settings(max_examples=40)
@given(cases())
def test_log_likelihoods_sum_over_what_is_missing(case):
    network, rows = case
    everything = joint(network)
    expected = [math.log(sum(p for states, p in everything if agrees(states, row))) for row in rows]
    np.testing.assert_allclose(network.score_samples(columns(network, rows)), expected, rtol=1e-9, atol=1e-12)
    assert network.log_likelihood(columns(network, rows)) == pytest.approx(sum(expected))


@settings(max_examples=40)
@given(cases(), st.integers(0, 4))
def test_predictions_are_those_of_the_conditional_distribution(case, target):
    network, rows = case
    everything, name = joint(network), network.schema.names[target]
    proba = network.predict_proba(columns(network, rows), name)
    assert list(proba) == list(network.schema[name].states)
    for r, row in enumerate(rows):
        blind = [None if v == target else cell for v, cell in enumerate(row)]
        weights = np.zeros(network.schema.cardinalities[target])
        for states, p in everything:
            weights[states[target]] += p * agrees(states, blind)
        found = np.array([proba[state][r] for state in proba])
        np.testing.assert_allclose(found, weights / weights.sum(), atol=1e-9)
        predicted = network.predict(columns(network, rows), name)[r]
        assert weights[predicted] == pytest.approx(weights.max())


@settings(max_examples=40)
@given(cases())
def test_the_most_probable_completion_is_the_best_of_all(case):
    network, rows = case
    everything = dict(joint(network))
    filled = network.impute(columns(network, rows))
    for r, row in enumerate(rows):
        states = tuple(filled[name][r] for name in network.schema.names)
        assert agrees(states, row)
        best = max(p for other, p in everything.items() if agrees(other, row))
        assert everything[states] == pytest.approx(best)


def test_draws_follow_the_posterior_of_the_missing_cells():
    network = random_network(4, max_states=3, min_parents=1, max_parents=2, seed=5)
    known = [0, None, 1, None]
    table = {name: [cell] * 20_000 for name, cell in zip(network.schema.names, known, strict=True)}
    table[network.schema.names[1]][0] = 0  # a column without any value would be absent
    drawn = network.impute(table, strategy="draw", seed=3)
    rows = list(zip(*(drawn[name][1:] for name in network.schema.names), strict=True))
    possible = [(states, p) for states, p in joint(network) if agrees(states, known)]
    total = sum(p for _, p in possible)
    statistic, freedom = reference.chi_square(rows, [(states, p / total) for states, p in possible])
    assert statistic < freedom + 5 * math.sqrt(2 * freedom)
    assert network.impute(table, strategy="draw", seed=3) == drawn
    assert network.impute(table, strategy="draw", seed=4) != drawn


@settings(max_examples=30)
@given(cases())
def test_surprises_of_complete_rows_add_up_and_missing_cells_have_none(case):
    network, rows = case
    tables = [table.tolist() for table in network.tables]
    found = network.anomaly_scores(columns(network, rows))
    np.testing.assert_allclose(found.scores, -network.score_samples(columns(network, rows)))
    for r, row in enumerate(rows):
        parts = [found.contributions[name][r] for name in network.schema.names]
        assert all(part == 0 for part, cell in zip(parts, row, strict=True) if cell is None)
        if None not in row:
            assert sum(parts) == pytest.approx(found.scores[r])
            for v, cell in enumerate(row):
                p = reference.table_row(v, row, network.parent_indices, tables, network.schema.cardinalities)[
                    cell
                ]
                assert parts[v] == pytest.approx(-math.log(p))


@settings(max_examples=25)
@given(st.integers(0, 100), st.integers(0, 100))
def test_divergences_are_those_of_the_joint_distributions(first_seed, second_seed):
    cards = random_network(4, max_states=3, seed=first_seed)
    first = tb.fit({name: [] for name in cards.schema.names}, cards.sample(50, 1), smoothing=tb.PseudoCount())
    graph = {
        name: [cards.schema.names[p] for p in family]
        for name, family in zip(cards.schema.names, cards.parent_indices, strict=True)
    }
    second = tb.fit(graph, cards.sample(60, second_seed), smoothing=tb.PseudoCount())
    second = tb.BayesianNetwork.from_indices(first.schema, second.parent_indices, second.tables)
    pairs = list(zip(joint(first), joint(second), strict=True))
    found = first.compare(second)
    assert found.divergence == pytest.approx(sum(p * math.log(p / q) for (_, p), (_, q) in pairs))
    assert found.divergence_back == pytest.approx(sum(q * math.log(q / p) for (_, p), (_, q) in pairs))


def test_order_of_variables_and_states_is_no_difference(tmp_path):
    rows = {
        "age": [20.5, 30.5, 41.0, 52.0] * 3 + [20.5] * 2,
        "size": ["1", "1", "2", "10", "1", "2", "1"] * 2,
    }
    network = tb.fit({"age": [], "size": ["age"]}, tb.load(rows, discretise={"age": "quantile:4"}))
    tb.save_network(network, tmp_path / "net.bif")
    again = tb.load_network(tmp_path / "net.bif")
    assert again.schema != network.schema  # it has lost the bins
    assert network.compare(again).divergence == pytest.approx(0, abs=1e-6)

    age, size = (tb.Variable(v.name, v.states[::-1]) for v in network.schema)
    tables = (network.tables[1].reshape(4, 3)[::-1, ::-1].ravel(), network.tables[0][::-1])
    turned = tb.BayesianNetwork.from_indices(tb.Schema((size, age)), ((1,), ()), tables, (0, 1))
    assert network.compare(turned).divergence == pytest.approx(0, abs=1e-12)
    assert network.compare(turned).divergence_back == pytest.approx(0, abs=1e-12)


def test_states_that_differ_are_named():
    first = tb.fit({"a": []}, {"a": ["x", "y"]})
    second = tb.fit({"a": []}, {"a": ["x", "z"]})
    message = (
        "Networks to be compared must have the same states: those of 'a' are 'x', 'y' in the first and "
        "'x', 'z' in the second."
    )
    with pytest.raises(tb.InferenceError, match=re.escape(message)):
        _ = first.compare(second).divergence
    with pytest.raises(ValueError, match="the other network: 'a': there is none"):
        tb.network.kl_divergence(first, tb.fit({"b": []}, {"b": ["x", "y"]}))


WEATHER = tb.fit(
    {"rain": [], "spray": ["rain"], "wet": ["rain", "spray"]},
    {
        "rain": ["yes", "yes", "no", "no", "no", "no"],
        "spray": ["off", "off", "on", "off", "off", "on"],
        "wet": ["yes", "yes", "yes", "no", "no", "no"],
    },
)


def test_single_cases_are_asked_by_name_and_label():
    everything = joint(WEATHER)
    given_wet = [p for (rain, _, wet), p in everything if wet == 1 and rain == 1]
    wet = sum(p for states, p in everything if states[2] == 1)
    posterior = WEATHER.posterior("rain", {"wet": "yes"})
    assert posterior["yes"] == pytest.approx(sum(given_wet) / wet)
    assert WEATHER.marginals({"wet": "yes"})["rain"]["yes"] == pytest.approx(posterior["yes"])
    assert WEATHER.log_probability({"wet": "yes"}) == pytest.approx(math.log(wet))
    best = WEATHER.most_probable({"wet": "yes"})
    assert best.assignment == {"rain": "yes", "spray": "off", "wet": "yes"}
    assert set(WEATHER.sample(100, 1, evidence={"wet": "yes"}).to_dict()["wet"]) == {"yes"}
    assert WEATHER.sample(10, 1, evidence={}) == WEATHER.sample(10, 1)


def test_explanations_name_the_strongest_evidence_first():
    found = WEATHER.explain("rain", {"spray": "on", "wet": "yes"})
    assert found.states == ("no", "yes")
    np.testing.assert_allclose(found.prior, WEATHER.posterior("rain").array)
    np.testing.assert_allclose(
        found.posterior, WEATHER.posterior("rain", {"spray": "on", "wet": "yes"}).array
    )
    assert {one.finding for one in found.influences} == {"spray", "wet"}
    first, second = found.influences
    assert first.shift_without >= second.shift_without
    np.testing.assert_allclose(
        first.without,
        WEATHER.posterior("rain", {second.finding: {"spray": "on", "wet": "yes"}[second.finding]}).array,
    )
    assert found.most_probable in ("no", "yes")
    assert str(found).startswith(f"P(rain = {found.most_probable}) = ")
    assert f"\n{first.evidence} " in str(found)
    assert {one.evidence for one in found.influences} == {"spray = on", "wet = yes"}


def test_explanations_add_up():
    known = {"spray": "on", "wet": "yes"}
    found = WEATHER.explain("rain", known)
    best = found.states.index(found.most_probable)
    first, second = (one.finding for one in found.influences)
    assert list(found.contributions) == [first, second]
    alone = WEATHER.posterior("rain", {first: known[first]}).array
    np.testing.assert_allclose(found.steps, [alone, found.posterior])
    assert found.contributions[first] == pytest.approx(alone[best] - found.prior[best])
    assert found.prior[best] + sum(found.contributions.values()) == pytest.approx(found.posterior[best])
    assert WEATHER.explain("rain").contributions == {}


def test_the_junction_tree_is_built_once_and_not_pickled():
    network = pickle.loads(pickle.dumps(WEATHER))
    assert network.junction_tree is network.junction_tree
    assert "junction_tree" not in pickle.loads(pickle.dumps(network)).__dict__


MIXED = {
    "colour": ["red", None, "blue", "blue", "red"],
    "size": [10, 2, None, 2, 10],
    "is_old": [None, False, False, False, True],
    "dose": [0.1, None, 7.0, 6.5, 0.2],
}
LIBRARIES = {
    "pandas": pd.DataFrame,
    "nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas-category": lambda columns: pd.DataFrame(columns, index=list("vwxyz")).astype(
        {"colour": "category"}
    ),
    "polars": pl.DataFrame,
    "polars-category": lambda columns: pl.DataFrame(columns).with_columns(
        pl.col("colour").cast(pl.Categorical)
    ),
    "polars-enum": lambda columns: pl.DataFrame(columns).with_columns(
        pl.col("colour").cast(pl.Enum(["red", "blue"]))
    ),
    "arrow": pa.table,
    "arrow-dictionary": lambda columns: pa.table(
        {**columns, "colour": pa.array(columns["colour"]).dictionary_encode()}
    ),
}


@pytest.fixture(scope="module")
def mixed():
    schema = tb.load(MIXED, missing="keep", discretise={"dose": "median"}).schema
    complete = {
        "colour": ["red", "blue"] * 4,
        "size": [10, 2] * 4,
        "is_old": [True, False] * 4,
        "dose": [0.1, 7.0] * 4,
    }
    graph = tb.Structure.from_parents(
        {"colour": [], "size": ["colour"], "is_old": ["colour"], "dose": ["colour"]}, schema=schema
    )
    return tb.fit(graph, complete)


EXPECTED = {
    "colour": ["red", "blue", "blue", "blue", "red"],
    "size": [10, 2, 2, 2, 10],
    "is_old": [True, False, False, False, True],
    "dose": [0.1, 6.5, 7.0, 6.5, 0.2],
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_cells_are_filled_in_within_the_callers_library(mixed, library):
    frame = LIBRARIES[library]({**MIXED, "remark": list("abcde")})
    before = frame.copy() if hasattr(frame, "copy") else frame
    filled = mixed.impute(frame)
    assert type(filled) is type(frame)
    plain = (
        filled.to_dict("list")
        if hasattr(filled, "iloc")
        else filled.to_pydict()
        if hasattr(filled, "to_pydict")
        else filled.to_dict(as_series=False)
    )
    assert plain == {**EXPECTED, "remark": list("abcde")}
    if hasattr(frame, "iloc"):
        pd.testing.assert_frame_equal(frame, before)
        assert list(filled.index) == list(frame.index)
        assert filled["colour"].dtype == frame["colour"].dtype


def test_arrays_dicts_and_files_are_filled_in_too(mixed, tmp_path):
    array = np.array([MIXED[name] for name in MIXED], dtype=object).T
    filled = mixed.impute(array)
    assert filled.dtype == object
    assert filled[:, 0].tolist() == EXPECTED["colour"]
    assert array[1, 0] is None
    path = tmp_path / "table.csv"
    path.write_text("size,colour,remark\n10,,x\n,blue,\n")
    filled = mixed.impute(path, on_absent="ignore")
    assert isinstance(filled, pd.DataFrame)
    assert filled["size"].tolist() == [10, 2]
    assert filled["colour"].tolist() == ["red", "blue"]
    assert [*filled["remark"].isna()] == [False, True]


def test_drawn_numbers_fall_inside_their_bin(mixed):
    table = {"colour": ["red"] * 200, "dose": [None] * 199 + [0.1]}
    drawn = mixed.impute(table, strategy="draw", seed=1, on_absent="ignore")["dose"]
    low, cut, high = mixed.schema["dose"].edges
    assert all(low <= number <= high for number in drawn)
    assert {0.1, 0.2} < set(drawn) <= {0.1, 0.2, 6.5, 7.0}
    assert sum(number < cut for number in drawn) > 100


@pytest.mark.parametrize("library", ["pandas-category", "polars", "arrow"])
def test_distributions_come_in_the_callers_library(mixed, library):
    frame = LIBRARIES[library](MIXED)
    proba = mixed.predict_proba(frame, "colour")
    assert type(proba) is type(frame)
    assert list(proba.column_names if library == "arrow" else proba.columns) == ["blue", "red"]
    parts = mixed.anomaly_scores(frame).contributions
    assert type(parts) is type(frame)
    if library == "pandas-category":
        assert list(proba.index) == list("vwxyz")
    assert mixed.predict(frame, "size").tolist() == [10, 2, 2, 2, 10]
    np.testing.assert_allclose(
        mixed.predict_proba(np.array([[None] * 4, ["red", 10, True, 0.1]]), "colour")[1].sum(), 1
    )


def test_values_that_the_schema_does_not_know_can_count_as_missing(mixed):
    table = {"colour": ["pink", "red"], "size": [10, None]}
    filled = mixed.impute(table, unseen="missing", on_absent="ignore")
    assert filled == {"colour": ["pink", "red"], "size": [10, 10]}
    known = mixed.score_samples({"size": 10})
    np.testing.assert_allclose(mixed.score_samples({"colour": "pink", "size": 10}, unseen="missing"), known)


def test_anomaly_scores_are_taken_for_their_numbers():
    table = {"rain": ["no", "yes", "no"], "spray": ["on", "on", "off"], "wet": ["yes", "no", "no"]}
    frame = pd.DataFrame(table)
    found = WEATHER.anomaly_scores(frame)
    scores = found.scores.tolist()
    assert len(found) == 3
    assert list(found) == np.asarray(found).tolist() == scores
    assert found[1] == scores[1]
    assert found[:2].tolist() == scores[:2]
    assert frame.assign(strange=found)["strange"].tolist() == scores
    strangest = int(found.scores.argmax())
    assert repr(found).splitlines()[0] == "Anomaly scores of 3 rows"
    name = found.contributions.iloc[strangest].idxmax()
    assert repr(found).splitlines()[2].split()[:3] == [str(strangest), f"{scores[strangest]:.4f}", name]
    assert len(repr(WEATHER.anomaly_scores({name: 100 * cells for name, cells in table.items()}))) < 500
    array = tb.fit({"v0": []}, np.array([[0], [1]])).anomaly_scores(np.array([[0], [1]]))
    assert "column 0" in repr(array)


def test_what_is_most_probable_is_a_mapping():
    best = WEATHER.most_probable({"wet": "yes"})
    assert dict(best) == best.assignment == {"rain": "yes", "spray": "off", "wet": "yes"}
    assert best["rain"] == "yes"
    assert len(best) == 3
    with pytest.raises(KeyError, match=r"There is no variable 'rane'; did you mean 'rain'\?"):
        best["rane"]
    assert repr(best).splitlines() == [
        f"Most probable together given wet = yes: probability {math.exp(best.log_probability):.4g}",
        "variable  state",
        "rain      yes",
        "spray     off",
        "wet       yes",
    ]
