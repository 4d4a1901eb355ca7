"""Imputers of categorical tables: each returns completed codes and, where it has them, probabilities."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import treebound as tb

#: Completed codes, shape (variables, rows); probabilities of the states in each missing cell by its place.
Filled = tuple[np.ndarray, dict[tuple[int, int], np.ndarray] | None]
STEPS = 300
NEIGHBOURS, TREES, ROUNDS = 10, 20, 3


def treebound(data: tb.Dataset) -> Filled:
    """Structural EM; the most probable state of each cell given the observed ones."""
    network = tb.learn(
        data, 4, budget=tb.Budget(steps=STEPS), missing="em", where=tb.Local(threads=1)
    ).network
    codes, chances = data.codes.astype(np.int32), {}
    for v in range(data.num_variables):
        rows = np.flatnonzero(data.codes[v] < 0)
        if len(rows):
            posterior = network.posterior_rows(v, data.take(rows), threads=1)
            codes[v, rows] = posterior.argmax(axis=1)
            chances |= {(v, int(row)): own for row, own in zip(rows, posterior, strict=True)}
    return codes, chances


def mode(data: tb.Dataset) -> Filled:
    """The most frequent state of each column."""
    codes, chances = data.codes.astype(np.int32), {}
    for v, card in enumerate(data.schema.cardinalities):
        counts = np.bincount(codes[v][codes[v] >= 0], minlength=card) + 0.5
        rows = np.flatnonzero(codes[v] < 0)
        codes[v, rows] = counts.argmax()
        chances |= {(v, int(row)): counts / counts.sum() for row in rows}
    return codes, chances


def neighbours(data: tb.Dataset) -> Filled:
    """The frequencies among the nearest rows, of states as indicators (KNNImputer of scikit-learn)."""
    from sklearn.impute import KNNImputer

    blocks = [
        np.where(own[:, None] < 0, np.nan, own[:, None] == np.arange(card))
        for own, card in zip(data.codes, data.schema.cardinalities, strict=True)
    ]
    found = KNNImputer(n_neighbors=NEIGHBOURS, keep_empty_features=True).fit_transform(np.hstack(blocks))
    codes, chances = data.codes.astype(np.int32), {}
    parts = np.split(found, np.cumsum(data.schema.cardinalities)[:-1], axis=1)
    for v, part in enumerate(parts):
        rows = np.flatnonzero(data.codes[v] < 0)
        codes[v, rows] = part[rows].argmax(axis=1)
        for row in rows:
            smooth = part[row] + 0.5 / NEIGHBOURS
            chances[v, int(row)] = smooth / smooth.sum()
    return codes, chances


def forests(data: tb.Dataset) -> Filled:
    """IterativeImputer of scikit-learn with random forests that classify."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    forest = RandomForestClassifier(n_estimators=TREES, n_jobs=1, random_state=0)
    imputer = IterativeImputer(forest, initial_strategy="most_frequent", max_iter=ROUNDS, random_state=0)
    found = imputer.fit_transform(_with_nan(data).T)
    return found.T.round().astype(np.int32), None


def missforest(data: tb.Dataset) -> Filled:
    """The package missforest of PyPI, with its own options."""
    import pandas as pd
    from missforest import MissForest

    frame = pd.DataFrame(_with_nan(data).T, columns=data.schema.names)
    # It returns the columns in an order of its own.
    found = MissForest(categorical=list(frame.columns)).fit_transform(frame)[list(frame.columns)]
    return found.to_numpy().T.astype(np.float64).round().astype(np.int32), None


def mice(data: tb.Dataset) -> Filled:
    """Chained equations with the package miceforest of PyPI: the first of its tables."""
    import miceforest
    import pandas as pd

    frame = pd.DataFrame(_with_nan(data).T, columns=data.schema.names).astype("category")
    kernel = miceforest.ImputationKernel(frame, num_datasets=1, random_state=0)
    kernel.mice(5, num_threads=1)
    return kernel.complete_data(0).to_numpy().T.astype(np.float64).round().astype(np.int32), None


IMPUTERS: dict[str, Callable[[tb.Dataset], Filled]] = {
    "treebound": treebound,
    "mode": mode,
    "k-nearest neighbours": neighbours,
    "IterativeImputer, random forests": forests,
    "missforest": missforest,
    "miceforest": mice,
}


def _with_nan(data: tb.Dataset) -> np.ndarray:
    return np.where(data.codes < 0, np.nan, data.codes)
