"""Rows to train on and rows to choose by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset, Schema
from treebound.tables import load

_HELD_OUT = 0.1
_FEWEST_ROWS = 10


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to train on and held-out rows; both may have gaps and weights."""

    train: Dataset
    valid: Dataset

    @property
    def schema(self) -> Schema:
        """The variables with their states."""
        return self.train.schema

    @property
    def weights(self) -> NDArray[np.float64]:
        """What each training row counts."""
        return np.ones(self.train.num_rows) if self.train.weights is None else self.train.weights

    @property
    def valid_weights(self) -> NDArray[np.float64]:
        """What each held-out row counts; they sum to one."""
        weights = self.valid.weights
        if weights is None or not weights.sum() > 0:
            weights = np.ones(self.valid.num_rows)
        shares: NDArray[np.float64] = weights / weights.sum()
        return shares

    def valid_mean(self, logs: NDArray[np.float64]) -> float:
        """Return the mean over the held-out rows."""
        return float(self.valid_weights @ logs)

    def complete_rows(self) -> Dataset:
        """Return complete training rows, for structures and single networks.

        Incomplete rows are skipped if at least half are complete; else gaps are filled with values of other
        rows of the same column, which weakens dependencies but invents none.
        """
        complete = self.train.complete()
        if 2 * complete.num_rows >= self.train.num_rows:
            return complete
        codes, rng = np.array(self.train.codes), np.random.default_rng(0)
        for column in codes:
            known = column[column >= 0]
            column[column < 0] = rng.choice(known if len(known) else [0], int((column < 0).sum()))
        return Dataset(self.schema, codes, self.train.weights)


def split_of(table: Any, valid: Any, seed: int) -> Split:
    """Read the rows; without ``valid``, hold out a tenth of them."""
    rows = table if isinstance(table, Dataset) else load(table, missing="keep")
    if rows.num_rows < _FEWEST_ROWS:
        raise ValueError(f"Expected at least {_FEWEST_ROWS} rows to learn a density, got {rows.num_rows}.")
    if valid is not None:
        chosen = load(valid, schema=rows.schema, missing="keep")
        if not chosen.num_rows:
            raise ValueError("valid must have at least one row, got none.")
        return Split(rows, chosen)
    order = np.random.default_rng(seed).permutation(rows.num_rows)
    held_out, kept = np.split(order, [max(1, int(_HELD_OUT * len(order)))])
    return Split(rows.take(kept), rows.take(held_out))
