"""Which network to classify with: the one that classifies best rows that it was not learned from.

A network that fits the rows best need not tell classes apart best: with a bounded treewidth it spends its
arcs on features that depend on each other, and few are left for the class (Friedman, Geiger and Goldszmidt
1997, section 3). So networks of several kinds, each with several priors of its tables, are learned without a
part of the rows and asked for the class of these, part by part. Of those whose share of right answers is
behind the best by no more than half a standard error of the difference, row by row, the one is taken that
gives the true classes the highest probabilities. That share alone is a coarse measure, and the probabilities
alone punish naive Bayes for being too sure where its answers are the best. A whole standard error, with which
trees are pruned, was tried too, and lost more answers on the tables of ``benchmarks/classify.py``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.network import BackoffPrior, BayesianNetwork, PseudoCount, Smoothing
from treebound.sklearn._kinds import Kind, Learner
from treebound.sklearn._training import Training

SMOOTHINGS: tuple[Smoothing, ...] = (
    PseudoCount(1.0),
    PseudoCount(0.1),
    BackoffPrior(5.0),
    BackoffPrior(1.0),
)
# A probability of zero for the true class must not outweigh all other rows.
_LEAST = 1e-13
_ROUNDING = 1e-12
_NEAR = 0.5  # standard errors


@dataclass(frozen=True)
class Candidate:
    """A network that was tried: share of right answers, mean log-probability of the true class in nats."""

    structure: Kind
    smoothing: Smoothing
    accuracy: float
    log_probability: float


@dataclass(frozen=True, eq=False)
class _Trial:
    """What a candidate said about each row: whether it was right, and how probable it took the truth for."""

    structure: Kind
    smoothing: Smoothing
    is_right: NDArray[np.float64]
    logs: NDArray[np.float64]


def choose(
    rows: Training,
    complete: Training,
    kinds: list[Kind],
    smoothings: tuple[Smoothing, ...],
    learner: Learner,
    folds: int,
) -> list[Candidate]:
    """All candidates, the chosen one first, then by their share of right answers.

    ``complete`` is to learn from; ``rows`` are asked about, with their gaps. With too few rows to hold any
    out, nothing is known about the candidates, and they come as they are given.
    """
    folds = min(folds, rows.rows.shape[1] // 2)
    pairs = [(kind, smoothing) for kind in kinds for smoothing in smoothings]
    if folds < 2 or len(pairs) == 1:
        return [Candidate(*pair, math.nan, math.nan) for pair in pairs]
    trials = {pair: _Trial(*pair, *np.zeros((2, rows.rows.shape[1]))) for pair in pairs}
    parts = _folds(rows.rows[-1], folds, learner.seed)
    for fold in range(folds):
        is_held = parts == fold
        train, test = complete.part(~is_held), rows.part(is_held)
        for kind, structure in learner.learned(kinds, train.counted):
            for smoothing in smoothings:
                network = train.fitted(structure, smoothing, learner.threads)
                trial = trials[kind, smoothing]
                trial.is_right[is_held], trial.logs[is_held] = _answers(network, test, learner.threads)
    weights = np.ones(rows.rows.shape[1]) if rows.weights is None else rows.weights
    return list(_ranked(list(trials.values()), weights))


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
    return found.argmax(axis=1) == classes, np.log(np.maximum(true, _LEAST))


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


def _ranked(trials: list[_Trial], weights: NDArray[np.float64]) -> Iterator[Candidate]:
    def candidate(trial: _Trial) -> Candidate:
        accuracy, log_probability = (np.average(a, weights=weights) for a in (trial.is_right, trial.logs))
        return Candidate(trial.structure, trial.smoothing, float(accuracy), float(log_probability))

    told = {id(trial): candidate(trial) for trial in trials}
    ranked = sorted(trials, key=lambda t: (told[id(t)].accuracy, told[id(t)].log_probability), reverse=True)
    near = [trial for trial in ranked if _is_near(trial, ranked[0], weights)]
    chosen = max(near, key=lambda t: told[id(t)].log_probability)
    yield told[id(chosen)]
    yield from (told[id(trial)] for trial in ranked if trial is not chosen)


def _is_near(trial: _Trial, best: _Trial, weights: NDArray[np.float64]) -> bool:
    """Whether a trial is behind the best by so little that the difference may well be chance."""
    behind = best.is_right - trial.is_right
    mean = np.average(behind, weights=weights)
    variance = np.average((behind - mean) ** 2, weights=weights)
    return bool(mean <= _NEAR * math.sqrt(variance / weights.sum()) + _ROUNDING)
