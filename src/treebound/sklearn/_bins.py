"""Which rule cuts numbers into bins: the one with which held-out rows are classified best.

The rules are compared by networks that are quickly learned, naive Bayes, the tree-augmented network and the
frequencies of the classes, where they are among the candidates: their average is to give the true classes the
highest probability.
"""

from __future__ import annotations

import numpy as np

from treebound.sklearn._average import average_weights
from treebound.sklearn._kinds import Kind, Learner
from treebound.sklearn._labelled import Labelled
from treebound.sklearn._trials import Pair, Trial, folds_of, tried

#: What ``discretise="auto"`` compares.
AUTO_RULES = ("quantile", "supervised")
_QUICK: tuple[Kind, ...] = ("naive", "tree", "prior")


def tried_with_best_bins(
    options: list[Labelled], pairs: list[Pair], learner: Learner, num_folds: int
) -> tuple[Labelled, list[Trial]]:
    """The same rows with the best bins, and the trials of all pairs with these."""
    folds = [folds_of(rows, learner, num_folds) for rows in options]
    if len(options) == 1:
        return options[0], tried(folds[0], pairs, learner)
    quick = [pair for pair in pairs if pair[0] in _QUICK] or pairs
    trials = [tried(each, quick, learner) for each in folds]
    best = int(np.argmax([_log_probability(*each) for each in zip(options, trials, strict=True)]))
    others = [pair for pair in pairs if pair not in quick]
    return options[best], trials[best] + tried(folds[best], others, learner)


def _log_probability(rows: Labelled, trials: list[Trial]) -> float:
    """The mean log-probability that the average of candidates gives the true classes."""
    truths = np.array([trial.truths for trial in trials])
    shares = average_weights(truths, rows.weights)
    return float(np.average(np.log(shares @ truths), weights=rows.weights))
