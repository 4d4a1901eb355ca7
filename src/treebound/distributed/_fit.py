"""The CPTs of a network from rows that lie in parts: counts of its families add up over all of them.

So do expected counts, where values are missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from treebound._arguments import check_type, shown
from treebound.data import (
    DataError,
    Hidden,
    Schema,
    check_hidden,
    not_found,
    schema_with_hidden,
    with_hidden_states,
)
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
    check_not_hidden,
    check_sizes,
    network_of_counts,
)
from treebound.structure import Structure
from treebound.tables import ColumnOptions, LoadingOptions

if TYPE_CHECKING:
    from distributed import Client


def fit_parts(
    client: Client,
    run: EmRun,
    source: Any,
    missing: FitMissing | None,
    hidden: Hidden | None,
    columns: ColumnOptions,
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
    numbers = _numbers_of(hidden)
    graph = run.structure
    if unknown := not_found("no such variable", numbers, graph.names):
        raise DataError(unknown, "the structure")
    loading = _loading_of(source, missing, columns)
    if graph.schema is None:
        schema = _schema_for(graph, client, source, loading, numbers)
    else:
        schema = with_hidden_states(graph.schema, numbers)
    check_sizes(table_sizes(graph.parent_indices, schema.cardinalities), schema)
    parts, is_complete = encoded_parts(client, source, loading, schema)
    if is_complete:
        return _counted(run, RowCounts(client, parts, schema), source)
    rows = IncompleteParts(client, parts, schema, source)
    rows.check_columns()
    if missing == "keep":
        check_not_hidden(schema)
        return rows.counted(graph, run.smoothing)
    rows.warn_of_empty_rows()
    return rows.fitted(run)


def _numbers_of(hidden: Hidden | None) -> dict[str, int]:
    numbers = {}
    for name, states in check_hidden(hidden).items():
        if not isinstance(states, int):
            raise ValueError(
                f"fit chooses numbers of states only for a table that is here, got {name!r}: {states!r}. "
                "Pass a number, or use learn, which chooses it on a cluster, too."
            )
        numbers[name] = states
    return numbers


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


def _schema_for(
    structure: Structure, client: Client, source: Any, loading: LoadingOptions, hidden: Mapping[str, int]
) -> Schema:
    """What the rows say about the columns of the structure, in its order, with its hidden variables."""
    found = schema_with_hidden(PartitionedTable.of(client, source, loading).schema, hidden)
    if absent := not_found("absent", structure.names, found.names):
        raise DataError(absent, name_of(source))
    return (
        found
        if found.names == structure.names
        else Schema(tuple(found[name] for name in structure.names), found.preparation)
    )
