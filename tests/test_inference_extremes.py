"""Answers where products leave the range of doubles, against enumeration in exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound
from reference import inference_exact as reference
from strategies_extremes import as_evidence, extreme_evidence, extreme_networks
from strategies_inference import rows_of
from treebound import JunctionTree

pytestmark = pytest.mark.core

# What docs/concepts/inference.md promises; the rest is the rounding of answers that are denormal themselves.
RELATIVE = 1e-12
CLOSE = {"rtol": RELATIVE, "atol": 1e-322}


@st.composite
def asked(draw: st.DrawFn) -> tuple[treebound.BayesianNetwork, dict[str, object], reference.Joint]:
    """A network, evidence about it, and P(all variables, evidence)."""
    network = draw(extreme_networks())
    likelihoods = draw(extreme_evidence(network))
    joint = reference.joint(network.parent_indices, network.tables, network.schema.cardinalities)
    return network, as_evidence(network, likelihoods), reference.weighted(joint, likelihoods)


Asked = tuple[treebound.BayesianNetwork, dict[str, object], reference.Joint]


def close_log(value: Fraction) -> object:
    return pytest.approx(reference.log(value), rel=RELATIVE, abs=RELATIVE)


@given(case=asked())
def test_the_probability_of_evidence(case: Asked) -> None:
    network, evidence, weighted = case
    found = JunctionTree(network).log_probability(evidence)
    assert found == close_log(sum(weighted.values(), Fraction(0)))


@given(case=asked(), data=st.data())
def test_posteriors_of_one_and_of_several_variables(case: Asked, data: st.DataObject) -> None:
    network, evidence, weighted = case
    tree, cards = JunctionTree(network), network.schema.cardinalities
    if not weighted:
        with pytest.raises(treebound.ImpossibleEvidence):
            tree.marginals(evidence)
        return
    for v, found in enumerate(tree.marginals(evidence).values()):
        np.testing.assert_allclose(found, reference.posterior(weighted, [v], cards), **CLOSE)
    chosen = data.draw(st.lists(st.sampled_from(range(len(cards))), min_size=1, max_size=3, unique=True))
    joint = tree.posterior([network.schema.names[v] for v in chosen], evidence).array
    np.testing.assert_allclose(joint.ravel(), reference.posterior(weighted, chosen, cards), **CLOSE)


@given(case=asked(), data=st.data())
def test_most_probable_states(case: Asked, data: st.DataObject) -> None:
    network, evidence, weighted = case
    if not weighted:
        return
    tree = JunctionTree(network)
    names = network.schema.names
    chosen = data.draw(st.lists(st.sampled_from(range(len(names))), min_size=1, unique=True))
    total = sum(weighted.values())
    for found, variables in (
        (tree.most_probable(evidence), list(range(len(names)))),
        (tree.most_probable_of([names[v] for v in chosen], evidence), chosen),
    ):
        marginal = reference.marginal(weighted, variables)
        states = tuple(network.schema[v].code(found.assignment[names[v]]) for v in variables)
        best = max(marginal.values())
        assert marginal[states] >= best * Fraction(1 - RELATIVE)
        assert found.log_joint == close_log(best)
        assert found.log_probability == pytest.approx(
            reference.log(best / total), rel=1e-9, abs=1e-12 * (1 + abs(reference.log(total)))
        )


@given(case=asked(), seed=st.integers(0, 9))
def test_draws_given_evidence(case: Asked, seed: int) -> None:
    network, evidence, weighted = case
    if not weighted:
        return
    rows = JunctionTree(network).sample(20, seed, evidence)
    total = sum(weighted.values())
    for states in map(tuple, rows.codes.T.tolist()):
        # A row so improbable is not drawn in the lifetime of the test.
        assert weighted.get(states, Fraction(0)) / total > 1e-12


@given(data=st.data())
def test_rows(data: st.DataObject) -> None:
    network = data.draw(extreme_networks())
    rows = data.draw(rows_of(network))
    target = data.draw(st.integers(0, network.num_variables - 1))
    cards = network.schema.cardinalities
    joint = reference.joint(network.parent_indices, network.tables, cards)
    tree = JunctionTree(network)
    known = treebound.Dataset(network.schema, rows)
    logs = tree.log_likelihood_rows(known)
    posteriors = tree.posterior_rows(target, known, impossible="nan")
    completed = tree.most_probable_rows(known, impossible="nan").codes
    drawn = tree.sample_rows_given(known, impossible="nan").codes
    for r, row in enumerate(rows.T.tolist()):
        given = reference.given_row(joint, row)
        assert logs[r] == close_log(sum(given.values(), Fraction(0)))
        if given:
            best = given.get(tuple(completed[:, r].tolist()), Fraction(0))
            assert best >= max(given.values()) * Fraction(1 - RELATIVE)
            assert given.get(tuple(drawn[:, r].tolist()), Fraction(0)) / sum(given.values()) > 1e-12
        else:
            np.testing.assert_array_equal(completed[:, r], row)
            np.testing.assert_array_equal(drawn[:, r], row)
        without = reference.given_row(joint, [-1 if v == target else code for v, code in enumerate(row)])
        if without:
            expected = reference.posterior(without, [target], cards)
            np.testing.assert_allclose(posteriors[r], expected, **CLOSE)
        else:
            assert np.isnan(posteriors[r]).all()


@pytest.fixture
def pair() -> treebound.BayesianNetwork:
    """Two variables in one clique."""
    schema = treebound.Schema([treebound.Variable(name, ("0", "1")) for name in "ab"])
    return treebound.BayesianNetwork.from_indices(
        schema, ((), (0,)), (np.array([0.5, 0.5]), np.array([0.25, 0.75, 0.75, 0.25]))
    )


@pytest.mark.parametrize("factor", [1e-320, 1e-200, 1.0, 1e200, 8e307])
def test_likelihoods_count_up_to_a_factor(pair: treebound.BayesianNetwork, factor: float) -> None:
    tree = JunctionTree(pair)
    evidence = {name: {"0": factor, "1": 2 * factor} for name in "ab"}
    plain = {name: {"0": 1.0, "1": 2.0} for name in "ab"}
    np.testing.assert_allclose(tree.posterior("a", evidence).array, tree.posterior("a", plain).array)
    expected = tree.log_probability(plain) + 2 * math.log(factor)
    assert tree.log_probability(evidence) == pytest.approx(expected, rel=1e-12)


def test_a_state_that_vanishes_in_its_clique_may_be_the_only_one_left() -> None:
    """Each of two groups of findings alone all but rules out one state of the class; both do of either."""
    count = 40
    schema = treebound.Schema([treebound.Variable(f"v{i}", ("0", "1")) for i in range(2 * count + 1)])
    for_first, for_second = np.array([1.0, 0.0, 1e-300, 1.0]), np.array([1e-300, 1.0, 1.0, 0.0])
    network = treebound.BayesianNetwork.from_indices(
        schema,
        ((), *[(0,)] * (2 * count)),
        (np.array([0.25, 0.75]), *[for_first] * count, *[for_second] * count),
    )
    evidence = {f"v{i}": "0" for i in range(1, 2 * count + 1)}
    tree = JunctionTree(network)
    np.testing.assert_allclose(tree.posterior("v0", evidence).array, [0.25, 0.75], rtol=1e-12)
    assert tree.log_probability(evidence) == pytest.approx(count * math.log(1e-300), rel=1e-12)
