"""What candidates say about rows that they were not learned from, part of the rows by part."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from treebound.data import Dataset
from treebound.network import BayesianNetwork, Model, Smoothing
from treebound.sklearn._kinds import Kind, Learner, Source
from treebound.sklearn._labelled import Labelled
from treebound.sklearn._ordered_rows import OrderedRows

Pair: TypeAlias = tuple[Kind, Smoothing]
# A probability of zero for the true class must not outweigh all other rows.
_LEAST = 1e-13


@dataclass(frozen=True, eq=False)
class Trial:
    """What a candidate said about each row.

    Whether it was right, how probable it took the truth for, and the classes below the truth.
    """

    structure: Kind
    smoothing: Smoothing
    is_right: NDArray[np.float64]
    truths: NDArray[np.float64]
    below: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Fold:
    """Rows to learn from, with their missing cells filled in, and held-out rows, with their positions."""

    complete: OrderedRows
    held: OrderedRows
    test: NDArray[np.intp]
    source: Source


def folds_of(rows: Labelled, learner: Learner, folds: int) -> list[Fold]:
    """Hold every row out once."""
    found = []
    for train, test in _divisions(rows.target.codes, folds, learner.seed):
        known, held = rows.split(train, test)
        complete = learner.completed(known)
        found.append(Fold(complete, held, test, Source(complete.counted, learner.threads)))
    return found


def tried(folds: list[Fold], pairs: list[Pair], learner: Learner) -> list[Trial]:
    """Learn from each fold and predict its held-out rows, whose missing cells are summed out."""
    num_rows = sum(len(fold.test) for fold in folds)
    trials = {pair: Trial(*pair, *np.zeros((3, num_rows))) for pair in pairs}
    kinds = list(dict.fromkeys(kind for kind, _ in pairs))
    for fold in folds:
        structures = dict(learner.learned(kinds, fold.source))
        for (kind, smoothing), trial in trials.items():
            network = fold.complete.fitted(structures[kind], smoothing, learner.threads)
            results = _answers(network, fold.held, learner.threads)
            trial.is_right[fold.test], trial.truths[fold.test], trial.below[fold.test] = results
    return list(trials.values())


def folds_within(classes: NDArray[np.int32], folds: int) -> int:
    """The number of folds, at most that of the rows of the most frequent class."""
    return min(folds, int(np.bincount(classes).max()))


def _divisions(
    classes: NDArray[np.int32], folds: int, seed: int
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # classes with fewer rows than folds
        return list(StratifiedKFold(folds, shuffle=True, random_state=seed).split(classes, classes))


def _answers(
    network: BayesianNetwork, test: OrderedRows, threads: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]]:
    found = class_probabilities(network, test.rows, threads)
    classes = test.rows.codes[-1]
    true = found[np.arange(len(classes)), classes]
    below = np.where(np.arange(found.shape[1]) < classes[:, None], found, 0.0).sum(axis=1)
    return found.argmax(axis=1) == classes, np.maximum(true, _LEAST), below


def class_probabilities(model: Model, rows: Dataset, threads: int) -> NDArray[np.float64]:
    """The distribution of the last variable in each row; for impossible rows, that without any features."""
    target = rows.num_variables - 1
    found = model.posterior_rows(target, rows, impossible="nan", threads=threads)
    is_impossible = np.isnan(found[:, 0])
    if is_impossible.any():
        found[is_impossible] = model.posterior(model.schema.names[target]).array
    return found
