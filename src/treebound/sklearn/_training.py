"""Rows to learn from: encoded, with their weights, in an order that depends on nothing but what they hold.

Equal rows give equal models, in whatever order they come, since all that is drawn is drawn for rows in this
order; and a row of weight two is a row that comes twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset, Schema
from treebound.network import BayesianNetwork, Smoothing, fit
from treebound.sklearn._weights import Copies
from treebound.structure import Structure
from treebound.tables import Rows

# Largest seed that every version of numpy's generators draws alike.
_MAX_SEED = 2**31 - 1


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
    def has_missing(self) -> bool:
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

    def part(self, chosen: NDArray[np.intp]) -> Training:
        """Some of the copies, by their positions."""
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

    def completed(
        self,
        learned: Callable[[Training], BayesianNetwork],
        completions: int,
        rng: np.random.RandomState,
        threads: int,
    ) -> Training:
        """Fill in missing cells: drawn from their columns, then from the network of the rows drawn before."""
        complete = self._guessed(rng)
        for _ in range(completions - 1 if self.has_missing else 0):
            tree = learned(complete).junction_tree
            drawn = tree.sample_rows_given(self.rows, seed_of(rng), impossible="nan", threads=threads)
            # Rows of probability zero keep their gaps, and are guessed again.
            complete = self.with_rows(drawn)._guessed(rng)
        return complete

    def _guessed(self, rng: np.random.RandomState) -> Training:
        """Fill in each missing cell with the value of another row, or with any state if no row has one."""
        complete = self.rows.copy()
        for column, variable in zip(complete, self.schema, strict=True):
            known = column[column >= 0]
            drawn_from = known if len(known) else np.arange(variable.cardinality)
            column[column < 0] = rng.choice(drawn_from, size=len(column) - len(known))
        return self.with_rows(complete)


def seed_of(rng: np.random.RandomState) -> int:
    """Draw a seed."""
    return int(rng.randint(_MAX_SEED))
