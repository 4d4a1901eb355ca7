"""The rows of a table next to the network: how strange each is, which cells are to blame, what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset
from treebound.network import BayesianNetwork, surprises
from treebound.tables import load

MOST_LISTED = 200
_MOST_BLAMED = 200


@dataclass(frozen=True, eq=False)
class RowTable:
    """The rows of a table, in the variables of a network."""

    network: BayesianNetwork
    data: Dataset

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The anomaly score of each row: its negative log-likelihood, infinite for impossible rows."""
        return -self.network.junction_tree.log_likelihood_rows(self.data)

    @cached_property
    def strangest(self) -> NDArray[np.int64]:
        """The rows, the strangest first."""
        return np.argsort(-self.scores, kind="stable")


def read_rows(network: BayesianNetwork, table: Any) -> RowTable:
    """Read a table with the states of a network; values that it does not know become missing."""
    data = load(table, schema=network.schema, missing="keep", unseen="missing", on_absent="ignore")
    return RowTable(network, data)


def listed(rows: RowTable, order: str, first: int, target: int | None) -> dict[str, Any]:
    """A page of rows: scores, numbers of missing cells and, with a target, its truth and its prediction."""
    all_rows = rows.strangest if order == "strangest" else np.arange(rows.data.num_rows)
    shown = all_rows[first : first + MOST_LISTED]
    codes = rows.data.codes[:, shown]
    page: dict[str, Any] = {
        "total": rows.data.num_rows,
        "rows": shown.tolist(),
        "scores": [_number(score) for score in rows.scores[shown].tolist()],
        "missing": np.count_nonzero(codes < 0, axis=0).tolist(),
    }
    return page if target is None else {**page, **_predicted(rows, target, shown)}


def _predicted(rows: RowTable, target: int, shown: NDArray[np.int64]) -> dict[str, Any]:
    """Truth and prediction of a column, each row without its own cell, and the accuracy on all rows."""
    weights = rows.network.junction_tree.posterior_rows(target, rows.data, impossible="nan")
    found = np.where(np.isnan(weights[:, 0]), -1, weights.argmax(axis=1))
    truth = rows.data.codes[target]
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
    alone = rows.data.take(np.array([row]))
    codes = alone.codes
    blame = surprises(rows.network, alone)[:, 0]
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
