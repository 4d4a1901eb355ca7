"""Classification: networks over the features and the class, queried for the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from treebound.sklearn._supervised import TargetEstimator
from treebound.sklearn._target import labels_of, name_of, target_of


@dataclass(kw_only=True, eq=False, repr=False)
class TreeboundClassifier(ClassifierMixin, TargetEstimator):  # type: ignore[misc]
    """Predict a class by Bayesian networks of bounded treewidth, with exact probabilities.

    Features may have missing values, in training and in prediction. By default networks of several kinds are
    learned, each with several priors of its CPTs, and their probabilities are averaged, with the weights that
    make the classes of held-out rows most likely.

    Attributes
    ----------
    classes_ : the values of the target.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn networks over the columns of X and y; a row of weight w counts as w rows."""
        labels = labels_of(y)
        table, copies = self._table_of(X, labels, sample_weight)
        target = target_of(name_of(y, table.names), labels[copies.positions])
        self._learn_target(table, target, copies)
        self.classes_ = target.values
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes, in the order of ``classes_``; missing values are summed out.

        They are the average of those of ``networks_``, with the weights of ``candidates_``. Rows of
        probability zero, which needs ``smoothing=MaximumLikelihood()``, hold no information on their class:
        they get the probabilities of the classes without any features.
        """
        return self._probabilities(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        probabilities = self.predict_proba(X)
        predicted: NDArray[Any] = self.classes_[probabilities.argmax(axis=1)]
        return predicted
