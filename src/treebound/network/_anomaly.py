"""Rows that a network finds surprising, and the cells that surprise it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import Rows

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork


@dataclass(frozen=True, eq=False)
class AnomalyScores:
    """``scores`` are the negative log-likelihoods of the rows in nats, higher for stranger rows.

    ``contributions`` has a column for each variable: the negative logarithm of the probability of the cell
    given the cells of its parents. In a complete row they add up to the score. Where cells are missing, the
    row is completed by its most probable values first, and the missing cells contribute nothing; an
    impossible row that lacks cells has no completion, and its contributions are not numbers.
    """

    scores: NDArray[np.float64]
    contributions: Any


def surprises(network: BayesianNetwork, rows: Rows, threads: int | None = None) -> NDArray[np.float64]:
    """Negative log-probabilities of cells given the parents' cells, of shape (variables, rows)."""
    is_missing = rows < 0
    complete = rows
    if is_missing.any():
        complete = network.junction_tree.most_probable_rows(rows, impossible="nan", threads=threads)
    is_left = (complete < 0).any(axis=0)
    result = -family_logs(network, np.maximum(complete, 0))
    result[is_missing] = 0
    result[:, is_left] = np.nan
    return result


def family_logs(network: BayesianNetwork, rows: Rows) -> NDArray[np.float64]:
    """Log-probabilities of cells given the parents' cells, in complete rows, of shape (variables, rows)."""
    logs = np.empty(rows.shape)
    cardinalities = network.schema.cardinalities
    for child, (family, table) in enumerate(zip(network.parent_indices, network.tables, strict=True)):
        place = np.zeros(rows.shape[1], dtype=np.int64)
        for v in (*family, child):
            place = place * cardinalities[v] + rows[v]
        with np.errstate(divide="ignore"):
            logs[child] = np.log(table)[place]
    return logs
