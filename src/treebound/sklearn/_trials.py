"""What candidates say about rows that they were not learned from, part of the rows by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound.network import BayesianNetwork, Smoothing
from treebound.sklearn._kinds import Kind, Learner
from treebound.sklearn._training import Training

Pair: TypeAlias = tuple[Kind, Smoothing]
# A probability of zero for the true class must not outweigh all other rows.
_LEAST = 1e-13


@dataclass(frozen=True, eq=False)
class Trial:
    """What a candidate said about each row: whether it was right, and how probable it took the truth for."""

    structure: Kind
    smoothing: Smoothing
    is_right: NDArray[np.float64]
    truths: NDArray[np.float64]


def tried(rows: Training, complete: Training, pairs: list[Pair], learner: Learner, folds: int) -> list[Trial]:
    """Hold every row out once; ``complete`` is to learn from, ``rows`` are asked about, with their gaps."""
    trials = {pair: Trial(*pair, *np.zeros((2, rows.rows.shape[1]))) for pair in pairs}
    kinds = list(dict.fromkeys(kind for kind, _ in pairs))
    parts = _folds(rows.rows[-1], folds, learner.seed)
    for fold in range(folds):
        is_held = parts == fold
        train, test = complete.part(~is_held), rows.part(is_held)
        structures = dict(learner.learned(kinds, train.counted))
        for (kind, smoothing), trial in trials.items():
            network = train.fitted(structures[kind], smoothing, learner.threads)
            trial.is_right[is_held], trial.truths[is_held] = _answers(network, test, learner.threads)
    return list(trials.values())


def _folds(classes: NDArray[np.int32], folds: int, seed: int) -> NDArray[np.intp]:
    """The part of each row: rows of a class are dealt out one by one, in a random order."""
    order = np.random.default_rng(seed).permutation(len(classes))
    order = order[np.argsort(classes[order], kind="stable")]
    parts = np.empty(len(classes), dtype=np.intp)
    parts[order] = np.arange(len(classes)) % folds
    return parts


def _answers(
    network: BayesianNetwork, test: Training, threads: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    found = class_probabilities(network, test.rows, threads)
    classes = test.rows[-1]
    true = found[np.arange(len(classes)), classes]
    return found.argmax(axis=1) == classes, np.maximum(true, _LEAST)


def class_probabilities(
    network: BayesianNetwork, rows: NDArray[np.int32], threads: int
) -> NDArray[np.float64]:
    """The distribution of the last variable in each row; for impossible rows, that without any features."""
    target, tree = len(rows) - 1, network.junction_tree
    found = tree.posterior_rows(target, rows, impossible="nan", threads=threads)
    is_impossible = np.isnan(found[:, 0])
    if is_impossible.any():
        found[is_impossible] = tree.posterior(network.schema.names[target]).array
    return found
