"""EM against its slow twin, and what it promises: an objective that never falls."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound as tb
from reference import em as reference
from strategies_inference import networks
from treebound.inference import ExpectedCounts
from treebound.network._em import Climb, TableRows, maximise

pytestmark = pytest.mark.core

SMOOTHINGS = [
    tb.PseudoCount(0.5),
    tb.BdeuPrior(3.0),
    tb.MarginalPrior(),
    tb.BackoffPrior(),
    tb.MaximumLikelihood(),
]


def incomplete(network: tb.BayesianNetwork, num_rows: int, share: float, seed: int = 0) -> tb.Dataset:
    """Rows of a network that miss a share of their cells."""
    codes = network.sample(num_rows, seed).codes.astype(np.int32)
    codes[np.random.default_rng(seed).random(codes.shape) < share] = -1
    return tb.Dataset(network.schema, codes)


def split(flat: np.ndarray, network: tb.BayesianNetwork) -> list[np.ndarray]:
    return np.split(flat, network.flat_tables.table_offsets[1:-1])


@settings(max_examples=40)
@given(network=networks(5), smoothing=st.sampled_from(SMOOTHINGS), seed=st.integers(0, 99))
def test_each_step_is_that_of_the_twin(
    network: tb.BayesianNetwork, smoothing: tb.network.Smoothing, seed: int
) -> None:
    data = incomplete(network, 12, 0.4, seed)
    rows = TableRows(network.parent_indices, network.schema)
    expected = ExpectedCounts(network.parent_indices, data, threads=1)
    start = rows.normalised(np.random.default_rng(seed).random(network.flat_tables.tables.size) + 0.1)
    prior = rows.pseudo_counts(np.round(10 * start), smoothing)
    point = Climb(expected, rows, prior)._at(start)
    case = (network.parent_indices, split(start, network), network.schema.cardinalities)
    known = (data.codes.T.tolist(), [1.0] * 12, split(prior, network))
    assert point.objective == pytest.approx(reference.objective(*case, *known), rel=1e-9)
    np.testing.assert_allclose(point.next_tables, np.concatenate(reference.em_step(*case, *known)), atol=1e-9)


def test_a_leap_that_gains_nothing_does_not_end_em(monkeypatch: pytest.MonkeyPatch) -> None:
    network = tb.random_network(6, max_treewidth=2, seed=3)
    data = incomplete(network, 100, 0.5, seed=1)
    rows = TableRows(network.parent_indices, network.schema)
    expected = ExpectedCounts(network.parent_indices, data, threads=1)
    prior = rows.pseudo_counts(np.ones(network.flat_tables.tables.size), tb.PseudoCount(0.5))
    monkeypatch.setattr(Climb, "_leap", lambda self, first, second, third: second)
    found = Climb(expected, rows, prior).run(network.flat_tables.tables)
    assert found.converged
    after = Climb(expected, rows, prior)
    moved = after._at(after._at(found.tables).next_tables)
    assert 0 <= moved.objective - found.objective <= 1e-5 * abs(found.objective)


@pytest.mark.parametrize("smoothing", SMOOTHINGS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("share", [0.2, 0.6])
def test_the_objective_never_falls(smoothing: tb.network.Smoothing, share: float) -> None:
    network = tb.random_network(12, max_treewidth=2, seed=3)
    data = incomplete(network, 300, share, seed=1)
    rows = TableRows(network.parent_indices, network.schema)
    available = np.random.default_rng(5).random(sum(rows.sizes))
    expected = ExpectedCounts(network.parent_indices, data, threads=2)
    found = maximise(expected, rows, available, smoothing)
    gains = np.diff(found.trace)
    assert len(gains) > 2
    assert gains.min() >= -1e-10 * abs(found.objective)
    assert found.converged
    assert gains.sum() > 1


@pytest.mark.parametrize("smoothing", SMOOTHINGS, ids=lambda one: type(one).__name__)
def test_complete_rows_give_what_counting_gives(smoothing: tb.network.Smoothing) -> None:
    network = tb.random_network(8, max_treewidth=2, seed=1)
    data = network.sample(200, 2)
    counted = tb.fit(network, data, smoothing=smoothing)
    assert tb.fit(network, data, smoothing=smoothing, missing="em") == counted
    holey = tb.Dataset(network.schema, np.hstack([data.codes.astype(np.int32), np.full((8, 1), -1)]))
    found = tb.fit(network, holey, smoothing=smoothing, missing="em")
    np.testing.assert_allclose(found.flat_tables.tables, counted.flat_tables.tables, atol=1e-9)
    assert found.num_rows == 200


def test_em_is_closer_to_the_truth_than_dropping_rows() -> None:
    truth = tb.random_network(10, max_treewidth=2, seed=7)
    data = incomplete(truth, 4_000, 0.3, seed=2)
    by_em = tb.fit(truth, data, missing="em")
    by_rows = tb.fit(truth, data, missing="drop")
    assert tb.network.kl_divergence(truth, by_em) < 0.5 * tb.network.kl_divergence(truth, by_rows)
    assert by_em.provenance["em"]["converged"]
    assert by_em.num_rows == 4_000


def test_weights_count_like_rows() -> None:
    network = tb.random_network(6, max_treewidth=2, seed=4)
    data = incomplete(network, 50, 0.3, seed=3)
    weights = 1.0 + np.arange(50) % 3
    weighted = tb.fit(network, tb.Dataset(network.schema, data.codes, weights), missing="em")
    repeated = tb.fit(network, data.take(np.repeat(np.arange(50), weights.astype(int))), missing="em")
    np.testing.assert_allclose(weighted.flat_tables.tables, repeated.flat_tables.tables, atol=1e-8)
    assert weighted.num_rows == repeated.num_rows == weights.sum()


def test_a_budget_of_steps_gives_equal_networks_for_any_number_of_threads() -> None:
    network = tb.random_network(30, max_treewidth=3, seed=5)
    data = incomplete(network, 800, 0.5, seed=4)
    seen: list[tb.Progress] = []
    one = tb.fit(network, data, missing="em", budget=tb.Budget(steps=4), threads=1, progress=seen.append)
    three = tb.fit(network, data, missing="em", budget=tb.Budget(steps=4), threads=3)
    assert one == three
    assert one.provenance["em"]["steps"] == 4
    assert [now.steps for now in seen] == [2, 3, 4]
    assert tb.fit(network, data, missing="em", budget=0.0).provenance["em"]["steps"] == 1


def test_update_takes_incomplete_rows() -> None:
    network = tb.random_network(8, max_treewidth=2, seed=6)
    before = tb.fit(network, network.sample(500, 1))
    complete = network.sample(400, 2)
    codes = complete.codes.astype(np.int32)
    codes[np.random.default_rng(0).random(codes.shape) < 0.2] = -1
    data = tb.Dataset(network.schema, codes)
    found = before.update(data, missing="em")
    assert found.num_rows == 900
    nearer = tb.network.kl_divergence(before.update(complete), found)
    assert nearer < tb.network.kl_divergence(before.update(complete), before.update(data, missing="drop"))
    assert before.update(complete, missing="em") == before.update(complete)


CHAIN = {"a": [], "b": ["a"]}


def test_empty_rows_are_skipped_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    table = {"a": ["x", "y", None, "x"], "b": ["u", None, None, "v"]}
    with caplog.at_level(logging.WARNING):
        found = tb.fit(CHAIN, table, missing="em")
    assert found.num_rows == 3
    assert "1 of 4 rows have no observed value and are skipped" in caplog.text


def test_bad_input_is_named() -> None:
    schema = tb.Schema([tb.Variable("a", ("x", "y")), tb.Variable("b", ("u", "v"))])
    structure = tb.Structure.from_parents(CHAIN, schema=schema)
    with pytest.raises(tb.DataError, match=r"(?s)'b'.*all of its 2 rows are missing"):
        tb.fit(structure, tb.Dataset(schema, [[0, 1], [-1, -1]]), missing="em")
    with pytest.raises(tb.DataError, match="at least one row is needed, got none"):
        tb.fit(structure, tb.Dataset(schema, np.zeros((2, 0), dtype=int)), missing="em")
    with pytest.raises(ValueError, match="missing must be 'error', 'drop', 'keep' or 'em', got 'EM'"):
        tb.fit(structure, tb.Dataset(schema, [[0], [-1]]), missing="EM")  # type: ignore[arg-type]


def test_impossible_rows_are_named() -> None:
    network = tb.BayesianNetwork.from_tables(
        {"a": {"x": 1.0, "y": 0.0}, "b": {"x": {"u": 0.5, "v": 0.5}, "y": {"u": 0.0, "v": 1.0}}},
        parents={"b": ["a"]},
    )
    rows = tb.Dataset(network.schema, [[0, 1, -1], [0, -1, 1]])
    with pytest.raises(
        tb.inference.ImpossibleEvidence, match="row 2: the observed values have probability 0"
    ):
        network.update(rows, weight=10.0, missing="em")
