"""Rows to learn from: encoded, with their weights, in an order that depends on nothing but what they hold.

Equal rows give equal models, in whatever order they come, since all that is drawn is drawn for rows in this
order; and a row of weight two is a row that comes twice.
"""

from __future__ import annotations

from collections.abc import Callable
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
class Training:
    """All copies of the rows, and which of them count, as one, for structures; None if all do."""

    rows: Dataset
    is_counted: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, rows: Dataset, copies: Copies, order: NDArray[np.intp]) -> Training:
        """Put copies into an order, and give them their weights."""
        placed = copies.take(order)
        return cls(Dataset(rows.schema, rows.codes[:, order], placed.weights), placed.is_counted)

    @property
    def counted(self) -> Dataset:
        """The rows of which structures are learned."""
        codes = self.rows.codes if self.is_counted is None else self.rows.codes[:, self.is_counted]
        return Dataset(self.rows.schema, codes)

    def part(self, chosen: NDArray[np.intp]) -> Training:
        """Some of the copies, by their positions."""
        return Training(self.rows.take(chosen), None if self.is_counted is None else self.is_counted[chosen])

    def fitted(self, structure: Structure, smoothing: Smoothing, threads: int) -> BayesianNetwork:
        """The network of a structure."""
        return fit(structure, self.rows, smoothing=smoothing, threads=threads)

    def completed(
        self,
        learned: Callable[[Training], BayesianNetwork],
        completions: int,
        rng: np.random.RandomState,
        threads: int,
    ) -> Training:
        """Fill in missing cells: drawn from their columns, then from the network of the rows drawn before."""
        complete = replace(self, rows=_guessed(self.rows, rng))
        for _ in range(0 if self.rows.is_complete else completions - 1):
            tree = learned(complete).junction_tree
            drawn = tree.sample_rows_given(self.rows, seed_of(rng), impossible="nan", threads=threads)
            # Rows of probability zero keep their gaps, and are guessed again.
            complete = replace(self, rows=_guessed(drawn, rng))
        return complete


def _guessed(rows: Dataset, rng: np.random.RandomState) -> Dataset:
    """Fill in each missing cell with the value of another row, or with any state if no row has one."""
    complete = rows.codes.copy()
    for column, variable in zip(complete, rows.schema, strict=True):
        known = column[column >= 0]
        drawn_from = known if len(known) else np.arange(variable.cardinality)
        column[column < 0] = rng.choice(drawn_from, size=len(column) - len(known))
    return Dataset(rows.schema, complete, rows.weights)


def seed_of(rng: np.random.RandomState) -> int:
    """Draw a seed."""
    return int(rng.randint(_MAX_SEED))
