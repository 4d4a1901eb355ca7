"""Weights of candidates in an average: those that make the true classes of rows held out most likely.

Candidates are often closer to each other than the held-out rows can show, and then the choice of one
is chance; and where they err on different rows, their average is better than each. This is stacking (Wolpert
1992, Neural Networks 5) of distributions (Smyth and Wolpert 1999, Machine Learning 36): the average is a
mixture whose components are given, and the weights are found by expectation-maximisation. The likelihood is a
concave function of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 200
# What has less changes hardly any prediction, and every network takes time to query.
_LEAST = 0.01


def average_weights(truths: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of each candidate; ``truths`` has a row for each, with its probabilities of the truth."""
    shares = np.full(len(truths), 1 / len(truths))
    for _ in range(_ROUNDS):
        shares *= truths @ (weights / (shares @ truths))
        shares /= shares.sum()
    shares[shares < min(_LEAST, shares.max())] = 0.0
    kept: NDArray[np.float64] = shares / shares.sum()
    return kept
