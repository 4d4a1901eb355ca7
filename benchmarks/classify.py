"""How well the classifier classifies, beside naive Bayes, the tree-augmented network and random forests.

Numbers are cut into five bins of equal counts on the rows to learn from, and all contenders get the same
codes; ``forest_raw`` gets the numbers as they are. Naive Bayes is scikit-learn's with its default of one
pseudo-count per cell, and so many has the tree-augmented network of Friedman, Geiger and Goldszmidt (1997).
Accuracies are those of five-fold cross-validation, done twice where rows are few. ``errors_behind`` is how
far the classifier is behind the better of the two, in standard errors of the difference row by row; below
zero, it is ahead. Budgets are steps, so that the figures do not depend on the machine.

Apart from benchmarks.paper: the paper classifies nothing.
"""

from __future__ import annotations

import os
import pathlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn import datasets
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB

import treebound as tb
from _common import Expect, Row, Skip
from treebound.sklearn import TreeboundClassifier

QUESTION = "Does the classifier beat naive Bayes and the tree-augmented network, and how far are forests?"
EXPECTED = [Expect("errors_behind", at_most=1.0)]
FILES = {
    "nursery": "class",
    "mushroom": "class",
    "breast_raw": "class",
    "zoo": "type",
    "audio_class": "classification",
    "adult": "income",
    "letter_raw": "class",
}
FOLDS = 5
FEW_ROWS, REPEATS = 1000, 2
MOST_ROWS = 3000
BINS = "quantile:5"
Table = tuple[pd.DataFrame, np.ndarray]


def measure() -> Iterator[Row | Skip]:
    """One row for each table."""
    for name, make in (SHIPPED | GENERATED).items():
        yield compared(name, *make())
    for name, target in FILES.items():
        path = pathlib.Path(os.environ.get("TREEBOUND_DATA", ""), f"{name}.csv.gz")
        if not path.exists():
            yield Skip(f"{name}: TREEBOUND_DATA does not name a folder with {path.name}.")
            continue
        table = pd.read_csv(path, dtype=str)
        if len(table) > MOST_ROWS:
            table = table.sample(MOST_ROWS, random_state=1)
        yield compared(name, table.drop(columns=target), table[target].to_numpy())


def shipped(load: Callable[..., Any]) -> Callable[[], Table]:
    """A table of numbers that comes with scikit-learn."""
    return lambda: numbers(*load(return_X_y=True))


def numbers(X: np.ndarray, y: np.ndarray) -> Table:
    """An array as a frame."""
    return pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])]), y


def clusters(**options: Any) -> Callable[[], Table]:
    """Classes that are clusters of points."""
    return lambda: numbers(*datasets.make_classification(**options))


def sampled(num_variables: int, num_rows: int, seed: int) -> Table:
    """Rows of a random network, and as the class the variable with the most neighbours."""
    network = tb.random_network(num_variables, seed=seed)
    sizes = [len(around) for around in network.structure.moral_graph]
    target = network.schema.names[int(np.argmax(sizes))]
    frame = network.sample(num_rows, seed).to_frame().astype(str)
    return frame.drop(columns=target), frame[target].to_numpy()


SHIPPED = {
    "digits": shipped(datasets.load_digits),
    "wine": shipped(datasets.load_wine),
    "breast_cancer": shipped(datasets.load_breast_cancer),
    "iris": shipped(datasets.load_iris),
}
GENERATED = {
    "clusters-4": clusters(
        n_samples=1000, n_features=20, n_informative=6, n_redundant=6, n_classes=4,
        n_clusters_per_class=1, random_state=1,
    ),
    "clusters-2x3": clusters(
        n_samples=2000, n_features=12, n_informative=8, n_redundant=2, n_classes=2,
        n_clusters_per_class=3, random_state=2,
    ),
    "network-30": lambda: sampled(30, 2000, seed=3),
    "network-50": lambda: sampled(50, 2000, seed=5),
}  # fmt: skip


def compared(name: str, X: pd.DataFrame, y: np.ndarray) -> Row:
    """The accuracies of all contenders on a table."""
    classes, labels = np.unique(y, return_inverse=True)
    repeats = REPEATS if len(X) < FEW_ROWS else 1
    parts = [part for seed in range(repeats) for part in parts_of(X, labels, seed)]
    found = Parallel(n_jobs=-1)(
        delayed(predictions)(X.iloc[train], labels[train], X.iloc[test]) for train, test in parts
    )
    is_right: dict[str, np.ndarray] = {}
    for (_, test), (predicted, _) in zip(parts, found, strict=True):
        for contender, classes_told in predicted.items():
            is_right.setdefault(contender, np.zeros(len(X)))[test] += (classes_told == labels[test]) / repeats
    first = [kind for _, kind in found]
    rival = max(("naive", "tan"), key=lambda contender: is_right[contender].mean())
    behind = is_right[rival] - is_right["treebound"]
    error = behind.std(ddof=1) / np.sqrt(len(X))
    return {
        "table": name,
        "rows": len(X),
        "features": X.shape[1],
        "classes": len(classes),
        **{contender: float(right.mean()) for contender, right in is_right.items()},
        "errors_behind": float(behind.mean() / error) if error else 0.0,
        "weighs_most": max(set(first), key=first.count),
    }


def parts_of(X: pd.DataFrame, labels: np.ndarray, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows to learn from and rows held out, fold by fold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # classes with fewer rows than folds
        return list(StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, labels))


def predictions(
    train: pd.DataFrame, labels: np.ndarray, test: pd.DataFrame
) -> tuple[dict[str, np.ndarray], str]:
    """What each contender says about the rows held out, and the kind of network that weighs most."""
    schema = tb.load(train, missing="keep", discretise=BINS, only=list(train.columns)).schema
    known, asked = (
        tb.load(table, schema=schema, missing="keep", on_absent="ignore", unseen="missing").codes.T
        for table in (train, test)
    )
    usual = np.array([np.bincount(column).argmax() for column in known.T])
    complete = np.where(asked < 0, usual, asked)  # values that training never saw
    gaps = np.where(asked < 0, np.nan, asked)
    states = np.array(schema.cardinalities)
    tan = TreeboundClassifier(structure="tree", smoothing=tb.PseudoCount(1.0), discretise=None)
    average = TreeboundClassifier(discretise=None).fit(known.astype(float), labels)
    forest = RandomForestClassifier(n_estimators=200, random_state=0)
    told = {
        "naive": CategoricalNB(min_categories=states).fit(known, labels).predict(complete),
        "tan": tan.fit(known.astype(float), labels).predict(gaps),
        "treebound": average.predict(gaps),
        "forest": forest.fit(known, labels).predict(complete),
    }
    if all(map(pd.api.types.is_numeric_dtype, train.dtypes)):
        told["forest_raw"] = forest.fit(train.to_numpy(), labels).predict(test.to_numpy())
    return told, average.candidates_[0].structure
