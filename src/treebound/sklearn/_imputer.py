"""Imputation: missing values filled in by a network, given the rest of the row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from treebound.network import ImputeStrategy
from treebound.sklearn._base import NetworkEstimator
from treebound.sklearn._ordered_rows import seed_of


@dataclass(kw_only=True, eq=False, repr=False)
class TreeboundImputer(OneToOneFeatureMixin, TransformerMixin, NetworkEstimator):  # type: ignore[misc]
    """Fill in missing values (NaN, None, null) by the most probable completion of the row, or by a draw.

    Values that training never saw stay as they are. Rows of probability zero, which needs
    ``smoothing=MaximumLikelihood()``, are rejected.

    Parameters
    ----------
    strategy : ``"most_probable"`` or ``"draw"``; a binned number comes back as the median of its bin, or as
        one of the numbers of the bin at random.
    """

    strategy: ImputeStrategy = "most_probable"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.strategy not in ("most_probable", "draw"):
            raise ValueError(
                f"strategy must be 'most_probable' or 'draw', got {self.strategy!r}. "
                "A transformer returns one table; treebound.learning.impute returns several."
            )

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the network from the rows, complete or not; ``y`` is not used.

        A row of weight w counts as w rows.
        """
        self._learn_features(X, sample_weight)
        return self

    def transform(self, X: Any) -> Any:
        """X with its missing values filled in: a frame of the same library, or an array."""
        check_is_fitted(self)
        table = self._table(X, reset=False)
        if not isinstance(table, np.ndarray) or self.column_indices_ == list(range(table.shape[1])):
            return self._filled(table)
        filled = self._filled(table[:, self.column_indices_])
        whole = table.astype(np.result_type(table, filled))
        whole[:, self.column_indices_] = filled
        return whole

    def _filled(self, table: Any) -> Any:
        seed = seed_of(self._rng())
        return self.network_.impute(table, strategy=self.strategy, seed=seed, unseen="missing")
