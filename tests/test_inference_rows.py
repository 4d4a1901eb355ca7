"""Questions asked of many rows, against enumeration of the joint distribution row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound
from reference import inference as reference
from strategies_inference import networks, rows_of

pytestmark = pytest.mark.core


@st.composite
def networks_with_rows(draw: st.DrawFn) -> tuple[treebound.BayesianNetwork, np.ndarray, list[np.ndarray]]:
    """A network, rows, and P(all variables, the known cells) of each row."""
    network = draw(networks())
    rows = draw(rows_of(network))
    joint = reference.joint(network.parent_indices, network.tables, network.schema.cardinalities)
    return network, rows, [reference.given_row(joint, row) for row in rows.T.tolist()]


Drawn = tuple[treebound.BayesianNetwork, np.ndarray, list[np.ndarray]]


@given(drawn=networks_with_rows())
def test_log_likelihood_sums_unknown_cells_out(drawn: Drawn) -> None:
    network, rows, joints = drawn
    found = treebound.JunctionTree(network).log_likelihood_rows(treebound.Dataset(network.schema, rows))
    with np.errstate(divide="ignore"):
        expected = np.log([joint.sum() for joint in joints])
    np.testing.assert_allclose(found, expected, atol=1e-9)


@given(drawn=networks_with_rows(), data=st.data())
def test_posterior_ignores_the_cell_of_the_target(drawn: Drawn, data: st.DataObject) -> None:
    network, rows, _ = drawn
    target = data.draw(st.integers(0, network.num_variables - 1))
    known = treebound.Dataset(network.schema, rows)
    found = treebound.JunctionTree(network).posterior_rows(target, known, impossible="nan")
    assert found.shape == (rows.shape[1], network.schema.cardinalities[target])
    joint = reference.joint(network.parent_indices, network.tables, network.schema.cardinalities)
    for row, answer in zip(rows.T.tolist(), found, strict=True):
        row[target] = -1
        given = reference.given_row(joint, row)
        if given.sum() > 0:
            np.testing.assert_allclose(answer, reference.posterior(given, [target]), atol=1e-12)
        else:
            assert np.isnan(answer).all()


@given(drawn=networks_with_rows())
def test_no_completion_is_more_probable(drawn: Drawn) -> None:
    network, rows, joints = drawn
    data = treebound.Dataset(network.schema, rows)
    found = treebound.JunctionTree(network).most_probable_rows(data, impossible="nan").codes
    assert np.array_equal(found[rows >= 0], rows[rows >= 0])
    for row, completed, joint in zip(rows.T, found.T, joints, strict=True):
        if joint.sum() > 0:
            assert joint[tuple(completed)] == pytest.approx(joint.max())
        else:
            assert np.array_equal(completed, row)


@given(drawn=networks_with_rows(), data=st.data())
def test_rows_are_refused_where_single_cases_are(drawn: Drawn, data: st.DataObject) -> None:
    network, rows, _ = drawn
    target = data.draw(st.integers(0, network.num_variables - 1))
    tree = treebound.JunctionTree(network)
    schema = network.schema
    hidden = rows.copy()
    hidden[target] = -1
    for codes, ask in (
        (rows, tree.most_probable_rows),
        (rows, tree.sample_rows_given),
        (hidden, lambda rows: tree.posterior_rows(target, rows)),
    ):
        cases = [
            {schema.names[v]: schema[v].states[code] for v, code in enumerate(row) if code >= 0}
            for row in codes.T.tolist()
        ]
        wrong = tuple(r for r, case in enumerate(cases) if tree.log_probability(case) == -math.inf)
        if wrong:
            with pytest.raises(treebound.ImpossibleEvidence) as caught:
                ask(treebound.Dataset(schema, codes))
            assert caught.value.rows == wrong
        else:
            ask(treebound.Dataset(schema, codes))


@given(drawn=networks_with_rows(), seed=st.integers(0, 1000))
@settings(max_examples=25)
def test_drawn_completions_follow_the_posterior(drawn: Drawn, seed: int) -> None:
    network, rows, joints = drawn
    repeats = 300
    data = treebound.Dataset(network.schema, np.repeat(rows, repeats, axis=1))
    found = treebound.JunctionTree(network).sample_rows_given(data, seed, impossible="nan").codes
    for r, joint in enumerate(joints):
        completed = found[:, r * repeats : (r + 1) * repeats]
        if joint.sum() == 0:
            assert np.array_equal(completed, np.repeat(rows[:, [r]], repeats, axis=1))
            continue
        expected = joint / joint.sum()
        counts = np.zeros_like(expected)
        np.add.at(counts, tuple(completed), 1)
        assert not counts[expected == 0].any()
        assert np.abs(counts / repeats - expected).max() < math.sqrt(math.log(2e9) / (2 * repeats))


@given(network=networks(), data=st.data())
def test_rows_with_the_same_gaps_are_answered_as_each_alone(
    network: treebound.BayesianNetwork, data: st.DataObject
) -> None:
    n = network.num_variables
    num_rows = data.draw(st.integers(2, 40))
    masks = data.draw(st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=2))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    chosen = np.sort(rng.integers(0, len(masks), num_rows))
    codes = rng.integers(0, network.schema.cardinalities, (num_rows, n))
    rows = treebound.Dataset(network.schema, np.where(np.array(masks)[chosen], -1, codes).T)
    target = data.draw(st.integers(0, n - 1))
    tree = treebound.JunctionTree(network)
    for ask in (
        lambda rows: tree.log_likelihood_rows(rows, threads=1),
        lambda rows: tree.posterior_rows(target, rows, impossible="nan", threads=1).T,
        lambda rows: tree.most_probable_rows(rows, impossible="nan", threads=1).codes,
    ):
        together = ask(rows)
        for r in range(num_rows):
            np.testing.assert_array_equal(together[..., r], ask(rows.take(np.array([r])))[..., 0])


def test_a_row_is_answered_as_alone_beside_one_of_probability_zero() -> None:
    rows = np.array([*np.ndindex(2, 2, 2)] * 3, dtype=np.int32).T.copy()
    for share in np.arange(1, 20) / 20:
        tables = {"a": [0.3, 0.7], "b": [0.6, 0.4], "c": [[1 - share, share], [0.0, 1.0]]}
        network = treebound.BayesianNetwork.from_tables(
            tables, parents={"c": ["a"]}, states={name: [0, 1] for name in tables}
        )
        tree = treebound.JunctionTree(network)
        data = treebound.Dataset(network.schema, rows)
        alone = [tree.log_likelihood_rows(data.take(np.array([r])))[0] for r in range(data.num_rows)]
        assert tree.log_likelihood_rows(data).tolist() == alone


@pytest.mark.parametrize("num_rows", [1, 63, 3000])
def test_answers_do_not_depend_on_threads(num_rows: int) -> None:
    network = treebound.random_network(30, max_treewidth=3, seed=5)
    codes = network.sample(num_rows, seed=1).codes.astype(np.int32)
    codes[np.random.default_rng(2).random(codes.shape) < 0.2] = -1
    rows = treebound.Dataset(network.schema, codes)
    tree = treebound.JunctionTree(network)
    for ask in (
        tree.log_likelihood_rows,
        lambda rows, threads: tree.most_probable_rows(rows, threads=threads).codes,
        lambda rows, threads: tree.sample_rows_given(rows, threads=threads).codes,
        lambda rows, threads: tree.posterior_rows(7, rows, threads=threads),
    ):
        assert np.array_equal(ask(rows, threads=1), ask(rows, threads=3))


def test_a_thousand_tiny_factors_do_not_underflow() -> None:
    """A class with 3,000 children, each of them seen in a state that is improbable whatever the class."""
    n = 3000
    schema = treebound.Schema([treebound.Variable(f"v{i}", ("a", "b")) for i in range(n + 1)])
    unlikely = np.array([1e-30, 1 - 1e-30, 2e-30, 1 - 2e-30])
    network = treebound.BayesianNetwork.from_indices(
        schema, ((), *((0,) for _ in range(n))), (np.array([0.5, 0.5]), *[unlikely] * n)
    )
    tree = treebound.JunctionTree(network)
    codes = np.zeros((n + 1, 2), dtype=np.int32)
    codes[0] = -1
    codes[1, 1] = 1
    rows = treebound.Dataset(schema, codes)
    expected = n * math.log(1e-30) + np.logaddexp(0, n * math.log(2)) - math.log(2)
    assert tree.log_likelihood_rows(rows)[0] == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(tree.posterior_rows(0, rows)[0], [0, 1], atol=1e-12)
    evidence = {f"v{i}": "a" for i in range(1, n + 1)}
    assert tree.log_probability(evidence) == pytest.approx(expected, rel=1e-12)
    assert tree.most_probable(evidence).assignment["v0"] == "b"
