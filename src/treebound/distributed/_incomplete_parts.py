"""Rows with missing values that lie in parts: expected counts add up over them as counts do.

Rows stay where they are. Each E-step sends the CPTs to the workers and adds up expected counts and
log-likelihoods in a tree; completions of the rows are drawn where the rows are.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import DataError, Schema, with_hidden_states
from treebound.distributed._client import in_background, version_here
from treebound.distributed._counting import no_rows, states_with_missing
from treebound.distributed._hidden_columns import with_hidden_columns
from treebound.distributed._incomplete_part import (
    EStep,
    Expected,
    Gaps,
    add_expected,
    add_gaps,
    complete_rows,
    expect,
    gaps_of,
    held_out_of,
    log_likelihood_of,
)
from treebound.distributed._partitioned import PartitionedTable
from treebound.distributed._row_counts import Counts, RowCounts, Sets
from treebound.distributed._sources import name_of, tree
from treebound.distributed._tasks import result_of
from treebound.distributed._worker import forget
from treebound.inference import table_sizes
from treebound.learning import IncompleteRows
from treebound.network import (
    BayesianNetwork,
    EmRun,
    Recomputed,
    Smoothing,
    check_observed_columns,
    check_sizes,
    network_of_counts,
    warn_of_empty_rows,
)
from treebound.structure import Structure

if TYPE_CHECKING:
    from distributed import Client, Future


class ExpectedParts:
    """The E-step over all parts."""

    def __init__(self, client: Client, parts: Sequence[Future], schema: Schema, run: EmRun) -> None:
        self._client, self._parts, self._job = client, parts, uuid.uuid4().hex
        families = tuple(tuple(family) for family in run.structure.parent_indices)
        step = EStep(self._job, version_here(), families, schema, run.elimination_order)
        self._step = sent(client, step)
        self.impossible_row: int | None = None

    def count(self, tables: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        """Return the expected counts and the log-likelihood of the observed cells."""

        def submit() -> Future:
            cpts, step = sent(self._client, tables), self._step
            found = [self._client.submit(expect, part, cpts, step, pure=False) for part in self._parts]
            return tree(self._client, add_expected, found)

        total: Expected = result_of(self._client, submit)
        self.impossible_row = total.impossible_row
        return total.counts, total.log_likelihood

    def forget(self) -> None:
        """Make workers forget the rows that they prepared."""
        if self._client.status == "running":
            in_background(lambda: self._client.run(forget, self._job, on_error="ignore"))


class IncompleteParts(IncompleteRows):
    """The parts of a table that was read with its missing values."""

    def __init__(self, client: Client, parts: Sequence[Future], schema: Schema, source: Any) -> None:
        self._client, self._parts, self._source = client, parts, source
        self.schema = schema
        self._gaps: Gaps = result_of(client, self._count_gaps)
        num_all = sum(self._gaps.sizes) + self._gaps.num_empty
        if num_all == 0:
            raise no_rows(name_of(source))
        self.num_rows = sum(self._gaps.sizes)
        self.num_incomplete = self._gaps.num_incomplete
        cells = self.num_rows * len(schema.observed)
        self.observed_share = float(self._gaps.num_observed[schema.observed].sum() / cells)

    @property
    def table(self) -> Any:
        """The table in parts."""
        return self._source

    def check_columns(self) -> None:
        """Reject columns without any value."""
        num_all = self.num_rows + self._gaps.num_empty
        check_observed_columns(self._gaps.num_observed > 0, self.schema, num_all)

    def warn_of_empty_rows(self) -> None:
        """Warn of rows without any value."""
        warn_of_empty_rows(self._gaps.num_empty, self.num_rows + self._gaps.num_empty)

    def counted(self, structure: Structure, smoothing: Smoothing) -> BayesianNetwork:
        """Fit a structure to the rows in which its families are complete."""
        return network_of_counts(structure, self.schema, self.complete_counts(structure), smoothing)

    def fitted(self, run: EmRun, start: NDArray[np.float64] | None = None) -> BayesianNetwork:
        """Fit a structure by EM."""
        if self.num_incomplete == 0 and not self.schema.hidden:
            return self.counted(run.structure, run.smoothing)
        available = self.complete_counts(run.structure)
        expected = ExpectedParts(self._client, self._parts, self.schema, run)
        try:
            return run.maximised(expected, available, self.schema, float(self.num_rows), start)
        finally:
            expected.forget()

    def completed(self, network: BayesianNetwork, seeds: Sequence[int]) -> PartitionedTable:
        """Draw the missing cells of each part on its worker."""
        own = sent(self._client, network)
        firsts = [len(seeds) * first for first in accumulate(self._gaps.sizes, initial=0)]
        encoded = [
            self._client.submit(complete_rows, part, own, tuple(seeds), first, version_here(), pure=False)
            for part, first in zip(self._parts, firsts[:-1], strict=True)
        ]
        return PartitionedTable.of_encoded(self._client, encoded, self.schema, firsts[-1], self._source)

    def log_likelihood(self, network: BayesianNetwork) -> float:
        """Add up the rows of all parts."""

        def submit() -> Future:
            own = sent(self._client, network)
            parts = [
                self._client.submit(log_likelihood_of, part, own, version_here(), pure=False)
                for part in self._parts
            ]
            return self._client.submit(math.fsum, parts, pure=False)

        return float(result_of(self._client, submit))

    def recomputed(self, network: BayesianNetwork, most_cells: float) -> Recomputed:
        """Compute the likelihood again where the rows are; the checker's own EM needs the rows here."""
        return Recomputed(self.log_likelihood(network), ("observed cells",))

    def pair_counts(self) -> NDArray[np.float64]:
        """Count pairs of states in batches of pairs of variables."""
        cards = np.array(self.schema.cardinalities)
        starts = np.cumsum(cards) - cards
        counts = np.zeros((cards.sum(), cards.sum()))

        def place(pairs: Sets, found: Counts) -> None:
            shape = cards[pairs] + 1
            cells = shape.prod(axis=1)
            owner = np.repeat(np.arange(len(pairs)), cells)
            within = np.arange(len(found)) - (np.cumsum(cells) - cells)[owner]
            first, second = np.divmod(within, shape[owner, 1])
            is_observed = (first > 0) & (second > 0)
            owner = owner[is_observed]
            rows = starts[pairs[owner, 0]] + first[is_observed] - 1
            columns = starts[pairs[owner, 1]] + second[is_observed] - 1
            counts[rows, columns] = counts[columns, rows] = found[is_observed]

        sets = np.column_stack(np.triu_indices(len(cards), 1)).astype(np.uint32)
        with self._counting() as rows:
            if len(sets):
                rows.in_batches(sets, lambda: None, place)
        return counts

    def complete_counts(self, structure: Structure) -> NDArray[np.float64]:
        """Count families with a state for missing values, and leave that out."""
        cards, parents = self.schema.cardinalities, structure.parent_indices
        check_sizes(table_sizes(parents, cards), self.schema)
        with self._counting() as rows:
            tables = rows.tables(parents, lambda: None)
        found = []
        for v, table in enumerate(tables):
            shape = [cards[u] + 1 for u in (*parents[v], v)]
            found.append(table.reshape(shape)[(slice(1, None),) * len(shape)].reshape(-1))
        return np.concatenate(found).astype(np.float64)

    def with_states(self, hidden: Mapping[str, int]) -> IncompleteParts:
        """Encode hidden variables with other numbers of states."""
        schema = with_hidden_states(self.schema, hidden)
        parts = with_hidden_columns(self._client, self._parts, self.schema, schema, is_complete=False)
        return IncompleteParts(self._client, parts, schema, self._source)

    def held_out(self, seed: int) -> tuple[IncompleteParts, IncompleteParts]:
        """Hold out rows of each part; parts choose independently."""

        def chosen(*, is_held_out: bool) -> IncompleteParts:
            submit = self._client.submit
            parts = [
                submit(held_out_of, part, seed, is_held_out, version_here(), pure=False)
                for part in self._parts
            ]
            return IncompleteParts(self._client, parts, self.schema, self._source)

        try:
            return chosen(is_held_out=False), chosen(is_held_out=True)
        except DataError as error:
            raise ValueError(f"Held-out rows need more rows, got {self.num_rows}. Use 'bic'.") from error

    @contextmanager
    def _counting(self) -> Iterator[RowCounts]:
        """Count in the parts, with a state for missing values."""
        rows = RowCounts(self._client, self._parts, self.schema, states_with_missing(self.schema))
        try:
            yield rows
        finally:
            rows.forget()

    def _count_gaps(self) -> Future:
        observed = self.schema.observed
        gaps = [self._client.submit(gaps_of, part, observed, pure=False) for part in self._parts]
        return tree(self._client, add_gaps, gaps)


def sent(client: Client, value: Any) -> Future:
    """Send a value as the result of a task, which is done again if its worker dies.

    What is scattered would be lost, and scattering waits for workers that have just died.
    """
    return client.submit(itself, value, pure=False)


def itself(value: Any) -> Any:
    """Return a value, on a worker."""
    return value
