"""A member of a combined density: a model, and how well it fits the held-out rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treebound.density._smooth import SmoothMixture
from treebound.density._split import Split
from treebound.network import BayesianNetwork, SharedMixture

_MANY_ROUNDS = 300


@dataclass(frozen=True, eq=False)
class Member:
    """``name`` says what it is, ``valid_logs`` are the log-likelihoods of the held-out rows.

    ``source`` is a network, or a trained smooth mixture, of which ``finite`` makes a model.
    """

    name: str
    source: BayesianNetwork | SmoothMixture
    valid_logs: NDArray[np.float64]

    @property
    def valid_log_likelihood(self) -> float:
        """Mean log-likelihood of the held-out rows, in nats."""
        return float(self.valid_logs.mean())

    def finite(self, num_points: int, split: Split) -> tuple[Member, BayesianNetwork | SharedMixture]:
        """Return the model, of so many components if it is a smooth mixture, and the member it then is."""
        if isinstance(self.source, BayesianNetwork):
            return self, self.source
        points = self.source.points(num_points)
        logs = self.source.log_likelihoods(self.source.encode(split.valid), points)
        return replace(self, valid_logs=logs), self.source.mixture(points)


def weights_by_em(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of components that make rows most probable; logs have shape (rows, components)."""
    likelihoods = np.exp(logs - logs.max(axis=1, keepdims=True))
    weights = np.full(logs.shape[1], 1 / logs.shape[1])
    for _ in range(_MANY_ROUNDS):
        shares = likelihoods * weights
        weights = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=0)
    return weights


def mixed_logs(logs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-likelihood of each row in the weighted mixture."""
    highest = logs.max(axis=1)
    found: NDArray[np.float64] = highest + np.log(np.exp(logs - highest[:, None]) @ weights)
    return found
