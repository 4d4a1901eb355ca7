"""Regression: the target is cut into bins, and predictions are expected values over these."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from treebound._arguments import check_integer, check_type
from treebound.sklearn._bin_values import BinValues
from treebound.sklearn._choice import Choice
from treebound.sklearn._supervised import TargetEstimator
from treebound.sklearn._target import binned_target_of, name_of, numbers_of

_MAX_TARGET_BINS = 256


@dataclass(kw_only=True, eq=False, repr=False)
class TreeboundRegressor(RegressorMixin, TargetEstimator):  # type: ignore[misc]
    """Predict a number by Bayesian networks of bounded treewidth, as expected values and intervals.

    The target is binned; the bins are the states that the networks predict, and the classes below. By default
    networks of several kinds are averaged.

    Parameters
    ----------
    target_bins : number of bins of the target, with equal counts.

    Attributes
    ----------
    bin_means_ : the mean of the training targets in each bin.
    """

    target_bins: int = 10

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn networks over the columns of X and y; a row of weight w counts as w rows."""
        numbers = numbers_of(y)
        table, copies = self._table_of(X, numbers, sample_weight)
        numbers = numbers[copies.positions]
        target = binned_target_of(name_of(y, table.names), numbers, copies.weights, self.target_bins)
        choice = self._learn_target(table, target, copies, holds_out=True)
        self._levels = _held_out_levels(choice)
        self.bin_means_ = target.values
        is_counted = slice(None) if copies.is_counted is None else copies.is_counted
        self._bin_values = BinValues.of(numbers[is_counted], target.codes[is_counted], len(target.values))
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The expected value of each row: the mean of ``bin_means_`` with the probabilities of the bins."""
        expected: NDArray[np.float64] = self._probabilities(X) @ self.bin_means_
        return expected

    def predict_interval(self, X: Any, coverage: float = 0.9) -> NDArray[np.float64]:
        """The central interval of each row that holds the target with probability ``coverage``.

        Returns an array of two columns, the lower and the upper end. Both are quantiles of the predicted
        distribution, in which the numbers of a bin are distributed as they are in training. Their levels are
        calibrated: the share ``coverage`` of the rows held out in training lies between them.
        """
        check_type("coverage", coverage, Real, "a number")
        if not 0 < coverage < 1:
            raise ValueError(f"coverage must be between 0 and 1, got {coverage}.")
        probabilities = self._probabilities(X)
        levels = np.quantile(self._levels, [0.5 - coverage / 2, 0.5 + coverage / 2])
        ends = [self._bin_values.quantile(probabilities, level) for level in levels.tolist()]
        return np.stack(ends, axis=1)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_integer("target_bins", self.target_bins, 2, _MAX_TARGET_BINS)


def _held_out_levels(choice: Choice) -> NDArray[np.float64]:
    """The level at which each held-out target lies in the distribution predicted for its row.

    With the right distributions levels are uniform. But numbers inside a bin depend on the features too,
    which the distributions do not show, so they are too wide (Kuleshov, Fenner and Ermon 2018, section 3).
    """
    if choice.below is None or choice.truths is None:
        return np.array([0.0, 1.0])  # no rows were held out: taken as uniform
    inside = choice.rows.target.inside
    assert inside is not None
    levels: NDArray[np.float64] = choice.below + inside * choice.truths
    is_counted = choice.rows.training.is_counted
    return levels if is_counted is None else levels[is_counted]
