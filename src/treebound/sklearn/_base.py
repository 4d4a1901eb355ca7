"""What the estimators share: parameters, the way from X to rows, and learning from rows that lack values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from treebound._arguments import check_integer, check_type
from treebound._budget import MAX_THREADS, Budget, resolve_threads
from treebound._learn import learn
from treebound.data import BinMethod, Dataset, Rows, Schema, encode_rows, frame_library
from treebound.network import DEFAULT_SMOOTHING, BayesianNetwork, Smoothing, fit
from treebound.scoring import SCORE_IN_WORDS, Score
from treebound.sklearn._columns import schema_of

# Largest seed that every version of numpy's generators draws alike.
_MAX_SEED = 2**31 - 1


@dataclass(kw_only=True, eq=False, repr=False)
class NetworkEstimator(BaseEstimator):  # type: ignore[misc]
    """A network of bounded treewidth, learned from X.

    Parameters are fields of a dataclass, whose constructor has the signature that scikit-learn reads.

    Parameters
    ----------
    max_treewidth : bound on the treewidth of the network.
    steps : steps of the search; the same number and seed give the same network on every machine.
    seconds : time for learning, instead of steps or besides them; None for no limit.
    local_score : what a family is worth while the structure is searched; None for ``Bic()``.
    smoothing : prior of the tables; None for ``PseudoCount()``.
    discretise : how columns of many numbers are cut into bins: "quantile", "median" or "width".
    bins : number of these bins; a column with no more distinct numbers than that keeps them as they are.
    completions : how often the network is learned again if X lacks values. Each time, missing cells are drawn
        from the network before, at first from their columns.
    random_state : seed of the search and of all draws.
    n_jobs : number of threads, as in scikit-learn: None for 1 unless a joblib context says more, -1 for all.

    Attributes
    ----------
    network_ : the fitted ``BayesianNetwork``.
    """

    max_treewidth: int = 3
    steps: int | None = 300
    seconds: float | None = None
    local_score: Score | None = None
    smoothing: Smoothing | None = None
    discretise: BinMethod = "quantile"
    bins: int = 5
    completions: int = 3
    random_state: Any = 0
    n_jobs: int | None = None

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
        if frame_library(X) is not None:
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        least = 2 if reset else 1
        return validate_data(
            self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=least
        )

    def _check_parameters(self) -> None:
        """Refuse what learning would fail on later, or not notice; it checks the rest itself."""
        check_type("local_score", self.local_score, Score | None, f"{SCORE_IN_WORDS}, or None")
        check_integer("completions", self.completions, 1)

    def _learn_features(self, table: Any) -> BayesianNetwork:
        schema = schema_of(table, self.discretise, self.bins)
        return self._learn(schema, encode_rows(table, schema))

    def _rows(self, X: Any) -> Rows:
        """The rows of X for a network that is there already; values that it never saw count as missing."""
        check_is_fitted(self)
        features = Schema(self.network_.schema.variables[: self.n_features_in_])
        return encode_rows(self._table(X, reset=False), features, unseen="missing")

    def _learn(self, schema: Schema, rows: Rows) -> BayesianNetwork:
        """Learn a network; where rows lack values, learn again from rows that the network completed."""
        rng = check_random_state(self.random_state)
        is_missing = rows < 0
        network = self._learn_complete(schema, _guessed(rows, rng), rng)
        for _ in range(self.completions - 1 if is_missing.any() else 0):
            drawn = network.junction_tree.sample_rows_given(rows, self._seed(rng), impossible="nan")
            # Rows of probability zero keep their gaps, and are guessed again.
            network = self._learn_complete(schema, _guessed(drawn, rng), rng)
        return network

    def _learn_complete(self, schema: Schema, rows: Rows, rng: np.random.RandomState) -> BayesianNetwork:
        data = Dataset(schema, rows)  # type: ignore[arg-type]  # which narrows the codes
        budget = Budget(seconds=self.seconds, steps=self.steps)
        result = learn(
            data,
            self.max_treewidth,
            budget=budget,
            score=self.local_score,
            seed=self._seed(rng),
            threads=self._threads(),
        )
        return fit(result, data, smoothing=self.smoothing or DEFAULT_SMOOTHING, threads=self._threads())

    def _threads(self) -> int:
        jobs = effective_n_jobs(None) if self.n_jobs is None else self.n_jobs
        number = check_integer("n_jobs", jobs, -MAX_THREADS, MAX_THREADS)
        if number < 0:  # -1 is all, -2 all but one
            return max(1, resolve_threads(None) + 1 + number)
        return resolve_threads(number, "n_jobs")

    @staticmethod
    def _seed(rng: np.random.RandomState) -> int:
        return int(rng.randint(_MAX_SEED))


def _guessed(rows: Rows, rng: np.random.RandomState) -> Rows:
    """Rows in which each missing cell has the value of another row, drawn at random."""
    complete = rows.copy()
    for column in complete:
        known: NDArray[np.int32] = column[column >= 0]
        column[column < 0] = rng.choice(known, size=len(column) - len(known))
    return complete
