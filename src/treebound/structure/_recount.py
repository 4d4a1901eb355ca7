"""Scores of families counted afresh from the rows, for the checker, which trusts no cache.

Plain numpy that shares nothing with the core. A family's joint states are numbered in mixed radix, the child
running fastest; only the counts that occur are looked at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset
from treebound.scoring import Bic, Score

# Relative error of adding up to a million doubles in any order, with room to spare.
_REL_TOL = 1e-10
_ABS_TOL = 1e-6
# Up to so many cells per row all of them are counted; beyond, sorting the rows costs less.
_CELLS_PER_ROW = 4
_LARGEST_NUMBER = 2**62
# Beyond this a double no longer holds the number of joint states, and no score of ours is finite.
_MOST_JOINT_STATES = 2**1000


def recount(data: Dataset, score: Score, child: int, parents: Sequence[int]) -> float:
    """Return the local score of a family."""
    cards = data.schema.cardinalities
    joint_states = math.prod(cards[p] for p in parents)
    if joint_states > _MOST_JOINT_STATES:
        return -math.inf
    cells, sums = _counts(data, child, parents)
    if isinstance(score, Bic):
        log_likelihood = _sum_of_n_log_n(cells) - _sum_of_n_log_n(sums)
        return log_likelihood - math.log(data.num_rows) / 2 * (cards[child] - 1) * joint_states
    weight = score.equivalent_sample_size / joint_states
    return _log_gamma_ratios(cells, weight / cards[child]) - _log_gamma_ratios(sums, weight)


def close(a: float, b: float, slack: float) -> bool:
    """Whether two scores are the same up to rounding; ``slack`` is what a file has rounded away."""
    return abs(a - b) <= slack + _ABS_TOL + _REL_TOL * abs(b)


def _counts(data: Dataset, child: int, parents: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each joint state of the family, and each of the parents, occurs; never is left out."""
    states = data.schema.cardinalities[child]
    numbers, num_joint = _joint_states(data, parents)
    numbers *= states
    numbers += data.codes[child]
    if num_joint * states <= _CELLS_PER_ROW * data.num_rows:
        table = np.bincount(numbers, minlength=num_joint * states).reshape(-1, states)
        sums = table.sum(axis=1)
        return table[table > 0], sums[sums > 0]
    numbers.sort()
    return _run_lengths(numbers), _run_lengths(numbers // states)


def _joint_states(data: Dataset, parents: Sequence[int]) -> tuple[NDArray[np.int64], int]:
    """The joint state of the parents in each row as a number, and a bound that all numbers are below."""
    numbers, bound = np.zeros(data.num_rows, dtype=np.int64), 1
    for parent in parents:
        card = data.schema.cardinalities[parent]
        # The child comes last, and has no more than 2^16 states.
        if bound * card > _LARGEST_NUMBER >> 16:
            seen, numbers = np.unique(numbers, return_inverse=True)
            bound = len(seen)
        numbers *= card
        numbers += data.codes[parent]
        bound *= card
    return numbers, bound


def _run_lengths(ascending: NDArray[np.int64]) -> NDArray[np.int64]:
    ends = np.flatnonzero(ascending[1:] != ascending[:-1]) + 1
    return np.diff(ends, prepend=0, append=len(ascending))


def _sum_of_n_log_n(counts: NDArray[np.int64]) -> float:
    return float(np.dot(counts, np.log(counts)))


def _log_gamma_ratios(counts: NDArray[np.int64], weight: float) -> float:
    """The sum of log Gamma(n + weight) - log Gamma(weight), by Heckerman, Geiger and Chickering.

    Equal counts, of which there are many, are looked at once.
    """
    times = np.bincount(counts)
    different = np.flatnonzero(times)
    terms = [times[n] * (math.lgamma(n + weight) - math.lgamma(weight)) for n in different.tolist()]
    return float(math.fsum(terms))
