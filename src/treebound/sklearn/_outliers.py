"""Outlier detection: rows that the network learned from all of them finds least likely."""

from __future__ import annotations

from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin

from treebound._arguments import check_type
from treebound.data import BinMethod
from treebound.network import Smoothing
from treebound.scoring import Score
from treebound.sklearn._base import NetworkEstimator


class TreeboundOutlierDetector(OutlierMixin, NetworkEstimator):  # type: ignore[misc]
    """Find rows that are unlikely under a network of bounded treewidth.

    ``contamination`` is the share of the rows of X that are to be called outliers. Columns of many numbers
    are cut into bins of equal width by default: quantiles would hide extreme numbers among others. The other
    parameters are those of NetworkEstimator.

    Attributes
    ----------
    offset_ : the log-likelihood below which a row is called an outlier.
    network_ : the fitted ``BayesianNetwork``; its ``anomaly_scores`` tell which cells are strange.
    """

    def __init__(
        self,
        *,
        contamination: float = 0.1,
        max_treewidth: int = 3,
        steps: int | None = 300,
        seconds: float | None = None,
        local_score: Score | None = None,
        smoothing: Smoothing | None = None,
        discretise: BinMethod = "width",
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
        self.contamination = contamination

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the network and the limit; ``y`` is not used."""
        check_type("contamination", self.contamination, Real, "a number")
        if not 0 < self.contamination <= 0.5:
            raise ValueError(f"contamination must be above 0 and at most 0.5, got {self.contamination}.")
        self.network_ = self._learn_features(self._table(X, reset=True))
        self.offset_ = float(np.percentile(self.score_samples(X), 100 * self.contamination))
        return self

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Log-likelihood of each row in nats: the lower, the stranger."""
        rows = self._rows(X)
        return self.network_.junction_tree.log_likelihood_rows(rows)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """By how much the log-likelihood of each row exceeds the limit; negative for outliers."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> NDArray[np.int64]:
        """-1 for outliers, 1 for others."""
        return np.where(self.decision_function(X) < 0, -1, 1)
