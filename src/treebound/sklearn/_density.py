"""Density estimation: the log-likelihood of rows, and new rows like them."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import DensityMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treebound.data import frame_library
from treebound.sklearn._base import NetworkEstimator


class TreeboundDensity(DensityMixin, NetworkEstimator):  # type: ignore[misc]
    """Joint distribution of all features as a Bayesian network of bounded treewidth.

    Columns of many numbers are cut into bins, and the log-likelihood is that of the bins.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the network; ``y`` is not used."""
        self.frame_library_ = frame_library(X)
        self.network_ = self._learn_features(self._table(X, reset=True))
        return self

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Log-likelihood of each row in nats, missing values summed out."""
        rows = self._rows(X)
        return self.network_.junction_tree.log_likelihood_rows(rows)

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log-likelihood of the rows; ``y`` is not used."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """Draw rows, as a frame of the library that X came in or an array; numbers fall inside their bins."""
        check_is_fitted(self)
        rng = check_random_state(random_state)
        drawn = self.network_.sample(n_samples, self._seed(rng))
        inside = np.random.default_rng(self._seed(rng))
        columns = {
            v.name: v.decode(codes) if v.edges is None else v.draw_inside(codes, inside)
            for v, codes in zip(drawn.schema, drawn.codes, strict=True)
        }
        if self.frame_library_ is None:
            return np.stack(list(columns.values()), axis=1)
        import narwhals.stable.v2 as nw

        return nw.from_dict(columns, backend=self.frame_library_).to_native()
