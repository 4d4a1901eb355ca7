"""Questions about the rows of a table: how likely they are, what a column should hold, what is missing.

Tables may lack columns and cells. What is not known is summed out exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from treebound.data import Unseen, columns_like, encode_rows
from treebound.inference import Impossible
from treebound.network._anomaly import AnomalyScores, surprises
from treebound.network._evidence_questions import EvidenceQuestions
from treebound.network._impute import ImputeStrategy, impute
from treebound.network._names import position_of

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork


class TableQuestions(EvidenceQuestions):
    """The part of a network that answers about the rows of a table.

    In every question ``table`` is anything that ``load`` takes, or a Dataset, and ``unseen="missing"`` treats
    values that the network does not know as not known instead of refusing them. ``threads`` is how many the
    answers may take; None for all that this process may use.

    Where the known cells of a row have probability zero together nothing follows from them: such rows are
    refused by name, and with ``impossible="nan"`` they go without an answer. Their log-likelihood is minus
    infinity.
    """

    def score_samples(
        self, table: Any, *, unseen: Unseen = "error", threads: int | None = None
    ) -> NDArray[np.float64]:
        """Log-likelihood of each row in nats, missing cells summed out."""
        rows = encode_rows(table, self.schema, unseen=unseen)
        return self.junction_tree.log_likelihood_rows(rows, threads=threads)

    def log_likelihood(self, table: Any, *, unseen: Unseen = "error", threads: int | None = None) -> float:
        """Log-likelihood of all rows together, in nats."""
        return float(self.score_samples(table, unseen=unseen, threads=threads).sum())

    def predict_proba(
        self,
        table: Any,
        target: str,
        *,
        unseen: Unseen = "error",
        impossible: Impossible = "raise",
        threads: int | None = None,
    ) -> Any:
        """Distribution of one variable in each row, given the rest of the row but not its own column.

        The answer has one column per state, in the library that the table came in.
        """
        weights = self._posterior_rows(table, target, unseen, impossible, threads)
        return columns_like(table, dict(zip(self.schema[target].states, weights.T, strict=True)))

    def predict(
        self,
        table: Any,
        target: str,
        *,
        unseen: Unseen = "error",
        impossible: Impossible = "raise",
        threads: int | None = None,
    ) -> NDArray[Any]:
        """The most probable value of one variable in each row, given the rest of the row.

        With ``impossible="nan"``, rows without an answer hold NaN among numbers and None among all else.
        """
        weights = self._posterior_rows(table, target, unseen, impossible, threads)
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
        seed: int = 0,
        unseen: Unseen = "error",
        impossible: Impossible = "raise",
        threads: int | None = None,
    ) -> Any:
        """Fill in missing cells; all else stays as it is, and the answer is of the table's own library.

        ``"most_probable"`` completes each row by its most probable completion, jointly for all its missing
        cells, and ``"draw"`` by one drawn from their posterior, which keeps the spread of the data. Numbers
        are put back into a binned column: the middle of the bin, or a number drawn inside it.
        """
        return impute(
            cast("BayesianNetwork", self),
            table,
            strategy=strategy,
            seed=seed,
            unseen=unseen,
            impossible=impossible,
            threads=threads,
        )

    def anomaly_scores(
        self, table: Any, *, unseen: Unseen = "error", threads: int | None = None
    ) -> AnomalyScores:
        """How surprising each row is, and which of its cells make it so."""
        rows = encode_rows(table, self.schema, unseen=unseen)
        parts = surprises(cast("BayesianNetwork", self), rows, threads)
        return AnomalyScores(
            -self.junction_tree.log_likelihood_rows(rows, threads=threads),
            columns_like(table, dict(zip(self.schema.names, parts, strict=True))),
        )

    def _posterior_rows(
        self, table: Any, target: str, unseen: Unseen, impossible: Impossible, threads: int | None
    ) -> NDArray[np.float64]:
        if isinstance(table, str) and not isinstance(target, str):
            raise TypeError(f"the table comes first, then the target: predict(table, {table!r}).")
        index = position_of(target, self.schema)
        rows = encode_rows(table, self.schema, unseen=unseen)
        return self.junction_tree.posterior_rows(index, rows, impossible=impossible, threads=threads)
