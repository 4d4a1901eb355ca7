"""Which networks to classify with, by their accuracy on held-out rows.

A network that fits the rows best need not separate classes best: with a bounded treewidth it spends its
arcs on features that depend on each other, and few are left for the class (Friedman, Geiger and Goldszmidt
1997, section 3). So networks of several kinds, each with several priors of its tables, are tried, and either
averaged or the best is taken.

The best: of those whose accuracy is behind the highest by no more than half a standard error of
the difference, row by row, the one that gives the true classes the highest probabilities. Accuracy alone is
a coarse measure, and the probabilities alone punish naive Bayes for being too sure where its predictions are
best. A whole standard error, with which trees are pruned, was tried too, and lost more accuracy on the tables
of ``benchmarks/classify.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.network import BackoffPrior, PseudoCount, Smoothing
from treebound.sklearn._average import average_weights
from treebound.sklearn._bins import tried_with_best_bins
from treebound.sklearn._kinds import Kind, Learner
from treebound.sklearn._labelled import Labelled
from treebound.sklearn._trials import Pair, Trial, folds_within

SMOOTHINGS: tuple[Smoothing, ...] = (
    PseudoCount(1.0),
    PseudoCount(0.1),
    BackoffPrior(5.0),
    BackoffPrior(1.0),
)
_ROUNDING = 1e-12
_NEAR = 0.5  # standard errors


@dataclass(frozen=True)
class Candidate:
    """A network that was tried: accuracy, mean log-probability of the true class in nats.

    ``weight`` is what its probabilities count in those of the classifier.
    """

    structure: Kind
    smoothing: Smoothing
    accuracy: float
    log_probability: float
    weight: float


@dataclass(frozen=True, eq=False)
class Choice:
    """The rows with the best bins, and all candidates, by their weight, then by their accuracy.

    ``truths`` and ``below`` are the probabilities that their average gives the true class of each row, held
    out, and the classes below it; None if no rows were held out.
    """

    rows: Labelled
    candidates: list[Candidate]
    truths: NDArray[np.float64] | None = None
    below: NDArray[np.float64] | None = None


def choose(
    options: list[Labelled],
    pairs: list[Pair],
    learner: Learner,
    folds: int,
    *,
    averages: bool,
    holds_out: bool,
) -> Choice:
    """Choose bins and candidates.

    ``options`` are the same rows with different bins. With too few rows to hold any out, nothing is known
    about bins and candidates, and the first are taken. The same where there is nothing to choose, unless
    ``holds_out`` asks for the predictions of held-out rows.
    """
    folds = folds_within(options[0].target.codes, folds)
    if folds < 2 or (len(options) == len(pairs) == 1 and not holds_out):
        unknown = [Candidate(*pair, math.nan, math.nan, float(i == 0)) for i, pair in enumerate(pairs)]
        return Choice(options[0], unknown)
    rows, trials = tried_with_best_bins(options, pairs, learner, folds)
    return _weighed(rows, trials, averages=averages)


def _weighed(rows: Labelled, trials: list[Trial], *, averages: bool) -> Choice:
    weights = rows.weights
    truths = np.array([trial.truths for trial in trials])
    accuracies = np.average([trial.is_right for trial in trials], axis=1, weights=weights)
    log_probabilities = np.average(np.log(truths), axis=1, weights=weights)
    if averages:
        shares = average_weights(truths, weights)
    else:
        shares = _all_for_the_best(trials, accuracies, log_probabilities, weights)
    measures = zip(trials, accuracies.tolist(), log_probabilities.tolist(), shares.tolist(), strict=True)
    candidates = sorted(
        (Candidate(trial.structure, trial.smoothing, *measured) for trial, *measured in measures),
        key=lambda one: (one.weight, one.accuracy, one.log_probability),
        reverse=True,
    )
    return Choice(rows, candidates, shares @ truths, shares @ np.array([trial.below for trial in trials]))


def _all_for_the_best(
    trials: list[Trial],
    accuracies: NDArray[np.float64],
    log_probabilities: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    highest = trials[np.lexsort((log_probabilities, accuracies))[-1]]
    is_near = np.array([_is_near(trial, highest, weights) for trial in trials])
    shares = np.zeros(len(trials))
    shares[np.where(is_near, log_probabilities, -np.inf).argmax()] = 1.0
    return shares


def _is_near(trial: Trial, best: Trial, weights: NDArray[np.float64]) -> bool:
    """Whether a trial is behind the best by so little that the difference may well be chance."""
    behind = best.is_right - trial.is_right
    mean = np.average(behind, weights=weights)
    variance = np.average((behind - mean) ** 2, weights=weights)
    return bool(mean <= _NEAR * math.sqrt(variance / weights.sum()) + _ROUNDING)
