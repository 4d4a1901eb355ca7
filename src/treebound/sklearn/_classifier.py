"""Classification: a network over the features and the target, asked for the target."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from treebound.data import Schema, Variable, encode_rows
from treebound.sklearn._base import NetworkEstimator
from treebound.sklearn._columns import schema_of


class TreeboundClassifier(ClassifierMixin, NetworkEstimator):  # type: ignore[misc]
    """Bayesian network of bounded treewidth over the features and the target; exact posteriors of the target.

    Features may lack values, in training and in prediction. The parameters are those of NetworkEstimator.

    Attributes
    ----------
    classes_ : the values of the target.
    network_ : the fitted ``BayesianNetwork``; its last variable is the target, with the positions of the
        classes as states.
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Learn a network over the columns of X and y."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        table = self._table(X, reset=True)
        target = column_or_1d(y, warn=True)
        assert_all_finite(target, input_name="y")
        check_classification_targets(target)
        self.classes_, codes = np.unique(target, return_inverse=True)
        features = schema_of(table, self.discretise, self.bins)
        rows = encode_rows(table, features)
        check_consistent_length(rows.T, codes)
        states = tuple(map(str, range(len(self.classes_))))
        schema = Schema((*features, Variable(_free_name(features), states, "integer")))
        self.network_ = self._learn(schema, np.vstack([rows, codes.astype(np.int32)]))
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes, in the order of ``classes_``.

        Rows of probability zero, which needs ``smoothing=MaximumLikelihood()``, say nothing
        about their class: they get the probabilities of the classes without any features.
        """
        rows = self._rows(X)
        target = np.full((1, rows.shape[1]), -1, dtype=np.int32)
        tree = self.network_.junction_tree
        found = tree.posterior_rows(len(rows), np.vstack([rows, target]), impossible="nan")
        is_impossible = np.isnan(found[:, 0])
        if is_impossible.any():
            found[is_impossible] = tree.posterior(self.network_.schema.names[-1]).array
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        probabilities = self.predict_proba(X)
        predicted: NDArray[Any] = self.classes_[probabilities.argmax(axis=1)]
        return predicted


def _free_name(features: Schema) -> str:
    """A name for the target that no feature has."""
    name = "target"
    while name in features:
        name += "_"
    return name
