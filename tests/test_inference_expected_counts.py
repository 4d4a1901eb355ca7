"""Expected counts of rows with missing values, against the enumeration of all completions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound
from reference import em as reference
from strategies_inference import networks, rows_of
from treebound.inference import ExpectedCounts

pytestmark = pytest.mark.core


def counts_of(
    network: treebound.BayesianNetwork,
    rows: np.ndarray,
    weights: np.ndarray | None = None,
    threads: int = 1,
) -> tuple[np.ndarray, float, int | None]:
    prepared = ExpectedCounts(
        network.parent_indices,
        treebound.Dataset(network.schema, rows, weights),
        elimination_order=network.elimination_order,
        threads=threads,
    )
    counts, log_likelihood = prepared.count(network.flat_tables.tables)
    return counts, log_likelihood, prepared.impossible_row


def twin_of(
    network: treebound.BayesianNetwork, rows: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, float]:
    counts, log_likelihood = reference.expected_counts(
        network.parent_indices,
        network.tables,
        network.schema.cardinalities,
        rows.T.tolist(),
        weights.tolist(),
    )
    return np.concatenate(counts), log_likelihood


@settings(max_examples=150)
@given(drawn=st.data())
def test_counts_are_those_of_all_completions(drawn: st.DataObject) -> None:
    network = drawn.draw(networks())
    rows = drawn.draw(rows_of(network, max_rows=12))
    weights = np.array(drawn.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=12, max_size=12)))
    weights = weights[: rows.shape[1]]
    expected, log_likelihood = twin_of(network, rows, weights)
    data = treebound.Dataset(network.schema, rows, weights if rows.shape[1] else None)
    prepared = ExpectedCounts(network.parent_indices, data)
    found, found_log = prepared.count(network.flat_tables.tables)
    assert found_log == pytest.approx(log_likelihood, abs=1e-9)
    if math.isfinite(log_likelihood):
        np.testing.assert_allclose(found, expected, atol=1e-9)
        assert prepared.impossible_row is None
    else:
        row = prepared.impossible_row
        alone = [twin_of(network, rows[:, [r]], np.ones(1))[1] for r in range(rows.shape[1])]
        assert row == alone.index(-math.inf)


def sampled(num_variables: int, num_rows: int, share: float) -> tuple[treebound.BayesianNetwork, np.ndarray]:
    """A network of treewidth 3 with rows that miss a share of their cells."""
    network = treebound.random_network(num_variables, max_treewidth=3, seed=4)
    rows = network.sample(num_rows, seed=5).codes.astype(np.int32)
    rows[np.random.default_rng(6).random(rows.shape) < share] = -1
    return network, rows


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 1.0])
def test_counts_agree_with_posteriors_of_larger_networks(share: float) -> None:
    network, rows = sampled(25, 40, share)
    found, log_likelihood, _ = counts_of(network, rows)
    assert log_likelihood == pytest.approx(
        network.log_likelihood_rows(treebound.Dataset(network.schema, rows)).sum(), rel=1e-12
    )
    marginals = np.zeros(sum(network.schema.cardinalities))
    starts = np.concatenate([[0], np.cumsum(network.schema.cardinalities)])
    for v, card in enumerate(network.schema.cardinalities):
        known = np.bincount(rows[v][rows[v] >= 0], minlength=card)
        missing = treebound.Dataset(network.schema, rows[:, rows[v] < 0])
        unknown = network.posterior_rows(v, missing).sum(axis=0)
        marginals[starts[v] : starts[v + 1]] = known + unknown
    tables = np.split(found, network.flat_tables.table_offsets[1:-1])
    own = [
        table.reshape(-1, card).sum(axis=0)
        for table, card in zip(tables, network.schema.cardinalities, strict=True)
    ]
    np.testing.assert_allclose(np.concatenate(own), marginals, atol=1e-9)


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_threads_do_not_change_a_bit(share: float) -> None:
    network, rows = sampled(60, 3_000, share)
    one, two = counts_of(network, rows, threads=1), counts_of(network, rows, threads=3)
    assert one[1] == two[1]
    assert np.array_equal(one[0], two[0])


def test_a_weight_counts_like_so_many_rows() -> None:
    network, rows = sampled(12, 30, 0.4)
    weights = np.arange(30.0) % 4
    weighted = counts_of(network, rows, weights)
    repeated = counts_of(network, np.repeat(rows, weights.astype(int), axis=1))
    np.testing.assert_allclose(weighted[0], repeated[0], atol=1e-9)
    assert weighted[1] == pytest.approx(repeated[1], rel=1e-12)


@pytest.mark.parametrize("is_pinned", [False, True])
def test_tiny_probabilities_do_not_vanish(is_pinned: bool) -> None:
    """The root is missing; each of many children makes one of its states 1e-30 times less likely."""
    num_children = 40
    schema = treebound.Schema(
        [treebound.Variable(f"v{v}", ("a", "b")) for v in range(num_children + 1 + 4 * is_pinned)]
    )
    parents = [(), *[(0,)] * num_children, *[(1,)] * (4 * is_pinned)]
    child = np.array([1e-30, 1 - 1e-30, 2e-30, 1 - 2e-30])
    tables = [np.array([0.5, 0.5]), *[child] * num_children, *[np.full(4, 0.5)] * (4 * is_pinned)]
    network = treebound.BayesianNetwork.from_indices(schema, parents, tables)
    rows = np.zeros((len(schema), 1), dtype=np.int32)
    rows[[0, *range(num_children + 1, len(schema))]] = -1
    counts, log_likelihood, _ = counts_of(network, rows)
    exact = math.log(0.5) + num_children * math.log(1e-30) + math.log1p(2.0**num_children)
    assert log_likelihood == pytest.approx(exact, rel=1e-12)
    np.testing.assert_allclose(counts[:2], [2.0**-40, 1.0], rtol=1e-9)
