"""Tables of one network that back off from many parents to few.

Rows of a table that few rows of data fall into are drawn towards the table without the parent that says
least about the variable, which is drawn towards the next smaller one, and so on (MacKay and Peto 1995). Every
family has the weight under which each training row is most probable given all others (leave one out).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset
from treebound.inference import table_sizes
from treebound.network import BackoffPrior, BayesianNetwork, family_counts
from treebound.structure import Structure

Counts = NDArray[np.float64]

# How many rows the smaller table may count for: powers of two.
_WEIGHTS = 2.0 ** np.arange(-1, 10)
# What each state counts in addition where no parent is left, as in ``BackoffPrior``.
_HALF = 0.5
_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class BackedOff:
    """A network, and the log-likelihood of its training rows, each given all others."""

    network: BayesianNetwork
    left_out: float


def backed_off(structure: Structure, rows: Dataset, threads: int) -> BackedOff:
    """Return the network with tables from complete rows; a row counts by its weight."""
    parents, states = structure.parent_indices, rows.schema.cardinalities
    sizes = table_sizes(parents, states)
    counts = family_counts(parents, sizes, rows, threads) * (rows.num_rows / rows.total_weight)
    tables, total = [], 0.0
    for child, view in enumerate(np.split(counts, np.cumsum(sizes)[:-1])):
        # Parents of one state say nothing, and there may be more of them than arrays have axes.
        shape = [states[v] for v in parents[child] if states[v] > 1]
        table, left_out = smoothed(view.reshape(*shape, states[child]))
        tables.append(table.ravel())
        total += left_out
    history = {"smoothing": "backing off, weights by leave-one-out"}
    return BackedOff(BayesianNetwork(structure, tuple(tables), rows.total_weight, history), total)


def smoothed(counts: Counts) -> tuple[Counts, float]:
    """Return the probabilities of one family and the log-likelihood of its rows, each given all others.

    There is an axis for each parent and a last one for the variable itself.
    """
    order = (*_by_information(counts), counts.ndim - 1)
    levels = [counts.transpose(order)]
    while levels[-1].ndim > 1:
        levels.append(levels[-1].sum(axis=0))
    left_out = _left_out(levels)
    best = int(np.argmax(left_out))
    table = levels[0] + BackoffPrior(float(_WEIGHTS[best])).pseudo_counts(levels[0])
    table /= table.sum(axis=-1, keepdims=True)
    return table.transpose(np.argsort(order)), float(left_out[best])


def _by_information(counts: Counts) -> list[int]:
    """Return the parents, those first that alone say least about the variable."""
    parents = range(counts.ndim - 1)
    pairs = (counts.sum(axis=tuple(other for other in parents if other != one)) for one in parents)
    return sorted(parents, key=[log_likelihood(pair) for pair in pairs].__getitem__)


def log_likelihood(counts: Counts) -> float:
    """Return the log-likelihood of the rows in their own frequencies: (parent, variable)."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), _TINY)
    return float((counts * np.log(np.maximum(share, _TINY))).sum())


def _left_out(levels: list[Counts]) -> NDArray[np.float64]:
    """Return the log-likelihood of the rows, each given all others, for all weights side by side.

    The probability of a row without itself depends on its cell alone: one less in the cell, on every level.
    """
    last = levels[-1]
    start = (_less_one(last) + _HALF) / (_less_one(last.sum()) + _HALF * len(last))
    without = np.broadcast_to(start, (len(_WEIGHTS), len(last)))
    for level in levels[-2::-1]:
        weights = _WEIGHTS.reshape(-1, *[1] * level.ndim)
        totals = _less_one(level.sum(axis=-1, keepdims=True))
        without = (_less_one(level) + weights * without[:, None]) / (totals + weights)
    top = levels[0].reshape(-1)
    seen = np.flatnonzero(top)
    found: NDArray[np.float64] = np.log(without.reshape(len(_WEIGHTS), -1)[:, seen]) @ top[seen]
    return found


def _less_one(counts: Counts) -> Counts:
    return np.maximum(counts - 1, 0)
