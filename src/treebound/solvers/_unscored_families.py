"""Upper bound of the scores of families that were not scored, from the rows of single variables.

With N rows and entropies H, a family's log-likelihood is -N H(v | P), and H(v | P) is at least H(v) less the
entropies of all parents together. BIC takes off a penalty that grows with the joint states of the parents.
BDeu is never above the log-likelihood, and never above -K log |v|, where K joint states of the parents occur:
the first row in each has probability 1 / |v|. Of s parents nothing is assumed: they may be the s with the
largest entropies, the fewest states, and the fewest states that occur. So the bounds are weak, and cheap.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset
from treebound.scoring import Bic, ParentSetCache, Score

_MOST_STATES = 1e300  # a penalty is finite


def unscored_bounds(cache: ParentSetCache, data: Dataset, score: Score, width: int) -> NDArray[np.float64]:
    """Return what no family of at most ``width`` parents scores above that the cache may not have.

    -inf where it has all that an optimal structure could need. Sets that the scorer removed need not be
    counted: a set within each scores as well.
    """
    return largest_scores(data, score, _scored_sizes(cache), min(width, data.num_variables - 1))


def _scored_sizes(cache: ParentSetCache) -> NDArray[np.int64]:
    """Up to how many parents all sets of each variable were looked at."""
    if cache.fingerprint is None or cache.coverage is None:
        return np.zeros(cache.num_variables, dtype=np.int64)
    return np.where(cache.complete, cache.coverage.complete_size, 0)


def largest_scores(
    data: Dataset, score: Score, scored_sizes: NDArray[np.int64], max_parents: int
) -> NDArray[np.float64]:
    """What no family with more parents than the scored sizes and at most ``max_parents`` scores above."""
    counts = [np.bincount(column) for column in data.codes]
    information = np.array([_information(count) for count in counts])
    states = np.array(data.schema.cardinalities, dtype=np.float64)
    largest = np.cumsum(np.sort(information)[::-1])
    with np.errstate(over="ignore"):
        fewest = np.minimum(np.cumprod(np.sort(states)), _MOST_STATES)
    fewest_seen = np.sort([np.count_nonzero(count) for count in counts])
    result = np.full(data.num_variables, -np.inf)
    for size in range(1, max_parents + 1):
        likelihoods = -np.maximum(0.0, information - largest[size - 1])
        if isinstance(score, Bic):
            bounds = (
                likelihoods - score.penalty * math.log(data.num_rows) / 2 * (states - 1) * fewest[size - 1]
            )
        else:
            bounds = np.minimum(likelihoods, -fewest_seen[size - 1] * np.log(states))
        is_unseen = size > scored_sizes
        result = np.where(is_unseen, np.maximum(result, bounds), result)
        # The likelihood is as large as it can be; further parents only cost more.
        if np.all(is_unseen & (likelihoods >= 0)):
            break
    return result


def _information(counts: NDArray[np.intp]) -> float:
    """N times the entropy."""
    seen = counts[counts > 0].astype(np.float64)
    total = seen.sum()
    return float(total * np.log(total) - (seen * np.log(seen)).sum())
