"""Bins chosen by the folds of the classifier."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sklearn")

import treebound as tb
from treebound.sklearn import TreeboundClassifier, TreeboundDensity

FEW = {"steps": 2, "folds": 3}


def stripes(width, num_rows=600):
    """Numbers whose class changes at narrow places, which few bins of equal counts would hide."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.uniform(0, 1, (num_rows, 3)), columns=["a", "b", "c"])
    return X, ((X["a"] < width) | (X["b"] > 1 - width)).astype(int)


def test_bins_for_the_class_are_chosen_where_they_classify_better():
    X, y = stripes(0.03)
    model = TreeboundClassifier(**FEW).fit(X, y)
    assert model.discretise_ == "supervised"
    coarse = TreeboundClassifier(discretise="quantile", **FEW).fit(X, y)
    assert coarse.discretise_ == "quantile"
    fresh, classes = stripes(0.03, 2000)
    assert model.score(fresh, classes) > coarse.score(fresh, classes) + 0.02


def test_the_choice_is_that_of_the_highest_log_probability():
    """With a single candidate for each rule, what is reported shows which rule is best."""
    X, y = stripes(0.1)
    options = {"structure": "tree", "smoothing": tb.PseudoCount(1), **FEW}
    model = TreeboundClassifier(**options).fit(X, y)
    both = {"smoothing": None}
    reported = {}
    for rule in ("quantile", "supervised"):
        tried = TreeboundClassifier(**(options | both | {"discretise": rule})).fit(X, y).candidates_
        (reported[rule],) = (one.log_probability for one in tried if one.smoothing == tb.PseudoCount(1))
    assert model.discretise_ == max(reported, key=reported.get)
    assert [one.log_probability for one in model.candidates_] == [reported[model.discretise_]]


def test_noise_gets_few_bins_and_scores_like_noise():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(400, 10)), rng.integers(0, 2, 400)
    model = TreeboundClassifier(steps=2).fit(X[:300], y[:300])
    assert model.discretise_ == "quantile"
    assert abs(np.mean([one.accuracy for one in model.candidates_]) - 0.5) < 0.06


@pytest.mark.parametrize("structure", ["joint", "naive", "average"])
def test_every_structure_takes_chosen_bins(structure):
    X, y = stripes(0.03)
    model = TreeboundClassifier(structure=structure, **FEW).fit(X, y)
    kinds = {one.structure for one in model.candidates_}
    assert len(model.candidates_) == 4 * len(kinds - {"prior"}) + ("prior" in kinds)
    assert model.discretise_ in ("quantile", "supervised")


def test_tables_without_numbers_to_cut_have_nothing_to_choose():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (60, 3))
    model = TreeboundClassifier(structure="naive", smoothing=tb.PseudoCount(1)).fit(X, X[:, 0] > 0)
    assert model.discretise_ == "quantile"
    assert np.isnan(model.candidates_[0].accuracy)


def test_only_estimators_with_a_target_choose_bins():
    with pytest.raises(ValueError, match="discretise must be one of"):
        TreeboundDensity(discretise="auto").fit(np.random.default_rng(0).normal(size=(50, 2)))


def test_importances_of_the_average_and_of_columns_left_out():
    X, y = stripes(0.1)
    model = TreeboundClassifier(columns=["c", "a"], discretise="quantile", **FEW).fit(X, y)
    expected = sum(
        candidate.weight * network.junction_tree.mutual_information("a", "target")
        for network, candidate in zip(model.networks_, model.candidates_, strict=False)
    )
    found = model.feature_importances_
    assert found[0] == pytest.approx(expected)
    assert found[0] > 5 * found[2] > 0
    assert found[1] == 0.0
    assert not hasattr(TreeboundClassifier(), "feature_importances_")
