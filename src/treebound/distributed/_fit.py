"""The CPTs of a network from rows that lie in parts: counts of its families add up over all of them.

So do expected counts, where values are missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from treebound._arguments import check_type, shown
from treebound.data import DataError, Schema, not_found
from treebound.distributed._counting import no_rows
from treebound.distributed._incomplete_parts import IncompleteParts
from treebound.distributed._partitioned import PartitionedTable, encoded_parts, is_in_parts
from treebound.distributed._row_counts import RowCounts
from treebound.distributed._sources import name_of
from treebound.inference import table_sizes
from treebound.network import (
    SMOOTHING_IN_WORDS,
    BayesianNetwork,
    EmRun,
    FitMissing,
    Smoothing,
    check_sizes,
    network_of_counts,
)
from treebound.structure import Structure
from treebound.tables import ColumnOptions, LoadingOptions

if TYPE_CHECKING:
    from distributed import Client


def fit_parts(
    client: Client, run: EmRun, source: Any, missing: FitMissing | None, columns: ColumnOptions
) -> BayesianNetwork:
    """Return the network that :func:`treebound.fit` returns with all rows in one place.

    If the structure has a schema, the rows are read with its states and bins.
    """
    check_type("smoothing", run.smoothing, Smoothing, SMOOTHING_IN_WORDS)
    if not is_in_parts(source):
        raise TypeError(
            "The rows must be a Dask frame or a folder of Parquet files; for a table that is here there is "
            f"treebound.fit. Got {shown(source)}."
        )
    loading = _loading_of(source, missing, columns)
    graph = run.structure
    schema = graph.schema or _schema_for(graph, client, source, loading)
    check_sizes(table_sizes(graph.parent_indices, schema.cardinalities), schema)
    parts = encoded_parts(client, source, loading, schema)
    is_complete = loading.get("missing") != "keep"
    if isinstance(source, PartitionedTable):
        is_complete = source.is_complete
    if is_complete:
        return _counted(run, RowCounts(client, parts, schema), source)
    rows = IncompleteParts(client, parts, schema, source)
    if missing == "keep":
        return rows.counted(graph, run.smoothing)
    rows.warn_of_empty_rows()
    return rows.fitted(run)


def _loading_of(source: Any, missing: FitMissing | None, columns: ColumnOptions) -> LoadingOptions:
    """How to read the rows; those that were read before are taken as they are."""
    loading = cast(LoadingOptions, columns)
    keeps = missing in ("keep", "em")
    if isinstance(source, PartitionedTable):
        if keeps:
            return loading
        source.require_complete("fitting a network")
    if missing is None:
        return loading
    return {**loading, "missing": "keep" if missing == "em" else missing}


def _counted(run: EmRun, rows: RowCounts, source: Any) -> BayesianNetwork:
    """Fit to complete rows."""
    try:
        tables = rows.tables(run.structure.parent_indices, lambda: None)
    finally:
        rows.forget()
    if not tables[0].any():
        raise no_rows(name_of(source))
    counts = np.concatenate([table.reshape(-1) for table in tables]).astype(np.float64)
    return network_of_counts(run.structure, rows.schema, counts, run.smoothing)


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
