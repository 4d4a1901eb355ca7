"""What the estimators share: parameters, the way from X to rows, and learning from incomplete rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from treebound._arguments import check_integer, check_type
from treebound._budget import MAX_THREADS, Budget, resolve_threads
from treebound._where import Local
from treebound.constraints import Constraints, check_constraints
from treebound.data import Dataset, Rules, Schema
from treebound.learning import learn
from treebound.network import DEFAULT_SMOOTHING, BayesianNetwork, Smoothing
from treebound.scoring import SCORE_IN_WORDS, Score
from treebound.sklearn._columns import Cutting, check_collection, position_of, positions_of, schema_of
from treebound.sklearn._inherited_docs import inherit_sections
from treebound.sklearn._ordered_rows import OrderedRows, seed_of
from treebound.sklearn._weights import Copies, copies_of
from treebound.tables import Table, frame_library, is_pandas, open_table, read_rows


@dataclass(kw_only=True, eq=False, repr=False)
class NetworkEstimator(BaseEstimator):  # type: ignore[misc]
    """A network of bounded treewidth, learned from X.

    Parameters are fields of a dataclass, whose constructor has the signature that scikit-learn reads.

    Parameters
    ----------
    max_treewidth : treewidth limit.
    steps : steps of the search; equal steps and seeds give equal networks on every machine.
    seconds : time for learning, instead of or in addition to steps; None for no limit.
    local_score : what a family is worth while the structure is searched; None for ``Bic()``.
    smoothing : prior of the CPTs; None for ``PseudoCount()``.
    discretise : how columns of many numbers are binned: "quantile", "median", "width" or "mdl", any
        other rule of ``load``, or a dict of rules by column; None bins none.
    bins : number of bins; a column with no more distinct numbers than that keeps them as they are.
    max_states : columns of more states than that are rejected.
    missing_state : names or positions of the columns in which a missing cell is a state of its own, True for
        all columns with missing values. Other missing cells are summed out.
    columns : names or positions of the columns of X to learn from; None for all of them.
    random_state : seed of the search and of all draws.
    constraints : what is known about the structure, as ``treebound.Constraints``; the names are those of the
        columns.
    n_jobs : number of threads, as in scikit-learn: None for 1 unless a joblib context says more, -1 for all.

    Attributes
    ----------
    network_ : the fitted ``BayesianNetwork``.
    verdict_ : the result of the checker for its structure.
    """

    max_treewidth: int = 3
    steps: int | None = 300
    seconds: float | None = None
    local_score: Score | None = None
    smoothing: Smoothing | None = None
    discretise: Rules = "quantile"
    bins: int = 5
    max_states: int = 256
    columns: Collection[str | int] | None = None
    random_state: Any = 0
    n_jobs: int | None = None
    constraints: Constraints | None = None
    missing_state: Collection[str | int] | bool = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._written_doc = cls.__doc__
        cls.__doc__ = inherit_sections(cls)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _table(self, X: Any, *, reset: bool) -> Any:
        """X as a table: frames as they are, all else as an array of two dimensions."""
        if reset:
            self._check_parameters()
        if not reset and self._has_known_columns(X):
            return X
        if frame_library(X) is not None:
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        least = 2 if reset else 1
        return validate_data(
            self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=least
        )

    def _has_known_columns(self, X: Any) -> bool:
        """Whether X is a pandas frame with the columns of training, in their order.

        scikit-learn finds nothing wrong with such a frame, but looks at each column name in turn.
        """
        names = getattr(self, "feature_names_in_", None)
        return names is not None and is_pandas(X) and X.columns.tolist() == names.tolist()

    def _check_parameters(self) -> None:
        """Reject what learning would fail on later, or not notice; it checks the rest itself."""
        check_type("local_score", self.local_score, Score | None, f"{SCORE_IN_WORDS}, or None")
        check_constraints(self.constraints)

    def _opened(self, X: Any, *, reset: bool) -> Table:
        """The columns of X to learn from, or that were learned from."""
        opened = open_table(self._table(X, reset=reset))
        if reset:
            self._names = opened.names
            self.column_indices_ = positions_of(self.columns, opened.names)
        # Columns are those of the training table, in its order; arrays have no names of their own.
        opened = replace(opened, names=self._names)
        is_whole = self.column_indices_ == list(range(len(self._names)))
        return opened if is_whole else opened.select(self.column_indices_)

    def _copies(self, X: Any, sample_weight: Any, opened: Table) -> Copies:
        return copies_of(sample_weight, X, opened.num_rows, len(opened.names), seed_of(self._rng()))

    def _cutting(self) -> Cutting:
        return Cutting(self.discretise, self.bins, self.max_states, self._with_missing_state())

    def _with_missing_state(self) -> Collection[str] | bool:
        """The columns in which a missing cell is a state, by name."""
        columns = self.missing_state
        if isinstance(columns, bool):
            return columns
        check_collection("missing_state", columns)
        return [self._names[position_of("missing_state", column, self._names)] for column in columns]

    def _learn_features(self, X: Any, sample_weight: Any) -> OrderedRows:
        """Learn the network of the columns of X; the rows that it was learned from."""
        opened = self._opened(X, reset=True)
        copies = self._copies(X, sample_weight, opened)
        taken = opened.take(copies.positions)
        schema = schema_of(taken, self._cutting())
        rows = read_rows(taken, schema, missing="keep")
        training = OrderedRows.of(rows, copies, copies.sorted_by(rows.codes))
        self.network_ = self._learned(training, self._rng())
        return training

    def _rows(self, X: Any) -> Dataset:
        """The rows of X for a network that is there already; values that it never saw count as missing."""
        check_is_fitted(self)
        return read_rows(self._opened(X, reset=False), self._features(), missing="keep", unseen="missing")

    def _features(self) -> Schema:
        """The variables that are columns of X, in their order."""
        return self.network_.schema

    def _log_likelihoods(self, X: Any) -> NDArray[np.float64]:
        rows = self._rows(X)
        return self.network_.log_likelihood_rows(rows, threads=self._threads())

    def _learned(self, training: OrderedRows, rng: np.random.RandomState) -> BayesianNetwork:
        result = learn(
            training.counted,
            self.max_treewidth,
            budget=Budget(seconds=self.seconds, steps=self.steps),
            score=self.local_score,
            missing="em",
            seed=seed_of(rng),
            where=Local(self._threads()),
            constraints=self.constraints,
        )
        self.verdict_ = result.verdict
        return training.fitted(result.structure, self.smoothing or DEFAULT_SMOOTHING, self._threads())

    def _rng(self) -> np.random.RandomState:
        rng: np.random.RandomState = check_random_state(self.random_state)
        return rng

    def _threads(self) -> int:
        jobs = effective_n_jobs(None) if self.n_jobs is None else self.n_jobs
        number = check_integer("n_jobs", jobs, -MAX_THREADS, MAX_THREADS)
        if number < 0:  # -1 is all, -2 all but one
            return max(1, resolve_threads(None) + 1 + number)
        return resolve_threads(number, "n_jobs")
