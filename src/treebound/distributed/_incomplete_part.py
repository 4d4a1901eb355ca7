"""A part of a table with missing values, as a worker has it: expected counts, completions and likelihoods.

The packed codes have one more state, the first, for missing values. Rows without any value are skipped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset, Schema
from treebound.distributed._client import check_version
from treebound.distributed._counting import EncodedPart, packed_part
from treebound.distributed._memory import Sized, has_room
from treebound.distributed._worker import put, take
from treebound.inference import ExpectedCounts, table_sizes
from treebound.network import HELD_OUT, BayesianNetwork

# Of the memory of a worker: below this, rows that are prepared for the E-step are kept for the next one.
_SHARE_WITH_ROWS = 0.5


@dataclass(frozen=True, eq=False)
class Gaps(Sized):
    """What is missing in some parts: the rows with values in each, and how many of them are incomplete."""

    sizes: tuple[int, ...]
    num_empty: int
    num_incomplete: int
    num_observed: NDArray[np.int64]  # by variable

    def plus(self, other: Gaps) -> Gaps:
        """What is missing in the parts of both."""
        return Gaps(
            self.sizes + other.sizes,
            self.num_empty + other.num_empty,
            self.num_incomplete + other.num_incomplete,
            self.num_observed + other.num_observed,
        )


@dataclass(frozen=True, eq=False)
class EStep(Sized):
    """What all E-steps of a run of EM have in common."""

    job: str
    version: str
    parents: tuple[tuple[int, ...], ...]
    schema: Schema
    elimination_order: tuple[int, ...] | None


@dataclass(frozen=True, eq=False)
class Expected(Sized):
    """Expected counts of some rows, with their log-likelihood and the first row that is impossible."""

    counts: NDArray[np.float64]
    log_likelihood: float
    num_rows: int
    impossible_row: int | None

    def plus(self, other: Expected) -> Expected:
        """Those of the rows of both, in this order."""
        first = self.impossible_row
        if first is None and other.impossible_row is not None:
            first = self.num_rows + other.impossible_row
        likelihood = self.log_likelihood + other.log_likelihood
        return Expected(self.counts + other.counts, likelihood, self.num_rows + other.num_rows, first)


def gaps_of(part: EncodedPart, observed: NDArray[np.intp]) -> Gaps:
    """What is missing in a part, apart from hidden variables."""
    is_observed = part.rows.codes() > 0
    num_empty = int(np.count_nonzero(~is_observed.any(axis=0)))
    num_complete = int(np.count_nonzero(is_observed[observed].all(axis=0)))
    size = part.rows.num_rows - num_empty
    return Gaps((size,), num_empty, size - num_complete, is_observed.sum(axis=1, dtype=np.int64))


def expect(part: EncodedPart, tables: NDArray[np.float64], step: EStep) -> Expected:
    """Do the E-step for a part; its rows are prepared once, and another worker prepares them again."""
    check_version(step.version)
    kept: tuple[ExpectedCounts | None, int] | None = take(step.job, part.number)
    rows, num_rows = _prepared(part, step) if kept is None else kept
    if rows is None:
        cells = sum(table_sizes(step.parents, step.schema.cardinalities))
        return Expected(np.zeros(cells), 0.0, 0, None)
    counts, log_likelihood = rows.count(tables)
    found = Expected(counts, log_likelihood, num_rows, rows.impossible_row)
    if has_room(0, _SHARE_WITH_ROWS):
        put(step.job, part.number, (rows, num_rows))
    return found


def _prepared(part: EncodedPart, step: EStep) -> tuple[ExpectedCounts | None, int]:
    data = rows_with_values(part, step.schema)
    if data.num_rows == 0:
        return None, 0
    order = step.elimination_order
    return ExpectedCounts(step.parents, data, elimination_order=order, threads=1), data.num_rows


def complete_rows(
    part: EncodedPart, network: BayesianNetwork, seeds: Sequence[int], first_row: int, version: str
) -> EncodedPart:
    """The rows of a part with missing cells drawn, once for each seed; parts draw independently."""
    check_version(version)
    data = rows_with_values(part, network.schema)
    drawn = [network.sample_rows_given(data, _seed_of(seed, part.number), threads=1).codes for seed in seeds]
    return packed_part(part.number, np.concatenate(drawn, axis=1), network.schema.cardinalities, first_row)


def _seed_of(seed: int, number: int) -> int:
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0])


def log_likelihood_of(part: EncodedPart, network: BayesianNetwork, version: str) -> float:
    """The log-likelihood of the observed cells of a part, row by row."""
    check_version(version)
    return math.fsum(network.log_likelihood_rows(rows_with_values(part, network.schema), threads=1).tolist())


def held_out_of(part: EncodedPart, seed: int, is_held_out: bool, version: str) -> EncodedPart:
    """The rows of a part that are held out, or the others."""
    check_version(version)
    draws = np.random.default_rng([seed, part.number]).random(part.rows.num_rows)
    codes = part.rows.codes()[:, (draws < HELD_OUT) == is_held_out]
    return packed_part(part.number, codes, part.rows.cardinalities, 0)


def rows_with_values(part: EncodedPart, schema: Schema) -> Dataset:
    """The rows of a part that have a value."""
    codes = part.rows.codes().astype(np.int32) - 1
    return Dataset(schema, codes[:, (codes >= 0).any(axis=0)])


def add_gaps(gaps: Sequence[Gaps]) -> Gaps:
    """Of several parts, in their order."""
    total = gaps[0]
    for more in gaps[1:]:
        total = total.plus(more)
    return total


def add_expected(expected: Sequence[Expected]) -> Expected:
    """Of several parts, in their order: sums are equal to the last bit for any number of workers."""
    total = expected[0]
    for more in expected[1:]:
        total = total.plus(more)
    return total
