"""Rows with missing values, as structural EM uses them: here, or in parts on a cluster."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._budget import resolve_threads
from treebound.data import Dataset, Schema
from treebound.inference import table_sizes
from treebound.learning._sources import Rows
from treebound.network import (
    BayesianNetwork,
    EmRun,
    OwnCheck,
    Recomputed,
    family_counts,
    held_out,
    with_states,
)
from treebound.structure import Structure

# All pairs of states are counted at once, in this many rows at a time.
_ROWS_AT_ONCE = 1 << 15


class IncompleteRows(ABC):
    """Rows of which each has an observed value; counts, draws and likelihoods are those of all of them."""

    schema: Schema
    num_rows: int
    #: Number of rows with missing values, apart from those of hidden variables.
    num_incomplete: int
    #: Share of observed cells, apart from those of hidden variables.
    observed_share: float

    @property
    @abstractmethod
    def table(self) -> Any:
        """What the result of ``learn`` keeps of the rows."""

    @abstractmethod
    def pair_counts(self) -> NDArray[np.float64]:
        """How often each pair of states of two variables occurs; states lie variable by variable."""

    @abstractmethod
    def complete_counts(self, structure: Structure) -> NDArray[np.float64]:
        """How often each joint state of each family occurs in the rows in which the family is complete."""

    @abstractmethod
    def completed(self, network: BayesianNetwork, seeds: Sequence[int]) -> Rows:
        """Return the rows with missing cells drawn given the observed ones, once for each seed."""

    @abstractmethod
    def fitted(self, run: EmRun, start: NDArray[np.float64] | None) -> BayesianNetwork:
        """Fit a structure by EM, from given CPTs, laid end to end, if there are any."""

    @abstractmethod
    def log_likelihood(self, network: BayesianNetwork) -> float:
        """Return the log-likelihood of the observed cells, computed row by row."""

    @abstractmethod
    def recomputed(self, network: BayesianNetwork, most_cells: float) -> Recomputed:
        """Return what the checker computes by itself, for at most so many rows times cells of bags."""

    @abstractmethod
    def with_states(self, hidden: Mapping[str, int]) -> IncompleteRows:
        """Return the rows with other numbers of states of hidden variables."""

    @abstractmethod
    def held_out(self, seed: int) -> tuple[IncompleteRows, IncompleteRows]:
        """Return the rows to learn from, and about a fifth of all rows to judge by."""


class RowsHere(IncompleteRows):
    """Rows in this process."""

    def __init__(self, data: Dataset, threads: int | None = None) -> None:
        if data.weights is not None:
            raise ValueError("Learning counts each row once, but the rows have weights. Drop the weights.")
        self.data, self.threads = data, threads
        self.schema, self.num_rows = data.schema, data.num_rows
        is_observed = data.without_hidden().codes >= 0
        self.num_incomplete = int(np.count_nonzero(~is_observed.all(axis=0)))
        self.observed_share = float(is_observed.mean())

    @property
    def table(self) -> Dataset:
        """The rows."""
        return self.data

    def pair_counts(self) -> NDArray[np.float64]:
        """Count pairs of states by products of indicator matrices."""
        cards = self.schema.cardinalities
        counts = np.zeros((sum(cards), sum(cards)))
        states = np.concatenate([np.arange(card) for card in cards])
        owners = np.repeat(np.arange(len(cards)), cards)
        for first in range(0, self.num_rows, _ROWS_AT_ONCE):
            codes = self.data.codes[:, first : first + _ROWS_AT_ONCE]
            has_state = (codes[owners] == states[:, None]).astype(np.float32)
            counts += has_state @ has_state.T
        return counts

    def complete_counts(self, structure: Structure) -> NDArray[np.float64]:
        """Count all families in one pass."""
        parents = structure.parent_indices
        sizes = table_sizes(parents, self.schema.cardinalities)
        return family_counts(parents, sizes, self.data, resolve_threads(self.threads))

    def completed(self, network: BayesianNetwork, seeds: Sequence[int]) -> Dataset:
        """Return all completions, one after the other."""
        drawn = [network.sample_rows_given(self.data, seed, threads=self.threads).codes for seed in seeds]
        return Dataset(self.schema, np.concatenate(drawn, axis=1))

    def fitted(self, run: EmRun, start: NDArray[np.float64] | None) -> BayesianNetwork:
        """Fit a structure by EM."""
        return run.fitted(self.data, start)

    def log_likelihood(self, network: BayesianNetwork) -> float:
        """Add up the rows."""
        return math.fsum(network.log_likelihood_rows(self.data, threads=self.threads).tolist())

    def recomputed(self, network: BayesianNetwork, most_cells: float) -> Recomputed:
        """Use the EM of the checker."""
        return OwnCheck(self.data, most_cells, self.threads)(network)

    def with_states(self, hidden: Mapping[str, int]) -> RowsHere:
        """Change the schema."""
        return RowsHere(with_states(self.data, hidden), self.threads)

    def held_out(self, seed: int) -> tuple[RowsHere, RowsHere]:
        """Choose rows at random."""
        train, test = held_out(self.data, seed)
        return RowsHere(train, self.threads), RowsHere(test, self.threads)
