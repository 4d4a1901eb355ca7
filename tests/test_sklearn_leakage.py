"""Held-out rows stay unknown: what looks at the class sees only the rows to learn from."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sklearn")

from treebound.sklearn import TreeboundClassifier
from treebound.sklearn._columns import Cutting
from treebound.sklearn._labelled import Labelled
from treebound.sklearn._target import target_of
from treebound.sklearn._weights import Copies
from treebound.tables import open_table

COLUMNS = [f"x{i}" for i in range(15)]
SEEDS = range(3)


def noise(seed, num_rows=300):
    """Numbers, and the toss of a coin as the class."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(rng.normal(size=(num_rows, 15)), columns=COLUMNS), rng.integers(0, 2, num_rows)


CASES = [
    ("supervised", 0.0, "average"),
    ("supervised", 0.2, "best"),
    ({"x3": "width", None: "supervised"}, 0.0, "naive"),
    ("supervised:target", 0.0, "tree"),
    ("quantile", 0.2, "naive"),
]


@pytest.mark.parametrize(("rules", "share_missing", "structure"), CASES, ids=str)
def test_noise_scores_like_noise(rules, share_missing, structure):
    reported = []
    for seed in SEEDS:
        X, y = noise(seed)
        X = X.mask(np.random.default_rng(seed).random(X.shape) < share_missing)
        model = TreeboundClassifier(discretise=rules, structure=structure, steps=2)
        reported += [candidate.accuracy for candidate in model.fit(X, y).candidates_]
    assert abs(np.mean(reported) - 0.5) < 0.05  # 0.66 where bins see the held-out rows


def test_what_is_reported_for_noise_is_what_fresh_rows_get():
    reported, fresh = [], []
    for seed in SEEDS:
        X, y = noise(seed)
        model = TreeboundClassifier(discretise="supervised", structure="naive").fit(X, y)
        reported.append(model.candidates_[0].log_probability)
        X, y = noise(100 + seed, 1000)
        fresh.append(np.log(model.predict_proba(X)[np.arange(1000), y]).mean())
    assert abs(np.mean(reported) - np.mean(fresh)) < 0.06


def test_noise_is_predicted_like_a_coin():
    fresh = []
    for seed in SEEDS:
        model = TreeboundClassifier(discretise="supervised", steps=2).fit(*noise(seed))
        X, y = noise(100 + seed, 1000)
        fresh.append(np.log(model.predict_proba(X)[np.arange(1000), y]).mean())
    assert np.mean(fresh) > np.log(0.5) - 0.015  # 0.09 below it where all candidates look at the features


def labelled(X, y, rules):
    """Rows in the order in which they come, which is that of their first column."""
    cutting = Cutting(rules, 5, 256)
    copies = Copies(np.arange(len(y)))
    return Labelled.of(open_table(X), target_of("target", y), cutting, copies)


@pytest.mark.parametrize(
    "rules", ["supervised", {"x0": "supervised", "x1": "mdl", None: "supervised:target"}]
)
def test_bins_of_a_fold_are_those_of_its_rows_alone(rules):
    X, y = noise(1)
    X = X.mask(np.random.default_rng(1).random(X.shape) < 0.1)
    y[(X["x2"] > 0) & (X["x0"] > 0)] = 1
    whole = labelled(X, y, rules)
    is_held = np.arange(len(y)) % 5 == 0
    known, held = whole.split(np.flatnonzero(~is_held), np.flatnonzero(is_held))
    made = [name for name in COLUMNS if rules == "supervised" or name != "x1"]
    values = whole.table.take(np.flatnonzero(~is_held))
    alone = pd.DataFrame({name: cells(values, i) for i, name in enumerate(values.names)})
    expected = labelled(alone, whole.target.codes[~is_held], "supervised").training.rows.schema
    assert values.names == tuple(made)
    assert [known.rows.schema[name] for name in made] == [expected[name] for name in made]
    assert known.rows.schema == held.rows.schema
    whole_schema = whole.training.rows.schema
    assert any(known.rows.schema[name] != whole_schema[name] for name in made)
    assert "x1" in made or known.rows.schema["x1"] == whole_schema["x1"]


def cells(table, index):
    column = table.read(index)
    return [column.values[code] for code in column.codes]


def test_classes_of_held_out_rows_change_nothing_that_is_learned():
    X, y = noise(2)
    train, test = np.arange(60, 300), np.arange(60)
    first = labelled(X, y, "supervised")
    turned = np.where(X.index.isin(order_of(first, X)[test]), 1 - y, y)
    second = labelled(X, turned, "supervised")
    assert first.training.rows.schema != second.training.rows.schema
    known, _ = first.split(train, test)
    same, _ = second.split(train, test)
    assert known.rows.schema == same.rows.schema
    assert known.rows == same.rows


def order_of(rows, X):
    """The positions in X of the rows in their order."""
    places = {value: place for place, value in enumerate(X["x0"])}
    return np.array([places[value] for value in cells(rows.table, 0)])


def test_a_column_without_a_value_in_a_fold_is_learned_from_the_others():
    X, y = noise(3, 40)
    X.loc[X.index[2:], "x0"] = np.nan
    model = TreeboundClassifier(
        discretise={"x0": "supervised"} | dict.fromkeys(COLUMNS[1:], 3), folds=2, steps=5
    )
    assert np.isfinite([one.log_probability for one in model.fit(X, y).candidates_]).all()
