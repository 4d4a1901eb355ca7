"""Networks over the features and a target, learned to predict the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from treebound._arguments import check_integer, check_type
from treebound._budget import Budget
from treebound.constraints import ContradictionError
from treebound.data import MISSING, Dataset, Rules, Schema
from treebound.network import SMOOTHING_IN_WORDS, Model, Smoothing
from treebound.sklearn._base import NetworkEstimator
from treebound.sklearn._bins import AUTO_RULES
from treebound.sklearn._choice import SMOOTHINGS, Candidate, Choice, choose
from treebound.sklearn._kinds import Kind, Learner, Source, check_kind, check_obeys, kinds_within
from treebound.sklearn._labelled import Labelled
from treebound.sklearn._ordered_rows import OrderedRows, seed_of
from treebound.sklearn._target import Target
from treebound.sklearn._trials import Pair, class_probabilities
from treebound.sklearn._weights import Copies
from treebound.structure import Structure, Verdict, check
from treebound.tables import Table


@dataclass(kw_only=True, eq=False, repr=False)
class TargetEstimator(NetworkEstimator):
    """Bayesian networks of bounded treewidth over features and target; exact posteriors of the target.

    Features may have missing values, in training and in prediction. By default networks of several kinds are
    learned, each with several priors of its CPTs, and their probabilities are averaged, with the weights that
    make the targets of held-out rows most likely. Below, the class is the state of the target.

    Parameters
    ----------
    structure : the kind of network. In ``"naive"`` the class is the only parent of every feature, in
        ``"tree"`` each feature has another as a parent too, and in ``"augmented-bic"``, ``"augmented-aic"``
        and ``"augmented-likelihood"`` as many as the treewidth limit allows and the criterion wants;
        ``"joint"`` treats the class like any other variable. ``"prior"`` ignores the features.
        ``"average"`` is the average of them, ``"best"`` the one that classifies held-out rows best. A
        classifier also takes ``"density"``: the mixture of ``learn_density`` over features and class. Its
        training takes a hundred times ``steps``, or ``seconds``. It has no candidates and no verdict and
        obeys no constraints; ``folds``, ``smoothing``, ``local_score`` and ``max_treewidth`` do not apply.
    smoothing : prior of the CPTs; None tries several. With a structure given the best of them is taken.
    folds : number of folds that are held out, each once, to find bins and weights, or the best.
    discretise : ``"auto"`` takes ``"quantile"`` or ``"supervised"``, whichever predicts held-out rows better.
        ``"supervised"`` makes bins for the class, in each fold from the rows to learn from alone.
    steps : steps of each search; with ``"average"`` and ``"best"`` there are several for each fold.
    constraints : what is known about the structure, as ``treebound.Constraints``; the target is called as in
        ``networks_``. Every network obeys them. ``"average"`` and ``"best"`` skip the kinds of networks that
        cannot, such as those in which the class is a root if an arc into it is required.

    Attributes
    ----------
    networks_ : the fitted networks that have a weight, the greatest first. Their last variable is the target,
        named as y is if that is a series or a frame with a name, else ``"target"``.
    network_ : the first of them, and the only one unless ``structure="average"``.
    candidates_ : what was tried, in the order of ``networks_`` as far as these go: ``structure``,
        ``smoothing``, on held-out rows ``accuracy`` and ``log_probability`` of the true class, NaN where
        there was nothing to choose, and the ``weight`` in the average.
    discretise_ : the rule of the bins, the chosen one for ``"auto"``.
    feature_importances_ : mutual information of each feature with the target, in nats.
    verdict_ : the result of the checker for the structure of ``network_``; the others are checked too.
    """

    structure: Literal["average", "best"] | Kind = "average"
    folds: int = 5
    steps: int | None = 10
    discretise: Rules = "auto"
    _other_models: ClassVar[tuple[str, ...]] = ()  # values of structure that are no kinds of networks

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mutual information of each column of X with the target, in nats; 0 for columns not learned from.

        It is the average of that in ``networks_``, with their weights.
        """
        check_is_fitted(self)
        found = np.zeros(self.n_features_in_)
        for model, weight in self._weighted_models():
            *names, target = model.schema.names
            found[self.column_indices_] += [
                weight * _mutual_information(model, name, target) for name in names
            ]
        return found

    def _probabilities(self, X: Any) -> NDArray[np.float64]:
        """The distribution of the target in each row."""
        features = self._rows(X)
        target = np.full((1, features.num_rows), MISSING, dtype=np.int32)
        schema, threads = self.network_.schema, self._threads()
        rows = Dataset(schema, np.vstack([features.codes, target]))
        averaged = np.zeros((rows.num_rows, schema.cardinalities[-1]))
        for model, weight in self._weighted_models():
            averaged += weight * class_probabilities(model, rows, threads)
        return averaged

    def _weighted_models(self) -> list[tuple[Model, float]]:
        weights = [candidate.weight for candidate in self.candidates_] or [1.0]  # a density is alone
        return list(zip(self.networks_, weights, strict=False))  # the others weigh nothing

    def _features(self) -> Schema:
        return self._without_target

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_kind(self.structure, check_integer("max_treewidth", self.max_treewidth, 0), self._other_models)
        check_integer("folds", self.folds, 2)
        check_type("smoothing", self.smoothing, Smoothing | None, f"{SMOOTHING_IN_WORDS}, or None")

    def _table_of(self, X: Any, labels: NDArray[Any], sample_weight: Any) -> tuple[Table, Copies]:
        """The rows to learn from, as often as they count."""
        opened = self._opened(X, reset=True)
        check_consistent_length(range(opened.num_rows), labels)
        copies = self._copies(X, sample_weight, opened)
        return opened.take(copies.positions), copies

    def _learn_target(
        self, table: Table, target: Target, copies: Copies, *, holds_out: bool = False
    ) -> Choice:
        """Choose bins, weigh networks, learn those that count from all rows, and check them."""
        options = self._options(table, target, copies)
        pairs = self._pairs(options[0].training.rows.schema.names)
        num_kinds = len({kind for kind, _ in pairs})
        # Missing cells are drawn from a network that is learned first.
        learner = self._learner(num_kinds + (not options[0].training.rows.is_complete))
        averages = self.structure == "average"
        choice = choose(options, pairs, learner, self.folds, averages=averages, holds_out=holds_out)
        self.candidates_: list[Candidate] = choice.candidates
        self._take_features(choice.rows)
        self._fit_networks(learner.completed(choice.rows.training), learner)
        return choice

    def _take_features(self, rows: Labelled) -> None:
        """Remember bins and states of the features."""
        self.discretise_ = rows.cutting.rules
        schema = rows.training.rows.schema
        self._without_target = Schema(schema.variables[:-1], schema.preparation)

    def _options(self, table: Table, target: Target, copies: Copies) -> list[Labelled]:
        """The rows with the bins of each rule to compare."""
        if self.discretise != "auto":
            return [Labelled.of(table, target, self._cutting(), copies)]
        options: list[Labelled] = []
        for rule in AUTO_RULES:
            options.append(Labelled.of(table, target, replace(self._cutting(), rules=rule), copies))
            if not options[0].has_bins:
                break
        return options

    def _pairs(self, names: Sequence[str]) -> list[Pair]:
        smoothings = SMOOTHINGS if self.smoothing is None else (self.smoothing,)
        if self.structure != "average" and self.structure != "best":
            self._check_obeys(self.structure, names)
            return [(self.structure, smoothing) for smoothing in smoothings]
        kinds = self._obeying(kinds_within(self.max_treewidth, len(names) - 1), names)
        pairs = [(kind, smoothing) for kind in kinds for smoothing in smoothings]
        # Where the features say nothing, the frequencies of the classes alone predict best.
        others: list[Kind] = ["prior"] if self.max_treewidth > 0 else []
        return [*pairs, *((kind, smoothings[0]) for kind in self._obeying(others, names))]

    def _check_obeys(self, kind: Kind, names: Sequence[str]) -> None:
        if self.constraints is None:
            return
        try:
            check_obeys(kind, self.constraints, names, self.max_treewidth)
        except ContradictionError as error:
            advice = "" if kind == "joint" else " structure='joint' or 'average' may obey them."
            raise ContradictionError(
                f"structure={kind!r} cannot obey the constraints. {error}{advice}"
            ) from None

    def _obeying(self, kinds: list[Kind], names: Sequence[str]) -> list[Kind]:
        """Return the kinds that can obey the constraints; ContradictionError if nothing can."""
        if self.constraints is None:
            return kinds
        found = []
        for kind in kinds:
            try:
                check_obeys(kind, self.constraints, names, self.max_treewidth)
            except ContradictionError:
                if kind == "joint":  # any structure at all
                    raise
            else:
                found.append(kind)
        return found

    def _fit_networks(self, complete: OrderedRows, learner: Learner) -> None:
        chosen = [candidate for candidate in self.candidates_ if candidate.weight > 0]
        wanted = list(dict.fromkeys(candidate.structure for candidate in chosen))
        structures = dict(learner.learned(wanted, Source(complete.counted, learner.threads)))
        verdicts = {kind: self._checked(structure) for kind, structure in structures.items()}
        self.verdict_ = verdicts[chosen[0].structure]
        self.networks_: list[Model] = [
            complete.fitted(structures[one.structure], one.smoothing, self._threads()) for one in chosen
        ]
        self.network_ = self.networks_[0]  # type: ignore[assignment]  # a network

    def _checked(self, structure: Structure) -> Verdict:
        verdict = check(structure, max_treewidth=self.max_treewidth)
        if not verdict:
            raise RuntimeError(f"The network of the classifier does not hold: {verdict}")
        return verdict

    def _learner(self, num_searches: int) -> Learner:
        """What learns networks, with an equal share of the time for each search of each fold."""
        seconds = None if self.seconds is None else self.seconds / (num_searches * (self.folds + 1))
        budget = Budget(seconds=seconds, steps=self.steps)
        seed = seed_of(self._rng())
        return Learner(self.max_treewidth, budget, self.local_score, seed, self._threads(), self.constraints)


def _mutual_information(model: Model, a: str, b: str) -> float:
    joint = model.posterior((a, b)).array
    return max(0.0, _entropy(joint.sum(axis=0)) + _entropy(joint.sum(axis=1)) - _entropy(joint))


def _entropy(distribution: NDArray[np.float64]) -> float:
    positive = distribution[distribution > 0]
    return float(-(positive @ np.log(positive)))
