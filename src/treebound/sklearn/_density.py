"""Density estimation: the log-likelihood of rows, and new rows like them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import DensityMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from treebound.sklearn._joint import JointEstimator
from treebound.sklearn._ordered_rows import seed_of
from treebound.tables import frame_library


@dataclass(kw_only=True, eq=False, repr=False)
class TreeboundDensity(DensityMixin, JointEstimator):  # type: ignore[misc]
    """Joint distribution of all features as a Bayesian network of bounded treewidth, or as a mixture.

    Columns of many numbers are binned, and the log-likelihood is that of the bins.
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the model; ``y`` is not used. A row of weight w counts as w rows."""
        self._learn_joint(X, sample_weight)
        self.frame_library_ = frame_library(X)
        return self

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Log-likelihood of each row in nats, missing values summed out."""
        return self._log_likelihoods(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Mean log-likelihood of the rows, weighted if weights are given; ``y`` is not used."""
        logs = self.score_samples(X)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        return float(np.average(logs, weights=sample_weight))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """Draw rows, as a frame of the library that X came in or an array; numbers fall inside their bins."""
        check_is_fitted(self)
        rng = check_random_state(random_state)
        drawn = self.network_.sample(n_samples, seed_of(rng))
        inside = np.random.default_rng(seed_of(rng))
        columns = {
            v.name: v.decode(codes) if v.edges is None else v.draw_inside(codes, inside)
            for v, codes in zip(drawn.schema, drawn.codes, strict=True)
        }
        if self.frame_library_ is None:
            return np.stack(list(columns.values()), axis=1)
        import narwhals.stable.v2 as nw

        return nw.from_dict(columns, backend=self.frame_library_).to_native()
