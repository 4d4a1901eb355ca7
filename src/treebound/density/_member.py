"""A member of a combined density: a model, and how well it fits the held-out rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.density._smooth import SmoothMixture
from treebound.network import BayesianNetwork, SharedMixture

_MANY_ROUNDS = 300


@dataclass(frozen=True, eq=False)
class Member:
    """``name`` says what it is, ``valid_logs`` are the log-likelihoods of the held-out rows, in nats, and
    ``valid_log_likelihood`` is their mean.

    ``source`` is a network, or a trained smooth mixture, of which ``model`` makes a finite one.
    """

    name: str
    source: BayesianNetwork | SmoothMixture
    valid_logs: NDArray[np.float64]
    valid_log_likelihood: float

    def model(self) -> BayesianNetwork | SharedMixture:
        """Return the member as a model that answers queries."""
        if isinstance(self.source, BayesianNetwork):
            return self.source
        return self.source.mixture(self.source.final_points)


def weights_by_em(
    logs: NDArray[np.float64], row_weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the weights of components that make rows most probable; logs have shape (rows, components).

    Rows count by ``row_weights``, which sum to one; without them, all the same.
    """
    if row_weights is None:
        row_weights = np.full(len(logs), 1 / len(logs))
    likelihoods = np.exp(logs - logs.max(axis=1, keepdims=True))
    weights = np.full(logs.shape[1], 1 / logs.shape[1])
    for _ in range(_MANY_ROUNDS):
        shares = likelihoods * weights
        weights = row_weights @ (shares / shares.sum(axis=1, keepdims=True))
    return weights


def mixed_logs(logs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-likelihood of each row in the weighted mixture."""
    highest = logs.max(axis=1)
    found: NDArray[np.float64] = highest + np.log(np.exp(logs - highest[:, None]) @ weights)
    return found
