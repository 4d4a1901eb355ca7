"""The average of networks: its weights are the best there are, and predictions are what they make of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sklearn")

from sklearn.datasets import load_iris

import treebound as tb
from treebound.sklearn import TreeboundClassifier
from treebound.sklearn._average import average_weights
from treebound.sklearn._trials import class_probabilities


def likelihood(truths, weights, shares):
    return float(np.log(shares @ truths) @ weights)


@st.composite
def answers(draw):
    """Probabilities of the truth by some candidates in some rows, and the weights of these."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    truths = rng.beta(*rng.uniform(0.3, 3, 2), (draw(st.integers(1, 6)), draw(st.integers(1, 60))))
    return np.maximum(truths, 1e-13), rng.integers(0, 4, truths.shape[1]) + 0.5


@given(answers())
def test_no_single_candidate_and_no_plain_mean_is_more_likely(given_answers):
    truths, weights = given_answers
    shares = average_weights(truths, weights)
    assert shares.sum() == pytest.approx(1)
    found = likelihood(truths, weights, shares)
    others = [*np.eye(len(truths)), np.full(len(truths), 1 / len(truths))]
    lost = 0.02 * weights.sum()  # by what is cut off, and by the last rounds
    assert found >= max(likelihood(truths, weights, other) for other in others) - lost


def test_weights_of_two_are_those_of_a_search():
    rng = np.random.default_rng(3)
    truths, weights = rng.uniform(0.05, 1, (2, 80)), rng.uniform(0.5, 2, 80)
    grid = np.linspace(0, 1, 2001)
    best = max(grid, key=lambda share: likelihood(truths, weights, np.array([share, 1 - share])))
    assert 0.1 < best < 0.9
    assert average_weights(truths, weights)[0] == pytest.approx(best, abs=0.002)


def test_a_row_of_weight_three_is_three_rows():
    truths = np.random.default_rng(1).uniform(0.05, 1, (4, 20))
    counts = np.arange(20) % 4
    repeated = np.repeat(truths, counts, axis=1)
    np.testing.assert_allclose(
        average_weights(truths, counts.astype(float)), average_weights(repeated, np.ones(counts.sum()))
    )


def test_what_is_always_worse_has_no_weight():
    truths = np.random.default_rng(2).uniform(0.3, 1, (3, 50))
    truths[1] = truths[0] / 2
    shares = average_weights(truths, np.ones(50))
    assert shares[1] == 0
    assert min(shares[0], shares[2]) > 0.2


@pytest.fixture(scope="module")
def model():
    X, y = load_iris(return_X_y=True)
    return TreeboundClassifier(steps=5).fit(X, y)


def test_probabilities_are_the_average_of_what_the_networks_say(model):
    X, _ = load_iris(return_X_y=True)
    weights = [candidate.weight for candidate in model.candidates_]
    assert weights == sorted(weights, reverse=True)
    assert sum(weights) == pytest.approx(1)
    assert 1 < len(model.networks_) == np.count_nonzero(weights) < len(weights)
    frame = pd.DataFrame(X, columns=["v0", "v1", "v2", "v3"]).assign(target=0)
    schema = model.network_.schema
    codes = tb.load(frame, schema=schema).codes
    rows = tb.Dataset(schema, np.vstack([codes[:-1], np.full(len(X), -1)]))
    expected = sum(
        weight * class_probabilities(network, rows, 1)
        for weight, network in zip(weights, model.networks_, strict=False)
    )
    np.testing.assert_allclose(model.predict_proba(X), expected)
    np.testing.assert_array_equal(model.predict(X), expected.argmax(axis=1))


def test_every_network_is_within_the_bound_and_the_first_is_shown(model):
    assert model.network_ is model.networks_[0]
    assert model.verdict_
    assert all(tb.check(network, max_treewidth=3) for network in model.networks_)


def test_one_candidate_is_its_own_average():
    X, y = load_iris(return_X_y=True)
    options = {"max_treewidth": 0, "smoothing": tb.PseudoCount(1)}
    model = TreeboundClassifier(**options).fit(X, y)
    assert [candidate.weight for candidate in model.candidates_] == [1.0]
    alone = TreeboundClassifier(structure="joint", **options).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X))
