"""Exact answers against enumeration of the joint distribution."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound
from reference import inference as reference
from strategies_inference import Case, cases, networks, networks_over, possible_cases
from treebound import JunctionTree
from treebound.network._explanation import sensitivities

pytestmark = pytest.mark.core


def names_of(network: treebound.BayesianNetwork, positions: list[int]) -> list[str]:
    return [network.schema.names[v] for v in positions]


@given(case=cases())
def test_log_probability_is_that_of_the_joint(case: Case) -> None:
    total = case.weighted.sum()
    found = JunctionTree(case.network).log_probability(case.evidence)
    assert found == (-math.inf if total == 0 else pytest.approx(math.log(total), abs=1e-9))


@given(case=possible_cases())
def test_marginals_are_those_of_the_joint(case: Case) -> None:
    found = JunctionTree(case.network).marginals(case.evidence)
    assert list(found) == list(case.network.schema.names)
    for v, marginal in enumerate(found.values()):
        np.testing.assert_allclose(marginal, reference.posterior(case.weighted, [v]), atol=1e-12)


@given(case=possible_cases(), data=st.data())
def test_joint_posteriors_are_those_of_the_joint(case: Case, data: st.DataObject) -> None:
    positions = list(range(case.network.num_variables))
    chosen = data.draw(st.lists(st.sampled_from(positions), min_size=1, unique=True))
    found = JunctionTree(case.network).posterior(names_of(case.network, chosen), case.evidence)
    np.testing.assert_allclose(found.array, reference.posterior(case.weighted, chosen), atol=1e-12)
    assert found.labels == tuple(case.network.schema[v].states for v in chosen)


@given(case=cases())
def test_impossible_evidence_is_named_and_nothing_else_is(case: Case) -> None:
    if case.is_possible:
        return
    with pytest.raises(treebound.ImpossibleEvidence) as caught:
        JunctionTree(case.network).marginals(case.evidence)
    named = [case.network.schema.position(name) for name in caught.value.findings]
    assert reference.weighted(case.joint, {v: case.likelihoods[v] for v in named}).sum() == 0
    for dropped in named:
        rest = {v: case.likelihoods[v] for v in named if v != dropped}
        assert reference.weighted(case.joint, rest).sum() > 0


@given(case=possible_cases())
def test_the_most_probable_state_is_no_less_probable_than_any(case: Case) -> None:
    found = JunctionTree(case.network).most_probable(case.evidence)
    states = tuple(case.network.schema[name].code(label) for name, label in found.assignment.items())
    assert case.weighted[states] == pytest.approx(case.weighted.max())
    assert found.log_joint == pytest.approx(math.log(case.weighted.max()), abs=1e-9)
    assert found.log_probability == pytest.approx(
        math.log(case.weighted.max() / case.weighted.sum()), abs=1e-9
    )


@given(case=possible_cases(), data=st.data())
def test_the_most_probable_state_of_some_variables_sums_over_the_others(
    case: Case, data: st.DataObject
) -> None:
    positions = list(range(case.network.num_variables))
    chosen = data.draw(st.lists(st.sampled_from(positions), min_size=1, unique=True))
    found = JunctionTree(case.network).most_probable_of(names_of(case.network, chosen), case.evidence)
    marginal = reference.marginal(case.weighted, chosen)
    states = tuple(case.network.schema[name].code(label) for name, label in found.assignment.items())
    assert marginal[states] == pytest.approx(marginal.max())
    assert found.log_joint == pytest.approx(math.log(marginal.max()), abs=1e-9)


@given(first=cases(), data=st.data())
def test_answers_do_not_depend_on_earlier_questions(first: Case, data: st.DataObject) -> None:
    asked = JunctionTree(first.network)
    names = list(first.evidence)
    for _ in range(4):
        kept = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
        evidence = {name: first.evidence[name] for name in kept}
        fresh = JunctionTree(first.network)
        assert asked.log_probability(evidence) == pytest.approx(fresh.log_probability(evidence), abs=1e-9)
        if asked.log_probability(evidence) == -math.inf:
            continue
        variable = data.draw(st.sampled_from(first.network.schema.names))
        np.testing.assert_allclose(
            asked.posterior(variable, evidence).array,
            fresh.posterior(variable, evidence).array,
            atol=1e-12,
        )


@given(case=possible_cases(max_variables=4), seed=st.integers(0, 100))
@settings(max_examples=25)
def test_samples_follow_the_posterior(case: Case, seed: int) -> None:
    num_rows = 400
    rows = JunctionTree(case.network).sample(num_rows, seed, case.evidence).codes
    expected = case.weighted / case.weighted.sum()
    counts = np.zeros_like(expected)
    np.add.at(counts, tuple(rows.astype(int)), 1)
    assert not counts[expected == 0].any()
    # Hoeffding: a cell off by so much has probability below 1e-9.
    assert np.abs(counts / num_rows - expected).max() < math.sqrt(math.log(2e9) / (2 * num_rows))


@given(case=possible_cases(), data=st.data())
def test_information_is_that_of_the_joint(case: Case, data: st.DataObject) -> None:
    tree = JunctionTree(case.network)
    a = data.draw(st.integers(0, case.network.num_variables - 1))
    b = data.draw(st.integers(0, case.network.num_variables - 1))
    distribution = reference.posterior(case.weighted, [a])
    positive = distribution[distribution > 0]
    entropy = -np.sum(positive * np.log(positive))
    assert tree.entropy(case.network.schema.names[a], case.evidence) == pytest.approx(entropy, abs=1e-9)
    if a != b:
        pair = reference.posterior(case.weighted, [a, b])
        apart = np.outer(pair.sum(axis=1), pair.sum(axis=0))
        found = tree.mutual_information(*names_of(case.network, [a, b]), case.evidence)
        assert found == pytest.approx(reference.kl_divergence(pair, apart), abs=1e-9)


@given(network=networks(max_variables=5), data=st.data())
def test_divergence_is_that_of_the_joints(network: treebound.BayesianNetwork, data: st.DataObject) -> None:
    cards = network.schema.cardinalities
    other = data.draw(networks_over(network.schema) | st.just(network))
    p = reference.joint(network.parent_indices, network.tables, cards)
    q = reference.joint(other.parent_indices, other.tables, cards)
    expected = reference.kl_divergence(p, q)
    assert treebound.network.kl_divergence(network, other) == pytest.approx(expected, abs=1e-9)


@given(case=possible_cases(max_variables=5, min_findings=1))
def test_sensitivity_drops_findings_and_takes_them_alone(case: Case) -> None:
    found = sensitivities(case.network, "v0", case.evidence)
    assert sorted(one.finding for one in found) == sorted(case.evidence)
    for one in found:
        v = case.network.schema.position(one.finding)
        rest = {u: weights for u, weights in case.likelihoods.items() if u != v}
        without = reference.posterior(reference.weighted(case.joint, rest), [0])
        alone = reference.posterior(reference.weighted(case.joint, {v: case.likelihoods[v]}), [0])
        np.testing.assert_allclose(one.without, without, atol=1e-12)
        np.testing.assert_allclose(one.alone, alone, atol=1e-12)
        shift = np.abs(without - reference.posterior(case.weighted, [0])).sum() / 2
        assert one.shift_without == pytest.approx(shift, abs=1e-9)


def test_a_tree_survives_pickling() -> None:
    tree = JunctionTree(treebound.random_network(10, max_treewidth=2), max_bytes=10**6)
    again = pickle.loads(pickle.dumps(tree))
    assert again.max_bytes == 10**6
    assert again.log_probability() == tree.log_probability()
