"""The classifier: networks made for a class are what they claim, and the choice among them is a good one."""

from __future__ import annotations

import cProfile
import itertools
import math
import pstats
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("sklearn")

from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import treebound as tb
from reference import graphs
from reference import scoring as reference
from strategies_scoring import small_datasets
from treebound.sklearn import TreeboundClassifier, TreeboundRegressor, _class_scores, _pair_scores
from treebound.sklearn._augmented import augmented, cost_of
from treebound.sklearn._class_scores import ClassScores
from treebound.sklearn._kinds import KINDS, kinds_within
from treebound.sklearn._pair_scores import pair_log_likelihoods

FEW = {"steps": 5, "folds": 2}
PENALTIES = ["likelihood", "aic", "bic"]


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


def slow_score(data, child, parents, cost):
    """The log-likelihood given the parents and the class, counted cell by cell, less the price."""
    cards, rows = data.schema.cardinalities, data.codes.T.tolist()
    family = (*parents, data.num_variables - 1)
    size = (cards[child] - 1) * math.prod(cards[p] for p in family)
    return reference.log_likelihood(child, family, rows, cards) - cost * size


def slow_best_forest(data, cost):
    """The best sum of scores over all forests of features, by trying every choice of single parents."""
    features = range(data.num_variables - 1)
    choices = [[(), *((p,) for p in features if p != child)] for child in features]
    return max(
        sum(slow_score(data, child, parents, cost) for child, parents in enumerate(graph))
        for graph in itertools.product(*choices)
        if graphs.is_acyclic([list(parents) for parents in graph])
    )


@settings(max_examples=25)
@given(
    data=small_datasets(max_variables=4, max_states=3, max_rows=30),
    penalty=st.sampled_from(PENALTIES),
)
def test_the_tree_augmented_network_is_the_best_forest(data, penalty):
    cost = cost_of(penalty, data.num_rows)
    scores = ClassScores(data, 1)
    found = augmented(scores, 1, penalty, tb.Budget(steps=1), 0, 1)
    target = data.num_variables - 1
    parents = [tuple(p for p in chosen if p != target) for chosen in found.parent_indices[:target]]
    total = sum(slow_score(data, child, chosen, cost) for child, chosen in enumerate(parents))
    assert total == pytest.approx(slow_best_forest(data, cost), abs=1e-6)
    for child, chosen in enumerate(parents):
        assert scores.score(child, chosen, cost) == pytest.approx(slow_score(data, child, chosen, cost))


@settings(max_examples=25)
@given(data=small_datasets(max_variables=5, max_rows=40))
def test_pairs_counted_together_score_as_pairs_counted_alone(data):
    features = range(data.num_variables - 1)
    found = pair_log_likelihoods(data)
    for child, parent in itertools.permutations(features, 2):
        assert found[child, parent] == pytest.approx(slow_score(data, child, (parent,), 0.0), abs=1e-9)


def test_counts_of_many_rows_are_added_up(monkeypatch):
    data = tb.random_network(6, seed=3).sample(100, 1)
    expected = pair_log_likelihoods(data)
    monkeypatch.setattr(_pair_scores, "_ROWS", 7)
    np.testing.assert_array_equal(pair_log_likelihoods(data), expected)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_caches_hold_the_scores_of_their_sets(monkeypatch, width):
    """With few states pairs are counted together, with many one by one."""
    data = tb.random_network(7, seed=4).sample(200, 1)
    together = ClassScores(data, 1).cache(width, 1.0)
    monkeypatch.setattr(_class_scores, "MOST_STATES", 1)
    alone = ClassScores(data, 1).cache(width, 1.0)
    for v in range(6):
        assert [one.parent_indices for one in together[v]] == [one.parent_indices for one in alone[v]]
        for one in together[v]:
            slow = slow_score(data, v, one.parent_indices, 1.0)
            assert one.score == pytest.approx(slow, abs=1e-9)


@settings(max_examples=25)
@given(
    data=small_datasets(max_variables=6, max_rows=40),
    width=st.integers(0, 4),
    penalty=st.sampled_from(PENALTIES),
)
def test_augmented_networks_hold_the_class_everywhere_and_the_bound(data, width, penalty):
    found = augmented(ClassScores(data, 1), width, penalty, tb.Budget(steps=3), 0, 1)
    target = data.num_variables - 1
    assert found.parent_indices[target] == ()
    assert all(target in chosen for chosen in found.parent_indices[:target])
    verdict = tb.check(found, max_treewidth=width + 1)
    assert verdict, str(verdict)


def test_more_room_never_scores_less():
    data = tb.random_network(8, seed=1).sample(300, 1)
    scores = ClassScores(data, 1)
    totals = []
    for width in range(4):
        found = augmented(scores, width, "aic", tb.Budget(steps=20), 0, 1)
        families = enumerate(found.parent_indices[:-1])
        totals.append(sum(scores.score(child, chosen[:-1], 1.0) for child, chosen in families))
    assert totals == sorted(totals)
    assert totals[0] < totals[1] < totals[2]


def test_of_many_features_only_likely_parents_are_tried(monkeypatch):
    monkeypatch.setattr(_class_scores, "ALL_PAIRS", 3)
    monkeypatch.setattr(_class_scores, "PARTNERS", 2)
    data = tb.random_network(9, seed=2).sample(400, 1)
    cache = ClassScores(data, 1).cache(1, 0.0)
    assert all(len(cache[v]) <= 3 for v in range(cache.num_variables))
    assert sum(len(cache[v]) for v in range(cache.num_variables)) > cache.num_variables


def test_naive_bayes_scores_no_pairs(monkeypatch):
    data = tb.random_network(9, seed=2).sample(100, 1)
    monkeypatch.setattr(_class_scores, "_partners", lambda *_: pytest.fail("partners were looked for"))
    found = augmented(ClassScores(data, 1), 0, "likelihood", tb.Budget(steps=3), 0, 1)
    assert found.parent_indices == ((8,),) * 8 + ((),)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_asked_for_and_is_checked(kind, iris):
    X, y = iris
    model = TreeboundClassifier(structure=kind, smoothing=tb.PseudoCount(1), **FEW).fit(X, y)
    assert [one.structure for one in model.candidates_] == [kind]
    assert model.verdict_.is_ok
    assert tb.check(model.network_, max_treewidth=3)
    assert model.score(X, y) > (0.3 if kind == "prior" else 0.85)


def test_a_density_classifies_by_the_posterior_of_the_class(iris):
    X, y = iris
    model = TreeboundClassifier(structure="density", steps=2).fit(X, y)
    assert model.score(X, y) > 0.9
    assert (model.candidates_, model.networks_) == ([], [model.network_])
    expected = model.network_.predict_proba(X.head(7), "target")
    np.testing.assert_allclose(model.predict_proba(X.head(7)), expected, atol=1e-12)
    joint = model.network_.posterior((X.columns[2], "target")).array
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    assert model.feature_importances_[2] == pytest.approx((joint * np.log(joint / independent)).sum())


def test_a_density_keeps_no_verdict_of_an_earlier_fit(iris):
    X, y = iris
    model = TreeboundClassifier(structure="tree", smoothing=tb.PseudoCount(1), **FEW).fit(X, y)
    assert model.verdict_.is_ok
    model.set_params(structure="density", steps=1).fit(X, y)
    assert not hasattr(model, "verdict_")


def test_a_density_takes_missing_values_and_weights(iris):
    X, y = iris
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    weights = np.where(y == 0, 0.25, 1.0)
    model = TreeboundClassifier(structure="density", steps=2).fit(holes, y, sample_weight=weights)
    assert model.network_.posterior("target").array[0] == pytest.approx(1 / 9, abs=0.05)
    assert model.score(holes, y) > 0.85


def test_a_density_rejects_constraints_and_is_no_regressor(iris):
    X, y = iris
    constraints = tb.Constraints(roots=["target"])
    with pytest.raises(ValueError, match="A density cannot obey constraints"):
        TreeboundClassifier(structure="density", constraints=constraints).fit(X, y)
    with pytest.raises(ValueError, match="structure must be one of average, best, naive"):
        TreeboundRegressor(structure="density").fit(X, y)


def test_without_features_the_prediction_is_the_frequency_of_the_classes():
    X, y = np.arange(20.0)[:, None], np.repeat([0, 1], [5, 15])
    model = TreeboundClassifier(structure="prior", smoothing=tb.MaximumLikelihood(), **FEW).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), [[0.25, 0.75]] * 20)
    np.testing.assert_allclose(model.feature_importances_, [0.0], atol=1e-12)


def test_naive_bayes_is_that_of_scikit_learn(iris):
    X, y = iris
    model = TreeboundClassifier(structure="naive", smoothing=tb.PseudoCount(1)).fit(X, y)
    codes = tb.load(X.assign(target=y), schema=model.network_.schema).codes[:-1].T
    other = CategoricalNB().fit(codes, y)
    # Which does not smooth the frequencies of the classes: here they are equal.
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(codes), atol=1e-12)


def test_kinds_that_cannot_differ_are_not_tried_twice():
    assert kinds_within(0, 5) == ["joint"]
    assert kinds_within(1, 5) == ["naive", "joint"]
    assert kinds_within(3, 1) == ["naive", "joint"]
    assert "augmented-likelihood" not in kinds_within(2, 5)
    assert [*kinds_within(3, 5), "prior"] == list(KINDS)


def test_the_choice_is_made_on_rows_held_out():
    """One of two features says nothing about a class of which both together say almost all."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 4))
    y = (X[:, 0] + X[:, 1] + (rng.random(400) < 0.05)) % 2
    model = TreeboundClassifier(structure="best", **FEW).fit(X[:300], y[:300])
    assert model.score(X[300:], y[300:]) > 0.9
    assert (len(model.networks_), model.candidates_[0].weight) == (1, 1.0)
    first, *others = model.candidates_
    assert first.structure != "naive"
    assert len(others) == 4 * (len(KINDS) - 1)  # priors of CPTs of all but the last kind
    best = max(one.accuracy for one in model.candidates_)
    assert best - first.accuracy < 0.03
    assert first.log_probability >= max(one.log_probability for one in others if one.accuracy == best)
    assert all(one.accuracy < 0.7 for one in others if one.structure == "naive")


def test_classes_with_fewer_rows_than_folds_are_no_obstacle(iris):
    X, y = iris
    rare = y.mask(y == 2, 1).mask(y.index == 0, 7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = TreeboundClassifier(**FEW).fit(X, rare)
        alone = TreeboundClassifier(**FEW).fit(X[:3], [0, 1, 2])
    assert model.classes_.tolist() == [0, 1, 7]
    assert np.isfinite([one.accuracy for one in model.candidates_]).all()
    assert [one.weight for one in alone.candidates_[:2]] == [1.0, 0.0]  # no row can be held out


def test_missing_cells_are_summed_out(iris):
    X, y = iris
    model = TreeboundClassifier(structure="tree", **FEW).fit(X, y.rename("kind"))
    row = X.head(1)
    gap = row.assign(**{X.columns[2]: np.nan})
    known = {name: float(row[name].iloc[0]) for name in X.columns if name != X.columns[2]}
    expected = model.network_.posterior("kind", known).array
    np.testing.assert_allclose(model.predict_proba(gap)[0], expected)


def test_missing_cells_in_training_are_learned_from(iris):
    X, y = iris
    holes = X.mask(np.random.default_rng(1).random(X.shape) < 0.2)
    assert TreeboundClassifier(**FEW).fit(holes, y).score(X, y) > 0.85


@pytest.mark.parametrize(
    ("labels", "kind", "states"),
    [
        (["no", "yes"], "text", ("no", "yes")),
        ([False, True], "boolean", ("False", "True")),
        ([3, 10], "integer", ("3", "10")),
        ([1.0, 2.0], "float", ("1", "2")),
    ],
)
@pytest.mark.parametrize("series", [pd.Series, pl.Series])
def test_the_target_keeps_its_name_and_labels(iris, labels, kind, states, series):
    X, y = iris
    values = [labels[int(label > 0)] for label in y]
    target = series(values, name="species") if series is pd.Series else series("species", values)
    model = TreeboundClassifier(structure="naive", **FEW).fit(X, target)
    variable = model.network_.schema[-1]
    assert (variable.name, variable.kind, variable.states) == ("species", kind, states)
    assert model.classes_.tolist() == labels
    assert set(model.predict(X).tolist()) == set(labels)
    assert model.network_.posterior("species")[labels[1]] == pytest.approx(2 / 3, abs=0.01)


def test_a_target_without_a_name_of_its_own_gets_one(iris):
    X, y = iris
    few = {"structure": "naive", "smoothing": tb.PseudoCount(1)}
    assert TreeboundClassifier(**few).fit(X, y.to_numpy()).network_.schema.names[-1] == "target"
    assert TreeboundClassifier(**few).fit(X, y.rename(None)).network_.schema.names[-1] == "target"
    named = X.rename(columns={X.columns[0]: "target"})
    assert TreeboundClassifier(**few).fit(named, y).network_.schema.names[-1] == "target_"
    with pytest.warns(UserWarning, match="column-vector"):
        model = TreeboundClassifier(**few).fit(X, y.to_frame("kind"))
    assert model.network_.schema.names[-1] == "kind"


def test_bins_can_be_made_for_the_target(iris):
    X, y = iris
    model = TreeboundClassifier(discretise="supervised", structure="naive", **FEW).fit(X, y)
    told = {note.name: note.words for note in model.network_.schema.preparation.columns}
    assert told["petal width (cm)"].endswith("supervised:target")
    assert model.score(X, y) > 0.93


def test_columns_and_rules_of_their_own(iris):
    X, y = iris
    model = TreeboundClassifier(
        columns=["petal width (cm)", "sepal width (cm)"],
        discretise={"petal width (cm)": "quantile:3", None: "width"},
        bins=4,
        **FEW,
    ).fit(X, y)
    assert model.network_.schema.names == ("petal width (cm)", "sepal width (cm)", "target")
    assert model.network_.schema.cardinalities == (3, 4, 3)
    same = TreeboundClassifier(columns=[3, 1], discretise=None, **FEW)
    codes = X.rank(method="dense").astype(int) // 10
    np.testing.assert_array_equal(
        same.fit(codes.to_numpy(), y).predict(codes.to_numpy()), same.fit(codes, y).predict(codes)
    )


def test_mixed_columns_in_a_column_transformer(iris):
    X, y = iris
    model = make_pipeline(
        make_column_transformer((StandardScaler(), [X.columns[0]]), remainder="passthrough"),
        TreeboundClassifier(**FEW),
    )
    assert model.fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"structure": "tan"}, r"structure must be one of average, best, density, naive, .* got 'tan'"),
        ({"structure": "tree", "max_treewidth": 1}, "structure='tree' needs max_treewidth=2 at least, got 1"),
        ({"folds": 1}, "folds must be at least 2, got 1"),
        ({"columns": "petal"}, r"columns must be a collection, such as \['petal'\]"),
        ({"columns": ["petal width"]}, r"no column 'petal width'; did you mean 'petal width \(cm\)'\?"),
        ({"columns": [4]}, "must be at most 3, got 4"),
        ({"columns": [1, 1]}, r"each once, got \[1, 1\]"),
        ({"max_states": 1}, "max_states must be at least 2, got 1"),
    ],
)
def test_wrong_options_are_refused(iris, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        TreeboundClassifier(**options).fit(*iris)


def test_too_many_states_name_the_option():
    X = pd.DataFrame({"key": [f"k{i // 2}" for i in range(40)]})
    y = [0, 1] * 20
    assert TreeboundClassifier(**FEW).fit(X, y).network_.schema.cardinalities == (20, 2)
    with pytest.raises(ValueError, match="max_states"):
        TreeboundClassifier(max_states=10).fit(X, y)


def test_frames_of_other_columns_are_refused(iris):
    X, y = iris
    model = TreeboundClassifier(structure="naive", **FEW).fit(X, y)
    expected = model.predict(X)
    assert model.predict(X.copy()).tolist() == expected.tolist()
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(X.rename(columns={X.columns[0]: "other"}))
    with pytest.raises(ValueError, match="in the same order"):
        model.predict(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(X.drop(columns=X.columns[0]))


def test_what_a_wide_row_needs_is_made_once():
    frame = tb.random_network(20, max_treewidth=1, seed=1).sample(60, seed=1).to_frame()
    classes = frame.pop("X7")
    model = TreeboundClassifier(structure="naive", smoothing=tb.PseudoCount(1), steps=2, n_jobs=1)
    model.fit(frame, classes)
    one = frame.iloc[[3]]
    model.predict(one)
    profile = cProfile.Profile()
    profile.runcall(model.predict, one)
    called = {name for _, _, name in pstats.Stats(profile).stats}
    assert "encode_cells" in called
    assert "finder_of" not in called  # it would be made anew for each column
