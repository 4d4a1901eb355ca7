"""Weights of rows: whole ones are copies of rows, others are right on average and exact in the tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("sklearn")

from sklearn.datasets import load_iris

import treebound as tb
from treebound.sklearn import (
    TreeboundClassifier,
    TreeboundDensity,
    TreeboundImputer,
    TreeboundOutlierDetector,
)
from treebound.sklearn._weights import _rounded, copies_of

ESTIMATORS = [
    TreeboundDensity(steps=5),
    TreeboundClassifier(steps=5, folds=2),
    TreeboundClassifier(steps=5, folds=2, discretise="supervised"),
    TreeboundImputer(steps=5),
    TreeboundOutlierDetector(steps=5),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("share_missing", [0.0, 0.15])
def test_whole_weights_are_copies_of_rows_in_any_order(estimator, share_missing):
    X, y = load_iris(return_X_y=True, as_frame=True)
    rng = np.random.default_rng(1)
    X = X.mask(rng.random(X.shape) < share_missing)
    weights = rng.integers(0, 4, len(X))
    weighted = estimator.fit(X, y, sample_weight=weights).network_
    places = rng.permutation(np.repeat(np.arange(len(X)), weights))
    assert estimator.fit(X.iloc[places], y.iloc[places]).network_ == weighted


@settings(max_examples=50)
@given(st.lists(st.floats(0, 3), min_size=1, max_size=30), st.integers(0, 5))
def test_rounded_weights_are_near_and_add_up(given_weights, seed):
    weights = np.array(given_weights)
    counts = _rounded(weights, seed)
    assert (np.abs(counts - weights) < 1 + 1e-9).all()
    assert abs(counts.sum() - weights.sum()) < 1 + 1e-9


def test_rounded_weights_are_right_on_average():
    weights = np.array([0.2, 1.7, 0.5, 2.0, 0.05])
    mean = np.mean([_rounded(weights, seed) for seed in range(4000)], axis=0)
    np.testing.assert_allclose(mean, weights, atol=0.05)


def test_tables_take_weights_as_they_are():
    X = pd.DataFrame({"a": ["x", "y"] * 50})
    weights = np.where(X["a"] == "x", 0.3, 1.1)
    model = TreeboundDensity(smoothing=tb.MaximumLikelihood(), steps=5).fit(X, sample_weight=weights)
    assert model.network_.posterior("a")["x"] == pytest.approx(0.3 / 1.4)
    assert model.network_.num_rows == pytest.approx(weights.sum())


def test_a_class_can_be_made_to_count_more():
    X, y = load_iris(return_X_y=True)
    model = TreeboundClassifier(structure="naive", smoothing=tb.PseudoCount(1e-6))
    model.fit(X, y, sample_weight=np.where(y == 2, 2.5, 0.25))
    np.testing.assert_allclose(
        model.network_.posterior("target").array, [0.25 / 3, 0.25 / 3, 2.5 / 3], rtol=1e-6
    )


def test_density_is_scored_with_weights():
    X, _ = load_iris(return_X_y=True)
    model = TreeboundDensity(steps=5).fit(X)
    weights = np.arange(len(X))
    expected = np.average(model.score_samples(X), weights=weights)
    assert model.score(X, sample_weight=weights) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, -1.0, 1.0], "Negative values"),
        ([1.0, np.nan, 1.0], "NaN"),
        ([1.0, 1.0], "shape"),
        ([0.0, 0.0, 0.0], "zero"),
        ([1e9, 1e9, 1e9], "Divide the weights by their mean"),
        ([0.2, 0.2, 0.2], "must leave 2 rows at least"),
    ],
)
def test_wrong_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        copies_of(weights, np.zeros((3, 2)), 3, 2, 0)
