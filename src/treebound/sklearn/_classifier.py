"""Classification: networks or a density over the features and the class, queried for the class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from treebound._budget import Budget
from treebound.density import learn_density
from treebound.sklearn._bins import AUTO_RULES
from treebound.sklearn._kinds import Kind
from treebound.sklearn._labelled import Labelled
from treebound.sklearn._ordered_rows import seed_of
from treebound.sklearn._supervised import TargetEstimator
from treebound.sklearn._target import Target, labels_of, name_of, target_of
from treebound.sklearn._weights import Copies
from treebound.tables import Table

# Steps of training for each of ``steps``: the default of ten is meant for searches.
_TRAINING_STEPS = 100


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

    structure: Literal["average", "best", "density"] | Kind = "average"  # type: ignore[assignment]  # one more
    _other_models: ClassVar[tuple[str, ...]] = ("density",)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn networks, or a density, over the columns of X and y; a row of weight w counts as w rows."""
        labels = labels_of(y)
        table, copies = self._table_of(X, labels, sample_weight)
        target = target_of(name_of(y, table.names), labels[copies.positions])
        if self.structure == "density":
            self._learn_density(table, target, copies)
        else:
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

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.structure == "density" and self.constraints is not None:
            raise ValueError("A density cannot obey constraints. Drop them or choose another structure.")

    def _learn_density(self, table: Table, target: Target, copies: Copies) -> None:
        rules = AUTO_RULES[0] if self.discretise == "auto" else self.discretise
        rows = Labelled.of(table, target, replace(self._cutting(), rules=rules), copies)
        steps = None if self.steps is None else _TRAINING_STEPS * self.steps
        result = learn_density(
            rows.training.rows,
            budget=Budget(seconds=self.seconds, steps=steps),
            seed=seed_of(self._rng()),
            threads=self._threads(),
        )
        self._take_features(rows)
        self.__dict__.pop("verdict_", None)  # of an earlier fit
        self.candidates_, self.networks_ = [], [result.model]
        self.network_ = result.model  # type: ignore[assignment]  # a model like a network
