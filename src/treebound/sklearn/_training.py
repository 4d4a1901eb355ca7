"""Rows to learn from: encoded, with their weights, in an order that depends on nothing but what they hold.

Equal rows give equal models, in whatever order they come, since all that is drawn is drawn for rows in this
order; and a row of weight two is a row that comes twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset, Rows, Schema
from treebound.network import BayesianNetwork, Smoothing, fit
from treebound.sklearn._weights import Copies
from treebound.structure import Structure


@dataclass(frozen=True, eq=False)
class Training:
    """The codes of all copies, one row of the array for each variable, and -1 where a cell is missing."""

    schema: Schema
    rows: Rows
    weights: NDArray[np.float64] | None = None
    is_counted: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, schema: Schema, rows: Rows, copies: Copies) -> Training:
        """Put the codes of copies into their order."""
        order = copies.sorted_by(rows)
        placed = copies.take(order)
        return cls(schema, rows[:, order], placed.weights, placed.is_counted)

    @property
    def lacks_values(self) -> bool:
        """Whether some cell is missing."""
        return bool((self.rows < 0).any())

    @property
    def counted(self) -> Dataset:
        """The rows of which structures are learned."""
        rows = self.rows if self.is_counted is None else self.rows[:, self.is_counted]
        return Dataset(self.schema, rows)  # type: ignore[arg-type]  # which narrows the codes

    def with_rows(self, rows: Rows) -> Training:
        """The same with other cells, such as completed ones."""
        return replace(self, rows=rows)

    def part(self, chosen: NDArray[np.bool_]) -> Training:
        """Some of the copies."""
        return Training(
            self.schema,
            self.rows[:, chosen],
            None if self.weights is None else self.weights[chosen],
            None if self.is_counted is None else self.is_counted[chosen],
        )

    def fitted(self, structure: Structure, smoothing: Smoothing, threads: int) -> BayesianNetwork:
        """The network of a structure."""
        data = Dataset(self.schema, self.rows)  # type: ignore[arg-type]  # which narrows the codes
        return fit(structure, data, smoothing=smoothing, weights=self.weights, threads=threads)

    def guessed(self, rng: np.random.RandomState) -> Training:
        """The same with the value of another row, drawn at random, in place of each missing one."""
        complete = self.rows.copy()
        for column in complete:
            known = column[column >= 0]
            column[column < 0] = rng.choice(known, size=len(column) - len(known))
        return self.with_rows(complete)
