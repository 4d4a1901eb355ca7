"""The regressor: expected values and intervals are those of the predicted distribution over the bins."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sklearn")

from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

import treebound as tb
from treebound.sklearn import TreeboundRegressor
from treebound.sklearn._bin_values import BinValues

FEW = {"steps": 5, "folds": 2, "discretise": "quantile"}


@pytest.fixture(scope="module")
def curve():
    """A curve with noise that grows with the feature, and a feature that means nothing."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.uniform(0, 3, 1500), "other": rng.normal(size=1500)})
    return X, (X["x"] ** 2 + rng.normal(size=1500) * (0.1 + X["x"] / 3)).rename("height")


@pytest.fixture(scope="module")
def model(curve):
    X, y = curve
    return TreeboundRegressor(structure="naive", bins=12, **FEW).fit(X[:1000], y[:1000])


def test_predictions_are_expected_values_of_the_bins(model, curve):
    X, y = curve
    variable = model.network_.schema[-1]
    assert (variable.name, variable.cardinality, len(model.networks_)) == ("height", 10, 1)
    codes = variable.bin(y[:1000])
    means = [y[:1000][codes == code].mean() for code in range(10)]
    np.testing.assert_allclose(model.bin_means_, means)
    row = X.iloc[1200]
    posterior = model.network_.posterior("height", row.to_dict()).array
    assert model.predict(X[1200:1201])[0] == pytest.approx(posterior @ means)


def test_it_predicts_a_curve(model, curve):
    X, y = curve
    assert model.score(X[1000:], y[1000:]) > 0.85


@pytest.mark.parametrize("coverage", [0.5, 0.9])
def test_intervals_cover_what_they_promise_and_are_wider_where_there_is_more_noise(model, curve, coverage):
    X, y = curve
    intervals = model.predict_interval(X[1000:], coverage)
    low, high = intervals.T
    held = y[1000:].to_numpy()
    # Without calibration 0.5 covers 0.62: numbers inside a bin depend on the features too.
    assert ((low <= held) & (held <= high)).mean() == pytest.approx(coverage, abs=0.05)
    wide = (high - low)[X["x"][1000:] > 2].mean()
    assert wide > 1.5 * (high - low)[X["x"][1000:] < 1].mean()
    with pytest.raises(ValueError, match=r"coverage must be between 0 and 1, got 1\.0"):
        model.predict_interval(X, 1.0)


def test_with_too_few_rows_to_hold_any_out_intervals_are_plain_quantiles():
    X, y = np.arange(4.0)[:, None], np.array([1.0, 2.0, 5.0, 9.0])
    model = TreeboundRegressor(structure="prior", smoothing=tb.PseudoCount(1), target_bins=4, **FEW).fit(X, y)
    np.testing.assert_allclose(model.predict_interval(X, 0.5), [[1.0, 5.0]] * 4)


@pytest.mark.parametrize("level", [0.03, 0.25, 0.5, 0.8, 1.0])
def test_a_quantile_is_that_of_numbers_drawn_from_the_distribution(level):
    rng = np.random.default_rng(1)
    numbers = np.sort(rng.gamma(2, size=400))
    bins = np.repeat(np.arange(4), 100)
    probabilities = rng.dirichlet(np.ones(4), size=5)
    probabilities[0] = [0, 1, 0, 0]
    found = BinValues.of(numbers, bins, 4).quantile(probabilities, level)
    for row, value in zip(probabilities, found, strict=True):
        below = sum(row[place] * (numbers[bins == place] <= value + 1e-9).mean() for place in range(4))
        assert below == pytest.approx(level, abs=0.02)


def test_weights_count_in_means_and_copies_in_all():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(120, 2))
    y = X[:, 0] + 0.1 * rng.normal(size=120)
    weights = rng.integers(0, 3, 120)
    options = {"structure": "naive", "target_bins": 4, **FEW}
    weighted = TreeboundRegressor(**options).fit(X, y, sample_weight=weights)
    repeated = TreeboundRegressor(**options).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.network_ == repeated.network_
    np.testing.assert_allclose(weighted.predict_interval(X), repeated.predict_interval(X))
    uneven = TreeboundRegressor(**options).fit(X, y, sample_weight=np.where(y > 0, 2.5, 0.5))
    codes = uneven.network_.schema[-1].bin(y)
    expected = np.average(y[codes == 1], weights=np.where(y > 0, 2.5, 0.5)[codes == 1])
    assert uneven.bin_means_[1] == pytest.approx(expected)


def test_it_beats_the_mean_on_a_table_with_missing_values():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)
    X, held, y, truth = train_test_split(X, y, random_state=0)
    model = TreeboundRegressor(target_bins=6, **FEW).fit(X, y)
    assert model.score(held, truth) > 0.2


def test_importances_are_mutual_information_with_the_target(model, curve):
    X, y = curve
    names = list(X.columns)
    expected = [model.network_.junction_tree.mutual_information(name, "height") for name in names]
    np.testing.assert_allclose(model.feature_importances_, expected)
    assert expected[0] > 5 * expected[1]
    some = TreeboundRegressor(columns=["other"], structure="naive", smoothing=tb.PseudoCount(1), **FEW)
    assert some.fit(X, y).feature_importances_[0] == 0.0


@pytest.mark.parametrize("bins", [1, 2.5, 300])
def test_wrong_numbers_of_bins_are_rejected(curve, bins):
    with pytest.raises((TypeError, ValueError), match="target_bins must be"):
        TreeboundRegressor(target_bins=bins).fit(*curve)
