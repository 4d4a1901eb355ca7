"""Outlier detection: rows that the model learned from all of them finds least likely."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin

from treebound._arguments import check_type
from treebound.data import Rules
from treebound.sklearn._joint import JointEstimator


@dataclass(kw_only=True, eq=False, repr=False)
class TreeboundOutlierDetector(OutlierMixin, JointEstimator):  # type: ignore[misc]
    """Find rows that are unlikely under a network of bounded treewidth, or under a mixture.

    Columns of many numbers are binned by equal width by default: quantiles would hide extreme numbers among
    others.

    Parameters
    ----------
    contamination : the share of the rows of X that are to be called outliers.

    Attributes
    ----------
    offset_ : the log-likelihood below which a row is called an outlier.
    network_ : the fitted model; its ``anomaly_scores`` name the strange cells.
    """

    contamination: float = 0.1
    discretise: Rules = "width"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the model and the limit; ``y`` is not used. A row of weight w counts as w rows."""
        check_type("contamination", self.contamination, Real, "a number")
        if not 0 < self.contamination <= 0.5:
            raise ValueError(f"contamination must be above 0 and at most 0.5, got {self.contamination}.")
        rows = self._learn_joint(X, sample_weight)
        logs = self.network_.log_likelihood_rows(rows, threads=self._threads())
        self.offset_ = float(np.percentile(logs, 100 * self.contamination))
        return self

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Log-likelihood of each row in nats: the lower, the stranger."""
        return self._log_likelihoods(X)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """By how much the log-likelihood of each row exceeds the limit; negative for outliers."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> NDArray[np.int64]:
        """-1 for outliers, 1 for others."""
        return np.where(self.decision_function(X) < 0, -1, 1)
