"""The tables of a network from rows that lie in parts: counts of its families add up over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treebound._arguments import check_type, shown
from treebound.data import DataError, Schema, not_found
from treebound.distributed._counting import no_rows
from treebound.distributed._partitioned import PartitionedTable, encoded_parts, is_in_parts
from treebound.distributed._row_counts import RowCounts
from treebound.distributed._sources import name_of
from treebound.inference import table_sizes
from treebound.network import (
    SMOOTHING_IN_WORDS,
    BayesianNetwork,
    Smoothing,
    check_sizes,
    network_of_counts,
    structure_to_fit,
)
from treebound.structure import Structure
from treebound.tables import LoadingOptions

if TYPE_CHECKING:
    from distributed import Client


def fit_parts(
    client: Client, structure: Any, source: Any, smoothing: Smoothing, loading: LoadingOptions
) -> BayesianNetwork:
    """Return the network that :func:`treebound.fit` returns with all rows in one place.

    If the structure has a schema, the rows are read with its states and bins.
    """
    check_type("smoothing", smoothing, Smoothing, SMOOTHING_IN_WORDS)
    if not is_in_parts(source):
        raise TypeError(
            "The rows must be a Dask frame or a folder of Parquet files; for a table that is here there is "
            f"treebound.fit. Got {shown(source)}."
        )
    graph = structure_to_fit(structure)
    schema = graph.schema or _schema_for(graph, client, source, loading)
    check_sizes(table_sizes(graph.parent_indices, schema.cardinalities), schema)
    rows = RowCounts(client, encoded_parts(client, source, loading, schema), schema)
    try:
        tables = rows.tables(graph.parent_indices, lambda: None)
    finally:
        rows.forget()
    if not tables[0].any():
        raise no_rows(name_of(source))
    counts = np.concatenate([table.reshape(-1) for table in tables]).astype(np.float64)
    return network_of_counts(graph, schema, counts, smoothing)


def _schema_for(structure: Structure, client: Client, source: Any, loading: LoadingOptions) -> Schema:
    """What the rows say about the columns of the structure, in its order."""
    found = PartitionedTable.of(client, source, loading).schema
    if absent := not_found("absent", structure.names, found.names):
        raise DataError(absent, name_of(source))
    return (
        found
        if found.names == structure.names
        else Schema(tuple(found[name] for name in structure.names), found.preparation)
    )
