"""Rows to learn from: encoded, with their weights, in an order that depends on nothing but what they hold.

Equal rows give equal models, in whatever order they come, since all that is drawn is drawn for rows in this
order; and a row of weight two is a row that comes twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset
from treebound.network import BayesianNetwork, Smoothing, fit
from treebound.sklearn._weights import Copies
from treebound.structure import Structure

# Largest seed that every version of numpy's generators treats the same.
_MAX_SEED = 2**31 - 1


@dataclass(frozen=True, eq=False)
class OrderedRows:
    """All copies of the rows, and which of them count, as one, for structures; None if all do."""

    rows: Dataset
    is_counted: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, rows: Dataset, copies: Copies, order: NDArray[np.intp]) -> OrderedRows:
        """Put copies into an order, and give them their weights."""
        placed = copies.take(order)
        return cls(Dataset(rows.schema, rows.codes[:, order], placed.weights), placed.is_counted)

    @property
    def counted(self) -> Dataset:
        """The rows of which structures are learned."""
        codes = self.rows.codes if self.is_counted is None else self.rows.codes[:, self.is_counted]
        return Dataset(self.rows.schema, codes)

    def with_some_values(self, seed: int) -> OrderedRows:
        """Fill in columns without any value, which a part of the rows may have, with random states."""
        empty = np.flatnonzero((self.rows.codes < 0).all(axis=1))
        if not len(empty):
            return self
        rng, codes = np.random.default_rng(seed), self.rows.codes.copy()
        for v in empty.tolist():
            codes[v] = rng.integers(self.rows.schema[v].cardinality, size=self.rows.num_rows)
        return replace(self, rows=Dataset(self.rows.schema, codes, self.rows.weights))

    def part(self, chosen: NDArray[np.intp]) -> OrderedRows:
        """Some of the copies, by their positions."""
        return OrderedRows(
            self.rows.take(chosen), None if self.is_counted is None else self.is_counted[chosen]
        )

    def fitted(self, structure: Structure, smoothing: Smoothing, threads: int) -> BayesianNetwork:
        """The network of a structure, by EM where values are missing."""
        return fit(structure, self.rows, smoothing=smoothing, missing="em", threads=threads)


def seed_of(rng: np.random.RandomState) -> int:
    """Draw a seed."""
    return int(rng.randint(_MAX_SEED))
