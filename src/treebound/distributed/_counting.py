"""A part of a table, as a worker has it: encoded, packed, and counted on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound.data import BLOCK_ROWS, MAX_STATES, DataError, Problem, Schema, block_digests, code_type
from treebound.distributed._client import check_version
from treebound.distributed._memory import Sized, give_back, has_room
from treebound.distributed._packed import PackedRows
from treebound.distributed._sources import ParquetPart
from treebound.distributed._worker import keep
from treebound.tables import (
    Choices,
    LoadingOptions,
    Table,
    TableSummary,
    complete_part,
    load,
    opened_of,
    summarise,
)

# Of the memory of a worker: below this, rows stay laid out between batches. Dask cannot move them to disk.
_SHARE_WITH_LAYOUTS = 0.5


@dataclass(frozen=True)
class Reading:
    """How all parts are read."""

    version: str
    choices: Choices
    options: LoadingOptions

    @property
    def keeps_missing(self) -> bool:
        """Whether missing values are kept, as a state of their own in the packed codes."""
        return self.choices.missing == "keep"

    def open(self, part: Any) -> Table:
        """The columns of a part."""
        check_version(self.version)
        return opened_of(part.table() if isinstance(part, ParquetPart) else part, self.options)


@dataclass(frozen=True, eq=False)
class Edges(Sized):
    """What the fingerprint of all rows needs of a part: digests of whole blocks, and codes of the rest.

    ``head`` are the rows before the first whole block, ``tail`` those after the last.
    """

    head: NDArray[Any]
    digests: tuple[bytes, ...]
    tail: NDArray[Any]


@dataclass(frozen=True, eq=False)
class EncodedPart(Sized):
    """The rows of a part."""

    number: int
    rows: PackedRows
    edges: Edges


def summarise_part(part: Any, reading: Reading) -> TableSummary:
    """What the schema needs of a part."""
    try:
        return summarise(reading.open(part), reading.choices)
    finally:
        give_back()


def add_summaries(summaries: Sequence[TableSummary]) -> TableSummary:
    """Of several parts, in their order."""
    total = summaries[0]
    for summary in summaries[1:]:
        total = total.plus(summary)
    return total


def num_rows_of(summary: TableSummary) -> int:
    """Rows of a part that are used."""
    return summary.num_counted


def encode_part(part: Any, reading: Reading, schema: Schema, number: int, first_row: int) -> EncodedPart:
    """The codes of a part, whose rows begin with a given one of the whole table."""
    codes = _codes(reading.open(part), reading, schema)
    give_back()
    if not reading.keeps_missing and not schema.hidden:
        return packed_part(number, codes, schema.cardinalities, first_row)
    return packed_part(number, codes.astype(np.int32) + 1, states_with_missing(schema), first_row)


def packed_part(
    number: int, codes: NDArray[Any], cardinalities: Sequence[int], first_row: int
) -> EncodedPart:
    """A part of given codes."""
    codes = codes.astype(code_type(max(cardinalities)), copy=False)
    return EncodedPart(number, PackedRows.of(codes, cardinalities), _edges(codes, first_row))


def states_with_missing(schema: Schema) -> tuple[int, ...]:
    """How many codes each variable has where 0 stands for missing values."""
    if full := [one.name for one in schema if one.cardinality == MAX_STATES]:
        raise ValueError(
            f"{full[0]!r} has {MAX_STATES:,} states, which leaves no code for missing values in a table in "
            "parts. Use fewer states, or missing='drop'."
        )
    return tuple(states + 1 for states in schema.cardinalities)


def _codes(table: Table, reading: Reading, schema: Schema) -> NDArray[Any]:
    keeps = reading.keeps_missing
    drops = "drop" in (reading.choices.missing, schema.preparation.reading.missing)
    if drops and not keeps and table.num_rows:
        table = complete_part(table, [schema.names[v] for v in schema.observed])
    if table.num_rows:
        return load(table, schema=schema, missing="keep" if keeps else "error").codes
    return np.zeros((len(schema), 0), dtype=code_type(max(schema.cardinalities)))


def edges_of(part: EncodedPart) -> Edges:
    """The part of it that goes to the client."""
    return part.edges


def _edges(codes: NDArray[Any], first_row: int) -> Edges:
    begin = min(-first_row % BLOCK_ROWS, codes.shape[1])
    end = begin + (codes.shape[1] - begin) // BLOCK_ROWS * BLOCK_ROWS
    whole = tuple(block_digests(codes[:, begin:end]))
    return Edges(codes[:, :begin].copy(), whole, codes[:, end:].copy())


def count_part(
    part: EncodedPart, groups: Sequence[NDArray[np.uint32]], job: str, version: str
) -> NDArray[np.int64]:
    """How often the joint states of sets occur in the rows of a part; a group has sets of one size."""
    check_version(version)
    if part.rows.num_rows == 0:
        cardinalities = np.array(part.rows.cardinalities, dtype=np.int64)
        cells = sum(int(cardinalities[sets].prod(axis=1).sum()) for sets in groups)
        return np.zeros(cells, dtype=np.int64)
    never = _core.Dataset.Collapse.never
    stays = has_room(part.rows.layout_bytes, _SHARE_WITH_LAYOUTS)
    known = keep(job, ("layout", part.number), lambda: part.rows.in_core(never), when=stays)
    return np.concatenate([_core.count_sets(known, sets) for sets in groups])


def add_counts(counts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Of several parts."""
    total = counts[0].copy()
    for more in counts[1:]:
        total += more
    return total


def check_partitioned(options: LoadingOptions) -> None:
    """Reject options that need all rows in one place."""
    if options.get("auto"):
        raise ValueError("auto looks at all rows of a column together; leave it out for a table in parts.")
    rules = options.get("discretise")
    named = rules.values() if isinstance(rules, dict) else [rules]
    if any(str(rule).startswith("supervised") or getattr(rule, "target", None) for rule in named):
        raise ValueError("supervised bins look at two columns together; leave them out for a table in parts.")


def no_rows(source: str) -> DataError:
    """The error for a table in which no row is left."""
    return DataError([Problem("empty", "there are no rows that have all values")], source)
