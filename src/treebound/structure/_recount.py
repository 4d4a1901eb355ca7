"""Scores of families counted again from the rows, for the checker, which trusts no cache.

Plain numpy that shares nothing with the core. A family's joint states are numbered in mixed radix, the child
running fastest; only the counts that occur are looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset
from treebound.scoring import Bic, Score

_Times: TypeAlias = list[tuple[int, int]]  # a count, and how many cells have it
# Relative error of adding up to a million doubles in any order, with room to spare.
_REL_TOL = 1e-10
_ABS_TOL = 1e-6
# Up to so many cells per row all of them are counted; beyond, sorting the rows costs less.
_CELLS_PER_ROW = 4
_LARGEST_PER_CELL = 4
_TYPES = (np.uint8, np.uint16, np.int32, np.int64)
# Beyond this a double no longer holds the number of joint states, and no score of ours is finite.
_MOST_JOINT_STATES = 2**1000


def recount(data: Dataset, score: Score, child: int, parents: Sequence[int]) -> float:
    """Return the local score of a family."""
    cards = data.schema.cardinalities
    joint_states = math.prod(cards[p] for p in parents)
    if joint_states > _MOST_JOINT_STATES:
        return -math.inf
    occurrences = _occurrences(data, child, parents)
    return _score(*occurrences, score, data.num_rows, cards[child], joint_states)


def recount_table(counts: NDArray[np.int64], score: Score) -> float:
    """The same from the counts of a family, of shape (joint states of the parents, own states)."""
    num_rows, (joint_states, states) = int(counts.sum()), counts.shape
    return _score(_times(counts), _times(counts.sum(axis=1)), score, num_rows, states, joint_states)


def _score(cells: _Times, sums: _Times, score: Score, num_rows: int, states: int, joint_states: int) -> float:
    """From how often counts of the family, and of its parents, occur."""
    if isinstance(score, Bic):
        log_likelihood = _sum(cells, lambda n: n * math.log(n)) - _sum(sums, lambda n: n * math.log(n))
        return log_likelihood - score.penalty * math.log(num_rows) / 2 * (states - 1) * joint_states
    weight = score.equivalent_sample_size / joint_states  # of the prior, for a joint state of the parents
    return _log_gamma_ratios(cells, weight / states) - _log_gamma_ratios(sums, weight)


def close(a: float, b: float, slack: float) -> bool:
    """Whether two scores are the same up to rounding; ``slack`` is what a file has rounded away."""
    return abs(a - b) <= slack + _ABS_TOL + _REL_TOL * abs(b)


def _occurrences(data: Dataset, child: int, parents: Sequence[int]) -> tuple[_Times, _Times]:
    """How many joint states of the family, and how many of the parents, occur in how many rows."""
    states = data.schema.cardinalities[child]
    cells, bound = _joint_states(data, parents, room=states)
    cells *= states
    cells += data.codes[child]
    if bound * states <= _CELLS_PER_ROW * data.num_rows:
        counts = np.bincount(cells, minlength=bound * states).reshape(bound, states)
        return _times(counts), _times(counts.sum(axis=1))
    cells.sort()
    return _times(_run_lengths(cells)), _times(_run_lengths(cells // states))


def _joint_states(data: Dataset, parents: Sequence[int], room: int) -> tuple[NDArray[Any], int]:
    """The joint state of the parents in each row as a number, and a bound that all numbers are below.

    The numbers can be multiplied by ``room``. The shorter they are the sooner they are made and sorted.
    """
    cards = data.schema.cardinalities
    most = min(math.prod(cards[p] for p in parents) * room, 2**63 - 1)
    wide_enough = (t for t in _TYPES if np.iinfo(t).max >= most and np.can_cast(data.codes.dtype, t))
    numbers: NDArray[Any] = np.zeros(data.num_rows, dtype=next(wide_enough))
    bound = 1
    for parent in parents:
        if bound * cards[parent] * room >= 2**63:  # number those that occur anew
            seen, numbers = np.unique(numbers, return_inverse=True)
            bound = len(seen)
        numbers *= cards[parent]
        numbers += data.codes[parent]
        bound *= cards[parent]
    return numbers, bound


def _run_lengths(ascending: NDArray[Any]) -> NDArray[np.intp]:
    is_edge = np.ones(len(ascending) + 1, dtype=np.bool_)
    is_edge[1:-1] = ascending[1:] != ascending[:-1]
    edges = np.flatnonzero(is_edge)
    return edges[1:] - edges[:-1]


def _times(counts: NDArray[Any]) -> _Times:
    """The counts above zero, each with how often it is there; few large ones are sorted."""
    counts = counts.reshape(-1)
    if counts.max(initial=0) <= _LARGEST_PER_CELL * len(counts):
        by_count = np.bincount(counts)
        values = np.flatnonzero(by_count)
        times = by_count[values]
    else:
        values, times = np.unique(counts, return_counts=True)
    return [(n, m) for n, m in zip(values.tolist(), times.tolist(), strict=True) if n > 0]


def _sum(times: _Times, term: Callable[[int], float]) -> float:
    """Add up a term for every count; equal counts, of which there are many, are looked at once."""
    return math.fsum(m * term(n) for n, m in times)


def _log_gamma_ratios(times: _Times, weight: float) -> float:
    """The sum of log Gamma(n + weight) - log Gamma(weight), as Heckerman, Geiger and Chickering have it."""
    return _sum(times, lambda n: math.lgamma(n + weight) - math.lgamma(weight))
