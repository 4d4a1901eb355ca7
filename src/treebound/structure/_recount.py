"""Scores of families counted afresh from the rows: slow and plain, for the judge, which trusts no cache."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset
from treebound.scoring._scores import Bic, Score


def recount(data: Dataset, score: Score, child: int, parents: Sequence[int]) -> float:
    """Return the local score of a family."""
    states = data.schema.cardinalities[child]
    joint_states = math.prod(data.schema.cardinalities[p] for p in parents)
    rows = np.zeros(data.num_rows, dtype=np.int64)
    for parent in parents:
        rows = rows * data.schema.cardinalities[parent] + data.codes[parent]
        if joint_states > 4 * data.num_rows:  # number the joint states that occur, so that they stay few
            rows = np.unique(rows, return_inverse=True)[1]
    occurring = np.unique(rows, return_inverse=True)[1]
    num_occurring = int(occurring.max()) + 1
    counts = np.bincount(occurring * states + data.codes[child], minlength=num_occurring * states)
    table = counts.reshape(num_occurring, states)
    if isinstance(score, Bic):
        return _log_likelihood(table) - math.log(data.num_rows) / 2 * (states - 1) * joint_states
    return _log_marginal_likelihood(table, score.equivalent_sample_size / joint_states)


def _log_likelihood(table: NDArray[np.int64]) -> float:
    sums = np.broadcast_to(table.sum(axis=1, keepdims=True), table.shape)
    seen = table > 0
    return float(np.sum(table[seen] * np.log(table[seen] / sums[seen])))


def _log_marginal_likelihood(table: NDArray[np.int64], weight: float) -> float:
    """Return the score of Heckerman, Geiger and Chickering; ``weight`` is the prior's for a parent state."""
    states = table.shape[1]
    cells = sum(math.lgamma(n + weight / states) - math.lgamma(weight / states) for n in table[table > 0])
    sums = sum(math.lgamma(weight) - math.lgamma(n + weight) for n in table.sum(axis=1))
    return cells + sums
