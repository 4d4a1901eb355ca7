"""Classification: networks over the features and the target, asked for the target."""

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
from treebound.sklearn._choice import SMOOTHINGS, choose
from treebound.sklearn._columns import schema_of
from treebound.sklearn._kinds import Kind, Learner, check_kind, kinds_within
from treebound.sklearn._target import labels_of, name_of, target_of
from treebound.sklearn._training import Training
from treebound.sklearn._trials import class_probabilities
from treebound.structure import Structure, Verdict, check


@dataclass(kw_only=True, eq=False, repr=False)
class TreeboundClassifier(ClassifierMixin, NetworkEstimator):  # type: ignore[misc]
    """Bayesian networks of bounded treewidth over features and target; exact posteriors of the target.

    Features may lack values, in training and in prediction. By default networks of several kinds are learned,
    each with several priors of its tables, and their probabilities are averaged, with the weights that make
    the classes of rows held out most likely.

    Parameters
    ----------
    structure : the kind of network. In ``"naive"`` the class is the only parent of every feature, in
        ``"tree"`` each feature has another as a parent too, and in ``"augmented-bic"``, ``"augmented-aic"``
        and ``"augmented-likelihood"`` as many as the bound allows and the criterion wants; ``"joint"`` treats
        the class like any other variable. ``"average"`` is the average of them, ``"best"`` the one that
        classifies rows held out best.
    smoothing : prior of the tables; None tries several. With a structure given the best of them is taken.
    folds : in how many parts the rows are held out to find weights, or the best.
    discretise : also ``"supervised"``: bins that are made for the target.
    steps : of each search; with ``"average"`` and ``"best"`` there are several for each part.

    The other parameters are those of NetworkEstimator.

    Attributes
    ----------
    classes_ : the values of the target.
    networks_ : the fitted networks that have a weight, the greatest first. Their last variable is the target,
        named as y is if that is a series or a frame with a name, else ``"target"``, with the classes as
        states.
    network_ : the first of them, and the only one unless ``structure="average"``.
    candidates_ : what was tried, in the order of ``networks_`` as far as these go: ``structure``,
        ``smoothing``, on rows held out ``accuracy`` and ``log_probability`` of the true class, NaN where
        nothing was to choose, and the ``weight`` in the average.
    verdict_ : what the checker says about the structure of ``network_``; the others are checked alike.
    """

    structure: Literal["average", "best"] | Kind = "average"
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

        They are the average of what ``networks_`` say, with the weights of ``candidates_``. Rows of
        probability zero, which needs ``smoothing=MaximumLikelihood()``, say nothing about their class: they
        get the probabilities of the classes without any features.
        """
        features = self._rows(X)
        target = np.full((1, features.shape[1]), -1, dtype=np.int32)
        rows, threads = np.vstack([features, target]), self._threads()
        averaged = np.zeros((rows.shape[1], len(self.classes_)))
        for network, candidate in zip(self.networks_, self.candidates_, strict=False):  # others weigh nothing
            averaged += candidate.weight * class_probabilities(network, rows, threads)
        return averaged

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
        """Weigh networks, learn those that count from all rows, and have them checked."""
        rng = self._rng()
        complete = self._completed(training, rng)
        kinds = kinds_within(self.max_treewidth, len(training.schema) - 1)
        if self.structure != "average" and self.structure != "best":
            kinds = [self.structure]
        smoothings = SMOOTHINGS if self.smoothing is None else (self.smoothing,)
        pairs = [(kind, smoothing) for kind in kinds for smoothing in smoothings]
        learner = self._learner(len(kinds), self._seed(rng))
        averages = self.structure == "average"
        self.candidates_ = choose(training, complete, pairs, learner, self.folds, averages=averages)
        chosen = [candidate for candidate in self.candidates_ if candidate.weight > 0]
        wanted = list(dict.fromkeys(candidate.structure for candidate in chosen))
        structures = dict(learner.learned(wanted, complete.counted))
        verdicts = {kind: self._checked(structure) for kind, structure in structures.items()}
        self.verdict_ = verdicts[chosen[0].structure]
        self.networks_ = [
            complete.fitted(structures[one.structure], one.smoothing, self._threads()) for one in chosen
        ]
        self.network_ = self.networks_[0]

    def _checked(self, structure: Structure) -> Verdict:
        verdict = check(structure, max_treewidth=self.max_treewidth)
        if not verdict:
            raise RuntimeError(f"The network of the classifier does not hold: {verdict}")
        return verdict

    def _learner(self, num_kinds: int, seed: int) -> Learner:
        num_searches = num_kinds * (self.folds + 1)
        seconds = None if self.seconds is None else self.seconds / num_searches
        budget = Budget(seconds=seconds, steps=self.steps)
        return Learner(self.max_treewidth, budget, self.local_score, seed, self._threads())
