"""Log-likelihoods of all pairs of features given the class, counted by products of matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset

# More states of all features together would make too large matrices.
MOST_STATES = 2048
# Rows of a product, whose counts are then exact in single precision.
_ROWS = 1 << 14


def pair_log_likelihoods(data: Dataset) -> NDArray[np.float64]:
    """Entry c, p is the log-likelihood of feature c given feature p and the class, the last variable."""
    *cardinalities, _ = data.schema.cardinalities
    starts = np.cumsum([0, *cardinalities[:-1]])
    features, classes = data.codes[:-1], data.codes[-1]
    total = np.zeros((len(features), len(features)))
    for label in np.unique(classes):
        counts = _joint_counts(features[:, classes == label] + starts[:, None], sum(cardinalities))
        alone = np.add.reduceat(_x_log_x(np.diagonal(counts)), starts)
        together = np.add.reduceat(np.add.reduceat(_x_log_x(counts), starts, axis=0), starts, axis=1)
        total += together - alone
    return total


def _joint_counts(states: NDArray[np.integer], num_states: int) -> NDArray[np.float64]:
    """How often two states occur in the same row; there is a column of states for each row."""
    counts = np.zeros((num_states, num_states))
    for start in range(0, states.shape[1], _ROWS):
        part = states[:, start : start + _ROWS].T
        occurs = np.zeros((len(part), num_states), dtype=np.float32)
        np.put_along_axis(occurs, part, 1.0, axis=1)
        counts += occurs.T @ occurs
    return counts


def _x_log_x(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = counts * np.log(np.maximum(counts, 1.0))
    return found
