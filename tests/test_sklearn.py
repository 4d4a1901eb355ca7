"""The estimators keep the contract of scikit-learn, and do their jobs on frames of any library."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import treebound as tb
from treebound.sklearn import (
    TreeboundClassifier,
    TreeboundDensity,
    TreeboundImputer,
    TreeboundOutlierDetector,
    TreeboundRegressor,
)

ALL = [
    TreeboundDensity(),
    TreeboundClassifier(folds=2),
    TreeboundImputer(),
    TreeboundOutlierDetector(),
    TreeboundRegressor(folds=2),
]


@parametrize_with_checks([estimator.set_params(steps=5, n_jobs=1) for estimator in map(clone, ALL)])
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    size = rng.integers(0, 3, 600)
    near = np.where(rng.random(600) < 0.9, size, rng.integers(0, 3, 600))
    words = np.array(["low", "mid", "high"])
    return pd.DataFrame(
        {"size": size, "word": words[near], "big": near == 2, "noise": rng.choice(list("ab"), 600)}
    )


def test_a_classifier_classifies(iris):
    scores = cross_val_score(TreeboundClassifier(bins=6), *iris, cv=5)
    assert scores.mean() > 0.88


def test_labels_come_back_as_they_went_in(iris):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = TreeboundClassifier().fit(X, names)
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert set(model.predict(X)) <= set(names)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_estimators_work_in_pipelines_and_grids(iris):
    X, y = iris
    grid = GridSearchCV(
        make_pipeline(TreeboundImputer(steps=10), StandardScaler(), TreeboundClassifier(steps=10)),
        {"treeboundclassifier__max_treewidth": [1, 2], "treeboundclassifier__smoothing": [tb.PseudoCount(1)]},
        cv=3,
    )
    holes = X.copy()
    holes[::7, 1] = np.nan
    assert grid.fit(holes, y).best_score_ > 0.8


def test_density_is_that_of_the_network(iris):
    X, _ = iris
    model = TreeboundDensity(max_treewidth=2).fit(X)
    assert model.network_.schema.cardinalities == (5, 5, 5, 5)
    assert model.score(X) == pytest.approx(model.score_samples(X).mean())
    rows = model.sample(50, random_state=1)
    assert rows.shape == (50, 4)
    assert (rows.min(axis=0) >= X.min(axis=0)).all()
    np.testing.assert_array_equal(rows, model.sample(50, random_state=1))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_frames_of_any_library_go_in_and_come_out(table, library):
    frame = library(table)
    model = TreeboundDensity(steps=20).fit(frame)
    assert list(model.feature_names_in_) == list(table.columns)
    assert model.network_.schema["word"].states == ("high", "low", "mid")
    assert type(model.sample(5, random_state=0)) is type(frame)
    expected = TreeboundDensity(steps=20).fit(table).score_samples(table)
    np.testing.assert_allclose(model.score_samples(frame), expected)
    holes = library(table.where(np.random.default_rng(0).random(table.shape) > 0.2, None))
    filled = TreeboundImputer(steps=20).fit(holes).transform(holes)
    assert type(filled) is type(frame)
    nulls = (
        filled.isna().sum().sum()
        if library is pd.DataFrame
        else (
            sum(c.null_count() for c in filled)
            if library is pl.from_pandas
            else sum(c.null_count for c in filled.columns)
        )
    )
    assert nulls == 0


def test_an_imputer_beats_the_most_frequent_value(table):
    hidden = np.random.default_rng(1).random(table.shape) < 0.15
    holes = table.where(~hidden, None)
    filled = TreeboundImputer(max_treewidth=2).fit(holes).transform(holes)
    right = (filled == table).to_numpy()[hidden].mean()
    modes = table.mode().iloc[0]
    frequent = (table == modes).to_numpy()[hidden].mean()
    assert right > frequent + 0.05
    assert (filled == table).to_numpy()[~hidden].all()
    drawn = TreeboundImputer(strategy="draw", steps=20).fit(holes).transform(holes)
    assert (drawn == table).to_numpy()[~hidden].all()
    assert not drawn.equals(filled)


def test_outliers_stand_out():
    rng = np.random.default_rng(0)
    common = rng.normal(size=(300, 3))
    common[:, 1] = common[:, 0] + 0.1 * rng.normal(size=300)
    strange = np.array([[2.0, -2.0, 0.0], [-2.0, 2.0, 0.0]])
    model = TreeboundOutlierDetector(contamination=0.05, bins=8).fit(np.vstack([common, strange]))
    assert model.predict(strange).tolist() == [-1, -1]
    assert (model.predict(common) == -1).mean() < 0.06
    parts = model.network_.anomaly_scores(strange).contributions
    assert parts[:, 2].max() < parts[:, :2].max(axis=1).min()
    with pytest.raises(ValueError, match=r"contamination must be above 0 and at most 0\.5, got 0\.7"):
        TreeboundOutlierDetector(contamination=0.7).fit(common)


def test_values_never_seen_in_training_count_as_missing(table):
    model = TreeboundDensity(steps=20).fit(table)
    odd = table.head(2).assign(word=["never", "low"])
    known = model.score_samples(table.head(2).assign(word=[None, "low"]))
    np.testing.assert_allclose(model.score_samples(odd), known)


def test_equal_seeds_give_equal_models_and_pickles_survive(iris):
    X, y = iris
    first, second = (TreeboundClassifier(random_state=5, n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    assert first.network_ == second.network_
    again = pickle.loads(pickle.dumps(first))
    np.testing.assert_array_equal(again.predict_proba(X), first.predict_proba(X))


def test_jobs_mean_what_they_mean_in_scikit_learn(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(6)), raising=False)
    told = {jobs: TreeboundClassifier(n_jobs=jobs)._threads() for jobs in (None, 1, 3, -1, -2, -99)}
    assert told == {None: 1, 1: 1, 3: 3, -1: 6, -2: 5, -99: 1}
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert TreeboundClassifier()._threads() == 2


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (TreeboundClassifier(bins=0), "bins must be at least 2, got 0"),
        (
            TreeboundClassifier(local_score="bdeu"),
            r"local_score must be Bic\(\) or Bdeu\(\), or None, got 'bdeu'",
        ),
        (TreeboundClassifier(n_jobs=0), "n_jobs must be at least 1, got 0"),
        (TreeboundClassifier(n_jobs=1.5), "n_jobs must be a whole number, got 1.5"),
        (TreeboundClassifier(n_jobs=10**6), "n_jobs must be at most 1024, got 1000000"),
        (TreeboundClassifier(smoothing="laplace"), "smoothing must be .* got 'laplace'"),
        (TreeboundOutlierDetector(contamination="auto"), "contamination must be a number, got 'auto'"),
    ],
)
def test_parameters_are_checked(iris, estimator, message):
    with pytest.raises((TypeError, ValueError), match=message):
        estimator.fit(*iris)


def test_the_package_does_not_import_scikit_learn():
    import subprocess
    import sys

    words = "import sys, treebound; treebound.fit, treebound.learn; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", words]).returncode == 0


def test_impossible_rows_get_the_frequencies_of_the_classes():
    X = pd.DataFrame({"a": ["x", "x", "y", "y"] * 20, "b": ["x", "x", "y", "y"] * 20})
    y = np.array([0, 0, 0, 1] * 20)
    model = TreeboundClassifier(structure="joint", smoothing=tb.MaximumLikelihood(), steps=20).fit(X, y)
    never = pd.DataFrame({"a": ["x", "y"], "b": ["y", "y"]})
    found = model.predict_proba(never)
    assert np.isneginf(model.network_.score_samples(never, on_absent="ignore")[0])
    np.testing.assert_allclose(found[0], [0.75, 0.25])
    assert model.predict(never)[0] == 0


def test_rows_that_a_network_without_smoothing_takes_for_impossible_are_learned_from():
    """Their gaps cannot be drawn, and were once read as the last of 65,536 states."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.integers(0, 3, (60, 5)).astype(float), columns=list("abcde"))
    X = X.mask(rng.random(X.shape) < 0.4)
    model = TreeboundDensity(smoothing=tb.MaximumLikelihood(), steps=20).fit(X)
    assert model.score_samples(X.fillna(0)).shape == (60,)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_imputer_puts_out_frames_where_it_is_asked_to(iris, library):
    X, _ = iris
    holes = X.copy()
    holes[::5, 2] = np.nan
    imputer = TreeboundImputer(steps=5).set_output(transform=library).fit(holes)
    filled = imputer.transform(holes)
    assert type(filled).__module__.startswith(library)
    assert list(filled.columns) == ["x0", "x1", "x2", "x3"]
    assert not np.isnan(filled.to_numpy()).any()
    plain = TreeboundImputer(steps=5).fit(holes).transform(holes)
    np.testing.assert_array_equal(filled.to_numpy(), plain)


@pytest.mark.parametrize("columns", [[3, 1], [3, 2, 1, 0]])
def test_the_imputer_leaves_other_columns_alone(iris, columns):
    X, _ = iris
    holes = X.copy()
    holes[::4] = np.nan
    filled = TreeboundImputer(columns=columns, steps=5).fit(holes).transform(holes)
    others = [place for place in range(4) if place not in columns]
    assert not np.isnan(filled[:, columns]).any()
    np.testing.assert_array_equal(filled[:, others], holes[:, others])
    np.testing.assert_array_equal(filled[1::4], holes[1::4])
    names = [f"c{place}" for place in range(4)]
    frame = pd.DataFrame(holes, columns=names)
    imputer = TreeboundImputer(columns=[names[place] for place in columns], steps=5)
    np.testing.assert_array_equal(imputer.fit_transform(frame).to_numpy(), filled)


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_all_take_columns_bins_and_states(table, estimator):
    model = clone(estimator).set_params(
        columns=["word", "size"], discretise={"size": "quantile:2"}, max_states=3, steps=5
    )
    model.fit(table, table["big"])
    assert model.network_.schema.names[:2] == ("word", "size")
    assert model.network_.schema.cardinalities[:2] == (3, 2)
    assert model.verdict_.is_ok
    with pytest.raises(ValueError, match="max_states"):
        model.set_params(max_states=2).fit(table, table["big"])


def test_only_a_classifier_makes_bins_for_a_target(iris):
    with pytest.raises(ValueError, match="needs a target, which only a classifier has"):
        TreeboundDensity(discretise="supervised").fit(iris[0])


def test_an_imputer_is_a_step_for_some_columns(table):
    holes = table.where(np.random.default_rng(0).random(table.shape) > 0.2, None)
    step = make_column_transformer((TreeboundImputer(steps=5), ["size", "word"]), remainder="drop")
    assert not pd.DataFrame(step.fit_transform(holes)).isna().any(axis=None)


def test_a_grid_goes_over_kinds_of_networks(iris):
    X, y = iris
    grid = GridSearchCV(
        TreeboundClassifier(steps=5, folds=2), {"structure": ["naive", "tree"], "bins": [3, 5]}, cv=2
    )
    assert grid.fit(X, y, sample_weight=np.ones(len(y))).best_score_ > 0.85
