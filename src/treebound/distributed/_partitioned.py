"""A table in parts on a cluster: its schema by one reduction, then every part encoded where it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from treebound.data import BLOCK_ROWS, DataError, Fingerprint, Problem, Schema, block_digests
from treebound.distributed._client import ClusterError, version_here
from treebound.distributed._counting import (
    Edges,
    Reading,
    add_summaries,
    check_partitioned,
    edges_of,
    encode_part,
    no_rows,
    num_rows_of,
    summarise_part,
)
from treebound.distributed._hidden_columns import differ_by_hidden, with_hidden_columns
from treebound.distributed._sources import Part, is_partitioned, name_of, parts_of, submit_on_each, tree
from treebound.distributed._tasks import check_alive
from treebound.learning import check_unread
from treebound.tables import LoadingOptions, choices_of, schema_of

if TYPE_CHECKING:
    from distributed import Client, Future


@dataclass(frozen=True, eq=False)
class PartitionedTable:
    """Encoded parts on the workers; a part that is lost with its worker is read and encoded again.

    It takes the place of the frame or folder that it was made of, for the client that it was made with.
    """

    parts: list[Future]
    schema: Schema
    fingerprint: Fingerprint
    source: Any
    options: LoadingOptions
    is_complete: bool = True  # else the codes have a state for missing values

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return self.fingerprint.num_rows

    @classmethod
    def of(cls, client: Client, source: Any, options: LoadingOptions) -> PartitionedTable:
        """Read and encode a Dask frame or a folder of Parquet files; the options are those of ``load``."""
        if isinstance(source, cls):
            check_unread(options)
            return source
        check_partitioned(options)
        with _naming_source(client, source):
            return cls._of(client, source, options)

    @classmethod
    def _of(cls, client: Client, source: Any, options: LoadingOptions) -> PartitionedTable:
        reading = Reading(version_here(), choices_of(options), options)
        parts = parts_of(client, source)
        summaries = submit_on_each(client, summarise_part, parts, [reading] * len(parts))
        summary = tree(client, add_summaries, summaries).result()
        if summary.num_counted == 0:
            raise no_rows(name_of(source))
        schema = schema_of(summary, reading.choices, name_of(source))
        if reading.keeps_missing and summary.is_complete(schema.names):
            options = {**options, "missing": "error"}
            reading = Reading(reading.version, choices_of(options), options)
        sizes = client.gather(client.map(num_rows_of, summaries, pure=False))
        del summaries
        firsts = [0, *accumulate(sizes)]
        encoded = _encoded(client, parts, reading, schema, firsts[:-1])
        fingerprint = _fingerprint(client, encoded, schema, firsts[-1])
        return cls(encoded, schema, fingerprint, source, options, not reading.keeps_missing)

    @classmethod
    def of_encoded(
        cls, client: Client, encoded: list[Future], schema: Schema, num_rows: int, source: Any
    ) -> PartitionedTable:
        """Return a table of complete rows that were made on the workers."""
        with _naming_source(client, source):
            return cls(encoded, schema, _fingerprint(client, encoded, schema, num_rows), source, {})

    def require_complete(self, stage: str) -> PartitionedTable:
        """Return the table if no value is missing; else raise DataError."""
        if not self.is_complete:
            message = f"{stage} needs complete rows, and the table was read with missing='keep'"
            raise DataError([Problem("incomplete", f"{message}; pass missing='em'")], name_of(self.source))
        return self


def encoded_parts(
    client: Client, source: Any, options: LoadingOptions, schema: Schema
) -> tuple[list[Future], bool]:
    """The parts of a source, read with the states and bins of a schema, and whether they are complete."""
    if isinstance(source, PartitionedTable):
        check_unread(options)
        if source.parts[0].client is not client:  # closed since; read the parts again
            return encoded_parts(client, source.source, source.options, schema)
        if source.schema.variables == schema.variables:
            return source.parts, source.is_complete
        if not differ_by_hidden(source.schema, schema):
            raise ValueError("The table was read with other columns, states or bins than the structure has.")
        is_complete = source.is_complete
        return with_hidden_columns(
            client, source.parts, source.schema, schema, is_complete=is_complete
        ), False
    check_partitioned(options)
    reading = Reading(version_here(), choices_of(options), options)
    with _naming_source(client, source):
        parts = parts_of(client, source)
        is_complete = not reading.keeps_missing and not schema.hidden
        return _encoded(client, parts, reading, schema, [0] * len(parts)), is_complete


def _encoded(
    client: Client, parts: Sequence[Part], reading: Reading, schema: Schema, firsts: Sequence[int]
) -> list[Future]:
    num_parts = len(parts)
    shared = ([reading] * num_parts, [schema] * num_parts)
    return submit_on_each(client, encode_part, parts, *shared, range(num_parts), firsts)


def _fingerprint(client: Client, encoded: list[Future], schema: Schema, num_rows: int) -> Fingerprint:
    edges = client.gather(client.map(edges_of, encoded, pure=False, priority=1))
    return Fingerprint.of_blocks(schema, num_rows, all_digests(edges))


@contextmanager
def _naming_source(client: Client, source: Any) -> Iterator[None]:
    """Name the table whose parts were cancelled."""
    try:
        yield
    except CancelledError as error:
        check_alive(client)
        raise ClusterError(f"The work on {name_of(source)} was cancelled.") from error


def is_in_parts(source: Any) -> bool:
    """Whether the rows of a source lie in parts: a Dask frame, a folder, or what was made of them."""
    return isinstance(source, PartitionedTable) or is_partitioned(source)


def all_digests(edges: Iterable[Edges]) -> Iterator[bytes]:
    """The digests of all blocks of rows, of which some lie across parts."""
    pieces: list[Any] = []
    for part in edges:
        pieces.append(part.head)
        if sum(piece.shape[1] for piece in pieces) == BLOCK_ROWS or part.digests or part.tail.shape[1]:
            yield from _digest(pieces)
            pieces = []
        yield from part.digests
        if part.tail.shape[1]:
            pieces.append(part.tail)
    yield from _digest(pieces)


def _digest(pieces: list[Any]) -> Iterator[bytes]:
    if pieces:
        yield from block_digests(np.concatenate(pieces, axis=1))
