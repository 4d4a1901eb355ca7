"""The tables of a network from rows that lie in parts: counts of its families add up over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from treebound._arguments import check_type, told
from treebound.data import DataError, LoadingOptions, Schema, not_found
from treebound.distributed._client import ClientOption, connected
from treebound.distributed._counting import no_rows
from treebound.distributed._partitioned import PartitionedTable, encoded_parts, is_in_parts
from treebound.distributed._row_counts import RowCounts
from treebound.distributed._sources import name_of
from treebound.inference import table_sizes
from treebound.network import (
    DEFAULT_SMOOTHING,
    SMOOTHING_IN_WORDS,
    BayesianNetwork,
    Families,
    Smoothing,
    check_sizes,
    families_of,
    network_of_counts,
)

if TYPE_CHECKING:
    from distributed import Client


def fit(
    structure: Any,
    source: Any,
    *,
    client: ClientOption = None,
    cluster: int | None = None,
    smoothing: Smoothing = DEFAULT_SMOOTHING,
    **loading: Unpack[LoadingOptions],
) -> BayesianNetwork:
    """Estimate the tables of a structure from a Dask frame or a folder of Parquet files, on a Dask cluster.

    They are those of :func:`treebound.fit` with all rows in one place. ``structure`` is what it takes; if it
    has a schema, the rows are read with its states and bins. The cluster is that of
    :func:`treebound.distributed.score`, and the other options are those of :func:`treebound.load`.
    """
    check_type("smoothing", smoothing, Smoothing, SMOOTHING_IN_WORDS)
    if not is_in_parts(source):
        raise TypeError(
            "The rows must be a Dask frame or a folder of Parquet files; for a table that is here there is "
            f"treebound.fit. Got {told(source)}."
        )
    families = families_of(structure)
    with connected(client, cluster) as workers:
        schema = families.schema or _schema_for(families, workers, source, loading)
        check_sizes(table_sizes(families.parents, schema.cardinalities), schema)
        rows = RowCounts(workers, encoded_parts(workers, source, loading, schema), schema)
        with rows.forgotten():
            tables = rows.tables(families.parents, lambda: None)
    num_rows = int(tables[0].sum())
    if num_rows == 0:
        raise no_rows(name_of(source))
    counts = np.concatenate([table.reshape(-1) for table in tables]).astype(np.float64)
    return network_of_counts(families, schema, counts, smoothing, num_rows)


def _schema_for(families: Families, client: Client, source: Any, loading: LoadingOptions) -> Schema:
    """What the rows say about the columns of the structure, in its order."""
    found = PartitionedTable.of(client, source, loading).schema
    if absent := not_found("absent", families.names, found.names):
        raise DataError(absent, name_of(source))
    return (
        found
        if found.names == families.names
        else Schema(tuple(found[name] for name in families.names), found.preparation)
    )
