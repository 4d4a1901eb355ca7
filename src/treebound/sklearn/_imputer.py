"""Imputation: missing values filled in by a network, given the rest of the row."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treebound.data import BinMethod
from treebound.network import ImputeStrategy, Smoothing
from treebound.scoring import Score
from treebound.sklearn._base import NetworkEstimator


class TreeboundImputer(OneToOneFeatureMixin, TransformerMixin, NetworkEstimator):  # type: ignore[misc]
    """Fill in missing values (NaN, None, null) by the most probable completion of the row, or by a draw.

    ``strategy`` is ``"most_probable"`` or ``"draw"``; numbers that were cut into bins are put back as the
    middle of their bin, or as a number drawn inside it. Values that training never saw stay as they are.
    Rows of probability zero, which needs ``smoothing=MaximumLikelihood()``, are refused.
    The other parameters are those of NetworkEstimator.
    """

    def __init__(
        self,
        *,
        strategy: ImputeStrategy = "most_probable",
        max_treewidth: int = 3,
        steps: int | None = 300,
        seconds: float | None = None,
        local_score: Score | None = None,
        smoothing: Smoothing | None = None,
        discretise: BinMethod = "quantile",
        bins: int = 5,
        completions: int = 3,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            max_treewidth=max_treewidth,
            steps=steps,
            seconds=seconds,
            local_score=local_score,
            smoothing=smoothing,
            discretise=discretise,
            bins=bins,
            completions=completions,
            random_state=random_state,
            n_jobs=n_jobs,
        )
        self.strategy = strategy

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the network from the rows, complete or not; ``y`` is not used."""
        self.network_ = self._learn_features(self._table(X, reset=True))
        return self

    def transform(self, X: Any) -> Any:
        """X with its missing values filled in: a frame of the same library, or an array."""
        check_is_fitted(self)
        table = self._table(X, reset=False)
        seed = self._seed(check_random_state(self.random_state))
        return self.network_.impute(table, strategy=self.strategy, seed=seed, unseen="missing")
