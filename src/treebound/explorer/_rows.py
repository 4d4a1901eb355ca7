"""The rows of a table next to the network: how strange each is, which cells are to blame, what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.network import BayesianNetwork, surprises
from treebound.tables import Rows, encode_rows

MOST_LISTED = 200
_MOST_BLAMED = 200


@dataclass(frozen=True, eq=False)
class RowTable:
    """The codes of a table, -1 for missing cells, of shape (variables, rows)."""

    network: BayesianNetwork
    codes: Rows

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The anomaly score of each row: its negative log-likelihood, infinite for impossible rows."""
        return -self.network.junction_tree.log_likelihood_rows(self.codes)

    @cached_property
    def strangest(self) -> NDArray[np.int64]:
        """The rows, the strangest first."""
        return np.argsort(-self.scores, kind="stable")


def read_rows(network: BayesianNetwork, table: Any) -> RowTable:
    """Read a table with the states of a network; values that it does not know become missing."""
    return RowTable(network, encode_rows(table, network.schema, unseen="missing"))


def listed(rows: RowTable, order: str, first: int, target: int | None) -> dict[str, Any]:
    """A page of rows: scores, numbers of missing cells and, with a target, its truth and its prediction."""
    all_rows = rows.strangest if order == "strangest" else np.arange(rows.num_rows)
    shown = all_rows[first : first + MOST_LISTED]
    codes = rows.codes[:, shown]
    page: dict[str, Any] = {
        "total": rows.num_rows,
        "rows": shown.tolist(),
        "scores": [_number(score) for score in rows.scores[shown].tolist()],
        "missing": np.count_nonzero(codes < 0, axis=0).tolist(),
    }
    return page if target is None else {**page, **_predicted(rows, target, shown)}


def _predicted(rows: RowTable, target: int, shown: NDArray[np.int64]) -> dict[str, Any]:
    """Truth and prediction of a column, each row without its own cell, and the accuracy on all rows."""
    weights = rows.network.junction_tree.posterior_rows(target, rows.codes, impossible="nan")
    found = np.where(np.isnan(weights[:, 0]), -1, weights.argmax(axis=1))
    truth = rows.codes[target]
    comparable = (truth >= 0) & (found >= 0)
    right = float(np.mean(truth[comparable] == found[comparable])) if comparable.any() else None
    sure = np.nan_to_num(weights.max(axis=1))
    return {
        "truth": truth[shown].tolist(),
        "predicted": found[shown].tolist(),
        "confidence": sure[shown].tolist(),
        "accuracy": right,
        "compared": int(comparable.sum()),
    }


def cells(rows: RowTable, row: int) -> dict[str, Any]:
    """One row: its score, its cells, and the cells that contribute most to the score."""
    codes = rows.codes[:, [row]]
    blame = surprises(rows.network, codes)[:, 0]
    order = np.argsort(-np.nan_to_num(blame, nan=0.0, posinf=np.inf), kind="stable")[:_MOST_BLAMED]
    known = [int(v) for v in order if codes[v, 0] >= 0]
    return {
        "row": row,
        "score": _number(float(rows.scores[row])),
        "rank": int(np.flatnonzero(rows.strangest == row)[0]),
        "codes": codes[:, 0].tolist(),
        "blamed": [{"variable": v, "score": _number(float(blame[v]))} for v in known],
    }


def _number(value: float) -> float | None:
    """A number for JSON; None for those that it does not have."""
    return value if np.isfinite(value) else None
