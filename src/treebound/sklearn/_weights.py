"""Weights of rows as copies of them: a row of weight three is three rows.

So all that is learned from whole weights is what the repeated rows would give: bins, structure, choice and
tables. A weight that is not whole is rounded up or down at random where copies are counted one by one, so
that the expected number is the weight (systematic sampling: Madow and Madow 1944, Annals of Mathematical
Statistics 15); tables, which are sums of weights, take it as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight

from treebound.data import Codes

# So many cells are made of copies, of four bytes each.
MOST_CELLS = 1 << 28


@dataclass(frozen=True, eq=False)
class Copies:
    """The rows to learn from, by their positions in X, those with more weight several times.

    ``weights`` says what each copy counts in the tables, and ``is_counted`` which of them count, as one, in
    all else; both are None where all weights are whole, and each copy is a row.
    """

    positions: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    is_counted: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.positions)

    def sorted_by(self, codes: Codes) -> NDArray[np.intp]:
        """An order of the copies that depends on what they hold, not on where they stood in X."""
        extra = [] if self.weights is None else [self.weights.view(np.int32).reshape(-1, 2)]
        cells = np.ascontiguousarray(np.hstack([codes.T.astype(np.int32), *extra]))
        return np.argsort(cells.view(f"V{cells.shape[1] * cells.itemsize}").ravel(), kind="stable")

    def take(self, order: NDArray[np.intp]) -> Copies:
        """Some of the copies, in an order."""
        return Copies(
            self.positions[order],
            None if self.weights is None else self.weights[order],
            None if self.is_counted is None else self.is_counted[order],
        )


def copies_of(sample_weight: Any, X: Any, num_rows: int, num_columns: int, seed: int) -> Copies:
    """Turn the weights of the rows of X into copies of them."""
    if sample_weight is None:
        return Copies(np.arange(num_rows))
    weights: NDArray[np.float64] = _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    total = float(weights.sum())
    if total * num_columns > MOST_CELLS:
        raise ValueError(
            f"sample_weight adds up to {total:,.0f} rows of {num_columns:,} columns, more than are learned "
            "from: a row of weight w counts as w rows. Divide the weights by their mean."
        )
    counts = _rounded(weights, seed)
    repeats = np.where(weights > 0, np.maximum(counts, 1), 0)
    positions = np.repeat(np.arange(num_rows), repeats)
    if len(positions) < 2 or counts.sum() < 2:
        raise ValueError(f"sample_weight must leave 2 rows at least to learn from, got weights of {total:g}.")
    if np.array_equal(counts, weights):
        return Copies(positions)
    return Copies(positions, (weights / np.maximum(repeats, 1))[positions], (counts > 0)[positions])


def _rounded(weights: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
    """Whole numbers whose expected values are the weights, and whose sum is that of the weights, rounded."""
    whole = np.floor(weights)
    ends = np.floor(np.cumsum(weights - whole) + np.random.default_rng(seed).random())
    counts: NDArray[np.int64] = (whole + np.diff(ends, prepend=0.0)).astype(np.int64)
    return counts
