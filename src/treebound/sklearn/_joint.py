"""What the density and the outlier detector share: the joint distribution of all features, of either kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from sklearn.utils.validation import _check_sample_weight

from treebound._budget import Budget
from treebound.data import Dataset
from treebound.density import learn_density
from treebound.sklearn._base import NetworkEstimator
from treebound.sklearn._columns import schema_of
from treebound.sklearn._ordered_rows import seed_of
from treebound.tables import read_rows

DensityKind = Literal["network", "best"]


@dataclass(kw_only=True, eq=False, repr=False)
class JointEstimator(NetworkEstimator):
    """Joint distribution of all features as a Bayesian network of bounded treewidth, or as a mixture.

    Parameters
    ----------
    kind : ``"network"`` learns one network. ``"best"`` learns the mixture of ``learn_density``, which fits
        new rows better and takes longer; ``steps`` are then steps of training, and of the parameters of a
        network only those on columns apply. ``network_`` is the model in either case.
    """

    kind: DensityKind = "network"

    def _learn_joint(self, X: Any, sample_weight: Any) -> Dataset:
        """Learn the model; the rows of X that count."""
        if self.kind not in get_args(DensityKind):
            raise ValueError(f"kind must be 'network' or 'best', got {self.kind!r}.")
        if self.kind == "best":
            return self._learn_mixture(X, sample_weight)
        training = self._learn_features(X, sample_weight)
        return training.rows if training.is_counted is None else training.rows.take(training.is_counted)

    def _learn_mixture(self, X: Any, sample_weight: Any) -> Dataset:
        opened = self._opened(X, reset=True)
        rows = read_rows(opened, schema_of(opened, self._cutting()), missing="keep")
        if sample_weight is not None:
            rows = replace(rows, weights=_check_sample_weight(sample_weight, X, ensure_non_negative=True))
        result = learn_density(
            rows,
            budget=Budget(seconds=self.seconds, steps=self.steps),
            seed=seed_of(self._rng()),
            threads=self._threads(),
        )
        self.network_ = result.model  # type: ignore[assignment]  # a model like a network
        return rows if rows.weights is None else rows.take(np.flatnonzero(rows.weights))
