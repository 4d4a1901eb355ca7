"""The bins of the shortest description, by dynamic programming over the places where a column may be cut.

A description is a sum of costs of bins and of a price for their number, so the best K bins of a prefix
are the best K - 1 bins of a shorter one and one bin more.

``histogram_cuts`` is the histogram of Kontkanen and Myllymaki (MDL histogram density estimation, AISTATS
2007): the normalised maximum likelihood of the numbers, with cuts midway between neighbours.
``supervised_cuts`` is the MODL criterion of Boulle (A Bayes optimal discretization method for continuous
attributes, Machine Learning 65, 2006), the posterior of a discretisation given the classes.

Both take two bins at least: a single one would take the column out of what can be learned. Of many distinct
values, neighbours are put together first, in groups of even counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Time and memory of a column grow with the square; finer places hardly shorten a description.
MAX_PLACES = 256
# Above this many numbers the approximation of the complexity of two bins is exact to more than six digits.
_EXACT_COMPLEXITY = 1000
# Of numbers of very different sizes, differences may be lost.
_LEAST_LENGTH = 1e-300


def histogram_cuts(values: NDArray[np.float64], counts: NDArray[np.integer], most_bins: int) -> list[int]:
    """Positions after which to cut, for ascending distinct values and how often each occurs."""
    if len(values) == 1:
        return []
    groups = _group_ends(counts)
    lengths = _total_of(_lengths(values), groups)
    occurrences = _total_of(counts.astype(np.float64), groups)
    num_rows = int(counts.sum())
    cost = _histogram_costs(lengths, occurrences)
    prices = _histogram_prices(num_rows, len(groups) - 1, min(most_bins, len(groups)))
    return [int(groups[j - 1]) - 1 for j in cheapest(cost, prices)]


def supervised_cuts(classes: NDArray[np.int64], most_bins: int) -> list[int]:
    """Positions after which to cut, for how often each ascending value occurs with each class."""
    if len(classes) == 1 or not classes.any():
        return []
    groups = _group_ends(classes.sum(axis=1))
    starts = np.concatenate([[0], groups[:-1]])
    joined = np.add.reduceat(classes, starts, axis=0)
    num_rows = int(classes.sum())
    cost = _supervised_costs(joined)
    most = min(most_bins, len(groups))
    prices = [_log_binomial(num_rows + k - 1, k - 1) for k in range(1, most + 1)]
    return [int(groups[j - 1]) - 1 for j in cheapest(cost, prices)]


def cheapest(cost: NDArray[np.float64], prices: Sequence[float]) -> list[int]:
    """Where the cheapest bins begin, the first one omitted.

    ``cost[i, j]`` is that of a bin of the places from i up to but without j, and ``prices[k - 1]`` what k
    bins cost besides; of k, 2 is the least.
    """
    num_places = len(cost) - 1
    best = cost[0].copy()  # of one bin up to each place
    last_starts: list[NDArray[np.intp]] = []
    found, shortest = 2, math.inf
    for k in range(2, len(prices) + 1):
        totals = best[:, None] + cost
        starts = totals.argmin(axis=0)
        best = totals[starts, np.arange(num_places + 1)]
        last_starts.append(starts)
        if best[num_places] + prices[k - 1] < shortest:
            found, shortest = k, float(best[num_places] + prices[k - 1])
    begins, end = [], num_places
    for starts in reversed(last_starts[: found - 1]):
        end = int(starts[end])
        begins.append(end)
    return begins[::-1]


def _group_ends(counts: NDArray[np.integer]) -> NDArray[np.int64]:
    """Where groups of neighbouring values end: single values, or groups of even counts if there are many."""
    if len(counts) <= MAX_PLACES:
        return np.arange(1, len(counts) + 1)
    below = np.cumsum(counts)
    shares = below[-1] * np.arange(1, MAX_PLACES + 1) // MAX_PLACES
    return np.unique(np.searchsorted(below, shares) + 1)


def _total_of(amounts: NDArray[np.float64], groups: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.add.reduceat(amounts, np.concatenate([[0], groups[:-1]]))


def _lengths(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The room of each value up to midway to its neighbours, in any unit; halves, so as not to overflow."""
    halves = np.diff(values / 2)
    halves = np.maximum(halves / max(float(halves.max()), np.finfo(np.float64).tiny), _LEAST_LENGTH)
    room: NDArray[np.float64] = np.concatenate([halves[:1], halves]) + np.concatenate([halves, halves[-1:]])
    return room


def _histogram_costs(lengths: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Nats that the numbers of each possible bin take, less what is the same for all histograms."""
    room, number = np.maximum(_differences(lengths), _LEAST_LENGTH), _differences(counts)
    is_bin = number > 0
    cost = np.full(room.shape, np.inf)
    total = float(counts.sum())
    cost[is_bin] = number[is_bin] * (np.log(room[is_bin]) + math.log(total) - np.log(number[is_bin]))
    return cost


def _histogram_prices(num_rows: int, num_places: int, most_bins: int) -> list[float]:
    complexity = multinomial_complexity(num_rows, most_bins)
    return [math.log(complexity[k - 1]) + _log_binomial(num_places, k - 1) for k in range(1, most_bins + 1)]


def multinomial_complexity(num_rows: int, most_values: int) -> list[float]:
    """The sum of maximum likelihoods over all tables of so many rows, for 1, 2, ... values.

    By the recurrence of Kontkanen and Myllymaki (Information Processing Letters 103, 2007); for two values
    and many rows by Szpankowski's approximation, which they give.
    """
    n = num_rows
    if n <= _EXACT_COMPLEXITY:
        two = sum(math.exp(_log_binomial(n, h) + _x_log_x(h, n) + _x_log_x(n - h, n)) for h in range(n + 1))
    else:
        correction = math.sqrt(8 / (9 * n * math.pi)) + (3 * math.pi - 16) / (36 * n * math.pi)
        two = math.sqrt(n * math.pi / 2) * math.exp(correction)
    sums = [1.0, two]
    for k in range(1, most_values - 1):
        sums.append(sums[-1] + n / k * sums[-2])
    return sums[:most_values]


def _supervised_costs(classes: NDArray[np.int64]) -> NDArray[np.float64]:
    num_classes = classes.shape[1]
    sizes = _differences(classes.sum(axis=1))
    is_bin = sizes > 0
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, sizes.max() + num_classes)))])
    held = sizes[is_bin]
    # The choice of the frequencies of the classes, and of the classes given these.
    nats = log_factorial[held + num_classes - 1] - log_factorial[held] - log_factorial[num_classes - 1]
    nats += log_factorial[held]
    for column in classes.T:
        nats -= log_factorial[_differences(column)[is_bin]]
    cost = np.full(sizes.shape, np.inf)
    cost[is_bin] = nats
    return cost


def _differences(amounts: NDArray[Any]) -> NDArray[Any]:
    """The sums of all runs: entry i, j of the places from i up to but without j."""
    below = np.concatenate([[0], np.cumsum(amounts)])
    sums: NDArray[Any] = below[None, :] - below[:, None]
    return sums


def _log_binomial(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _x_log_x(h: int, n: int) -> float:
    return h * math.log(h / n) if h else 0.0
