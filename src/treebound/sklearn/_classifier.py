"""Classification: a network over the features and the target, asked for the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_consistent_length

from treebound._arguments import check_integer, check_type
from treebound._budget import Budget
from treebound.data import Schema, encode_rows
from treebound.network import SMOOTHING_IN_WORDS, Smoothing
from treebound.sklearn._base import NetworkEstimator
from treebound.sklearn._choice import SMOOTHINGS, choose, class_probabilities
from treebound.sklearn._columns import schema_of
from treebound.sklearn._kinds import Kind, Learner, check_kind, kinds_within
from treebound.sklearn._target import labels_of, name_of, target_of
from treebound.sklearn._training import Training
from treebound.structure import check


@dataclass(kw_only=True, eq=False, repr=False)
class TreeboundClassifier(ClassifierMixin, NetworkEstimator):  # type: ignore[misc]
    """Bayesian network of bounded treewidth over the features and the target; exact posteriors of the target.

    Features may lack values, in training and in prediction. By default networks of several kinds are learned,
    each with several priors of its tables, and the one is taken that classifies best rows that were held out.

    Parameters
    ----------
    structure : the kind of network. In ``"naive"`` the class is the only parent of every feature, in
        ``"tree"`` each feature has another as a parent too, and in ``"augmented-bic"``, ``"augmented-aic"``
        and ``"augmented-likelihood"`` as many as the bound allows and the criterion wants; ``"joint"`` treats
        the class like any other variable. ``"best"`` is the best of them.
    smoothing : prior of the tables; None for the best of several.
    folds : in how many parts the rows are held out to find the best.
    discretise : also ``"supervised"``: bins that are made for the target.
    steps : of each search; with ``"best"`` there are several for each part.

    The other parameters are those of NetworkEstimator.

    Attributes
    ----------
    classes_ : the values of the target.
    network_ : the fitted ``BayesianNetwork``; its last variable is the target, named as y is if that is a
        series or a frame with a name, else ``"target"``, with the classes as states.
    candidates_ : the networks that were tried, the chosen one first: ``structure``, ``smoothing``, and on
        rows held out ``accuracy`` and ``log_probability`` of the true class, NaN where nothing was to choose.
    verdict_ : what the checker says about its structure.
    """

    structure: Literal["best"] | Kind = "best"
    folds: int = 5
    steps: int | None = 100

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn a network over the columns of X and y; a row of weight w counts as w rows."""
        labels = labels_of(y)
        opened = self._opened(X, reset=True)
        check_consistent_length(range(opened.num_rows), labels)
        copies = self._copies(X, sample_weight, opened)
        target = target_of(name_of(y, opened.names), labels[copies.positions])
        taken = opened.take(copies.positions)
        features = schema_of(taken, self._cutting(), target)
        schema = Schema((*features, target.variable), features.preparation)
        rows = np.vstack([encode_rows(taken, features), target.codes])
        self.classes_ = target.classes
        self._without_class = features
        self._learn_class(Training.of(schema, rows, copies))
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes, in the order of ``classes_``; missing values are summed out.

        Rows of probability zero, which needs ``smoothing=MaximumLikelihood()``, say nothing
        about their class: they get the probabilities of the classes without any features.
        """
        rows = self._rows(X)
        target = np.full((1, rows.shape[1]), -1, dtype=np.int32)
        return class_probabilities(self.network_, np.vstack([rows, target]), self._threads())

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        probabilities = self.predict_proba(X)
        predicted: NDArray[Any] = self.classes_[probabilities.argmax(axis=1)]
        return predicted

    def _features(self) -> Schema:
        return self._without_class

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_kind(self.structure, check_integer("max_treewidth", self.max_treewidth, 0))
        check_integer("folds", self.folds, 2)
        check_type("smoothing", self.smoothing, Smoothing | None, f"{SMOOTHING_IN_WORDS}, or None")

    def _learn_class(self, training: Training) -> None:
        """Choose among networks, learn the chosen one from all rows, and have it checked."""
        rng = self._rng()
        complete = self._completed(training, rng)
        kinds = kinds_within(self.max_treewidth, len(training.schema) - 1)
        if self.structure != "best":
            kinds = [self.structure]
        smoothings = SMOOTHINGS if self.smoothing is None else (self.smoothing,)
        learner = self._learner(len(kinds), self._seed(rng))
        self.candidates_ = choose(training, complete, kinds, smoothings, learner, self.folds)
        chosen = self.candidates_[0]
        ((_, structure),) = learner.learned([chosen.structure], complete.counted)
        self.verdict_ = check(structure, max_treewidth=self.max_treewidth)
        if not self.verdict_:
            raise RuntimeError(f"The network of the classifier does not hold: {self.verdict_}")
        self.network_ = complete.fitted(structure, chosen.smoothing, self._threads())

    def _learner(self, num_kinds: int, seed: int) -> Learner:
        num_searches = num_kinds * self.folds + 1
        seconds = None if self.seconds is None else self.seconds / num_searches
        budget = Budget(seconds=seconds, steps=self.steps)
        return Learner(self.max_treewidth, budget, self.local_score, seed, self._threads())
