"""Lemma 2 of the paper on rows: does it hold, how much of what it allows is there, and how often is it below
the bound of de Campos and Ji, N H(X|P)?

LL(X|P u {Y1..Yt}) exceeds LL(X|P) by at most the sum of MI(X,Yi) - max(LL(X), LL(Yi)), all of them over all
rows. Sets are drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np
from benchmarks.paper._measure import Row
from numpy.typing import NDArray

from treebound import Dataset

NUM_DRAWS = 200
_ROUNDING = 1e-6


def lemma_row(data: Dataset, max_parents: int, seed: int = 1) -> Row:
    """How many draws break the lemma, and the median share that gains are of their bounds."""
    draws, codes = np.random.default_rng(seed), data.codes.astype(np.int64)
    broken, shares, lower = 0, [], 0
    for _ in range(NUM_DRAWS):
        size = int(draws.integers(2, max_parents, endpoint=True))
        child, *parents = draws.choice(data.num_variables, size + 1, replace=False).tolist()
        first = int(draws.integers(1, size))
        gain = log_likelihood(codes, child, parents) - log_likelihood(codes, child, parents[:first])
        bound = sum(most_gain(codes, child, parent) for parent in parents[first:])
        broken += gain > bound + _ROUNDING
        rest = -log_likelihood(codes, child, parents[:first])
        lower += most_gain(codes, child, parents[first]) < rest - _ROUNDING
        if bound > _ROUNDING:
            shares.append(gain / bound)
    figures = {"broken": broken, "share": median(shares or [0.0]), "lower": lower / NUM_DRAWS}
    return {"rules": "lemma2", "draws": NUM_DRAWS, **figures, "most_parents": most_parents(data)}


def most_parents(data: Dataset) -> int:
    """How many binary parents Corollary 1 allows, its constant put right: c 2^p < N log|X|."""
    rows, states = data.num_rows, np.array(data.schema.cardinalities)
    states = states[states > 1]
    allowed = 2 * rows * np.log(states) / (np.log(rows) * (states - 1))
    return int(np.ceil(np.log2(allowed.max())))


def most_gain(codes: NDArray[np.int64], child: int, parent: int) -> float:
    """The w(X, Y) of the lemma."""
    alone = log_likelihood(codes, child, [])
    information = log_likelihood(codes, child, [parent]) - alone
    return information - max(alone, log_likelihood(codes, parent, []))


def log_likelihood(codes: NDArray[np.int64], child: int, parents: Sequence[int]) -> float:
    """LL(X|P) of all rows, in nats."""
    above = codes[list(parents)]
    return _sum_of_logs(np.vstack([above, codes[[child]]])) - _sum_of_logs(above)


def _sum_of_logs(columns: NDArray[np.int64]) -> float:
    """The sum of n log n over the joint states that occur."""
    joint = np.zeros(columns.shape[1], dtype=np.int64)
    for column in columns:
        # Numbered anew after each column, so that products stay small.
        _, joint = np.unique(joint * (int(column.max()) + 1) + column, return_inverse=True)
    counts = np.bincount(joint)
    return float((counts * np.log(counts)).sum())
