"""Queries of every model, one network or a mixture of them.

A model is a joint distribution over the variables of a schema. It implements a few exact primitives, about
evidence and about rows of codes; all queries about tables and single cases follow from them here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_integer, check_seed
from treebound.data import Dataset, Schema
from treebound.inference import Evidence, Impossible, Marginals, MostProbable, Posterior
from treebound.network._anomaly import AnomalyScores
from treebound.network._cases import is_case, rows_of_case
from treebound.network._impute import ImputeStrategy, check_strategy, fills_of
from treebound.network._names import position_of
from treebound.tables import (
    OnAbsent,
    Unseen,
    columns_like,
    encode,
    filled,
    open_rows,
    read_rows,
)

if TYPE_CHECKING:
    from treebound.network._explanation import Explanation

PredictedValue = Literal["state", "mean"]


class Model(ABC):
    """A joint distribution over the variables of a schema with exact queries.

    Evidence maps names of variables to what is known about them: a state, one of several, a range, or
    likelihoods of the states.

    In every method ``table`` is anything that ``load`` takes, a Dataset, or a single case: a dict from names
    to values, such as ``{"age": 30, "sex": "f"}``, for which the result is a single one too.

    ``unseen="missing"`` treats values that the model does not know as missing instead of rejecting them.
    ``on_absent`` says what happens if the table has no column for some variables: ``"warn"`` names them with
    the column that may be meant, ``"error"`` raises a DataError, ``"ignore"`` takes them for missing. A case
    may always omit variables, but all its names must be known unless they are ignored. ``threads`` is
    the number of threads; None for all that this process may use.

    Where the observed cells of a row have probability zero together nothing follows from them: such rows are
    rejected by name, and with ``impossible="nan"`` they go without a result. Their log-likelihood is minus
    infinity.

    Methods with ``rows`` are the primitives behind these: ``rows`` is a Dataset with the variables of the
    model, such as ``load(table, schema=model.schema, missing="keep")``.
    """

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """The variables with their states."""

    @abstractmethod
    def marginals(self, evidence: Evidence | None = None) -> Marginals:
        """Return the distribution of every variable given the evidence, by name."""

    @abstractmethod
    def posterior(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> Posterior:
        """Return the distribution of one variable, or the joint one of several, given the evidence."""

    @abstractmethod
    def log_probability(self, evidence: Evidence) -> float:
        """Return the natural logarithm of the probability of the evidence."""

    @abstractmethod
    def most_probable(self, evidence: Evidence | None = None) -> MostProbable:
        """Return the most probable state of all variables together, given the evidence."""

    @abstractmethod
    def sample(
        self, num_rows: int, seed: int = 0, evidence: Evidence | None = None, *, threads: int | None = None
    ) -> Dataset:
        """Draw rows independently, given the evidence; equal seeds give equal rows."""

    @abstractmethod
    def log_likelihood_rows(self, rows: Dataset, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the logarithm of the probability of the observed cells of each row."""

    @abstractmethod
    def posterior_rows(
        self, target: int, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> NDArray[np.float64]:
        """Return the distribution of a variable, by index, given the other cells of each row."""

    @abstractmethod
    def most_probable_rows(
        self, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> Dataset:
        """Return the rows with their most probable joint completion."""

    @abstractmethod
    def sample_rows_given(
        self, rows: Dataset, seed: int = 0, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> Dataset:
        """Return the rows with missing cells drawn given the known ones."""

    @abstractmethod
    def cell_surprises(self, rows: Dataset, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return what each cell adds to the negative log-likelihood of its row: (variables, rows)."""

    def explain(self, target: str, evidence: Evidence | None = None) -> Explanation:
        """Explain what each piece of evidence does to the distribution of a variable."""
        from treebound.network._explanation import explain

        return explain(self, target, evidence)

    def score_samples(
        self,
        table: Any,
        *,
        unseen: Unseen = "error",
        on_absent: OnAbsent = "warn",
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Log-likelihood of each row in nats, missing cells summed out."""
        rows = self._encoded(table, unseen, on_absent)
        return self.log_likelihood_rows(rows, threads=threads)

    def log_likelihood(
        self,
        table: Any,
        *,
        unseen: Unseen = "error",
        on_absent: OnAbsent = "warn",
        threads: int | None = None,
    ) -> float:
        """Log-likelihood of all rows together, in nats."""
        return float(self.score_samples(table, unseen=unseen, on_absent=on_absent, threads=threads).sum())

    def predict_proba(
        self,
        table: Any,
        target: str,
        *,
        unseen: Unseen = "error",
        impossible: Impossible = "raise",
        on_absent: OnAbsent = "warn",
        threads: int | None = None,
    ) -> Any:
        """Distribution of one variable in each row, given the rest of the row but not its own column.

        The result has one column per state, in the library of the table; a dict of probabilities for a case.
        """
        weights = self._posterior_rows(table, target, unseen, impossible, on_absent, threads)
        states = self.schema[target].states
        if is_case(table):
            return dict(zip(states, weights[0].tolist(), strict=True))
        return columns_like(table, dict(zip(states, weights.T, strict=True)))

    def predict(
        self,
        table: Any,
        target: str,
        *,
        value: PredictedValue = "state",
        unseen: Unseen = "error",
        impossible: Impossible = "raise",
        on_absent: OnAbsent = "warn",
        threads: int | None = None,
    ) -> Any:
        """Predict one variable in each row, given the rest of the row but not its own column.

        ``value="state"`` returns the most probable state, ``value="mean"`` the expected number of a numeric
        or binned variable, in which each bin counts with the mean of its numbers. The result is an array, or
        a single value for a case. With ``impossible="nan"``, rows without a result hold NaN among numbers and
        None among all else.
        """
        if value not in get_args(PredictedValue):
            raise ValueError(f"value must be 'state' or 'mean', got {value!r}.")
        if value == "mean":
            self.schema[position_of(target, self.schema)].require_numbers()
        weights = self._posterior_rows(table, target, unseen, impossible, on_absent, threads)
        if value == "mean":
            values = self.schema[target].expected_numbers(weights)
        else:
            values = self._most_probable_states(weights, target)
        return values.tolist()[0] if is_case(table) else values

    def _most_probable_states(self, weights: NDArray[np.float64], target: str) -> NDArray[Any]:
        values = self.schema[target].decode(weights.argmax(axis=1))
        is_impossible = np.isnan(weights[:, 0])
        if is_impossible.any():
            is_number = values.dtype.kind in "iuf"
            values = values.astype(np.float64 if is_number else object)
            values[is_impossible] = np.nan if is_number else None
        return values

    def impute(
        self,
        table: Any,
        *,
        strategy: ImputeStrategy = "most_probable",
        copies: int = 5,
        seed: int = 0,
        unseen: Unseen = "error",
        impossible: Impossible = "raise",
        on_absent: OnAbsent = "warn",
        threads: int | None = None,
    ) -> Any:
        """Fill in missing cells; all else stays as it is.

        The result is of the library of the table; a file comes back as a frame of pandas, or of polars or
        pyarrow where pandas is not installed.

        ``"most_probable"`` completes each row by its most probable completion, jointly for all its missing
        cells, and ``"draw"`` by one drawn from their posterior, which keeps the spread of the data. A binned
        column gets the median of the bin, or one of the numbers of the bin at random. ``"multiple"`` returns
        a list of tables, as many as ``copies``, each of them drawn; :func:`treebound.learning.impute` draws
        the CPTs, too.
        """
        check_strategy(strategy)
        given, on_absent = self._rows_of(table, on_absent)
        opened = open_rows(given, self.schema)
        rows = encode(opened, self.schema, missing="keep", unseen=unseen, on_absent=on_absent)
        number = check_integer("copies", copies, 1, 1_000) if strategy == "multiple" else 1
        found = []
        for copy in range(number):
            fills = fills_of(
                self,
                opened,
                rows,
                strategy=strategy,
                seed=check_seed(seed) + copy,
                unseen=unseen,
                impossible=impossible,
                threads=threads,
            )
            result = filled(given, opened, fills, self.schema)
            one = {name: cells[0] for name, cells in result.items()} if is_case(table) else result
            found.append(one)
        return found if strategy == "multiple" else found[0]

    def anomaly_scores(
        self,
        table: Any,
        *,
        unseen: Unseen = "error",
        on_absent: OnAbsent = "warn",
        threads: int | None = None,
    ) -> AnomalyScores:
        """How surprising each row is, and which of its cells make it so."""
        rows = self._encoded(table, unseen, on_absent)
        parts = self.cell_surprises(rows, threads=threads)
        return AnomalyScores(
            -self.log_likelihood_rows(rows, threads=threads),
            columns_like(table, dict(zip(self.schema.names, parts, strict=True))),
        )

    def _posterior_rows(
        self,
        table: Any,
        target: str,
        unseen: Unseen,
        impossible: Impossible,
        on_absent: OnAbsent,
        threads: int | None,
    ) -> NDArray[np.float64]:
        if isinstance(table, str) and not isinstance(target, str):
            raise TypeError(f"the table comes first, then the target: predict(table, {table!r}).")
        index = position_of(target, self.schema)
        rows = self._encoded(table, unseen, on_absent, target)
        return self.posterior_rows(index, rows, impossible=impossible, threads=threads)

    def _encoded(self, table: Any, unseen: Unseen, on_absent: OnAbsent, target: str | None = None) -> Dataset:
        given, on_absent = self._rows_of(table, on_absent)
        return read_rows(
            given, self.schema, missing="keep", unseen=unseen, on_absent=on_absent, target=target
        )

    def _rows_of(self, table: Any, on_absent: OnAbsent) -> tuple[Any, OnAbsent]:
        """The table that a case is, which may always omit variables; any other table as it is."""
        if not is_case(table):
            return table, on_absent
        return rows_of_case(table, self.schema, on_absent), "ignore"
