"""More rows for a network that has tables: what it knows already counts like so many rows.

The present network is the prior network of Heckerman, Geiger and Chickering (1995, section 5): worth
``weight`` rows, it adds ``weight`` times the probability that it gives to a joint state of a family to the
count of that joint state. Where the families were counted from different rows, each has its own weight.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_number
from treebound._budget import resolve_threads
from treebound.data import Dataset
from treebound.inference import ExpectedCounts, table_sizes
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._em import Climb, TableRows, observed_rows
from treebound.network._fit import family_counts
from treebound.network._num_rows import num_rows_of, rows_counted
from treebound.network._rows_to_fit import FitMissing, rows_to_count


def updated(
    network: BayesianNetwork,
    table: Any,
    weight: float | None,
    missing: FitMissing | None,
    threads: int | None,
) -> BayesianNetwork:
    """The network with tables that also know the rows of a table."""
    before = _worth_of(network, weight)
    schema, parents = network.schema, network.parent_indices
    data = rows_to_count(table, schema, missing, stage="updating a network")
    families = [(*family, child) for child, family in enumerate(parents)]
    joints = network.junction_tree.joint_distributions(families)
    priors = [worth * joint for worth, joint in zip(before, joints, strict=True)]
    sizes = table_sizes(parents, schema.cardinalities)
    if (missing == "em" or schema.hidden) and not data.is_complete:
        data = observed_rows(data)
        counts = np.split(_expected(network, data, np.concatenate(priors), threads), np.cumsum(sizes)[:-1])
    else:
        counts = np.split(
            family_counts(parents, sizes, data, resolve_threads(threads)), np.cumsum(sizes)[:-1]
        )
    tables = []
    for child, (seen, prior) in enumerate(zip(counts, priors, strict=True)):
        tables.append(_divided(seen + prior, network.tables[child], schema.cardinalities[child]))
    return replace(network, tables=tuple(tables), num_rows=num_rows_of(before + rows_counted(counts)))


def _expected(
    network: BayesianNetwork, data: Dataset, prior: NDArray[np.float64], threads: int | None
) -> NDArray[np.float64]:
    """The expected counts of incomplete rows where EM with this prior converges, started from the network."""
    parents = network.parent_indices
    order = network.elimination_order
    expected = ExpectedCounts(parents, data, elimination_order=order, threads=threads)
    found = Climb(expected, TableRows(parents, data.schema), prior).run(network.flat_tables.tables)
    return expected.count(found.tables)[0]


def _worth_of(network: BayesianNetwork, weight: float | None) -> NDArray[np.float64]:
    """What each table counts for: the weight given, else the rows that it was counted from."""
    worth = network.num_rows if weight is None else check_number("weight", weight, positive=False)
    if worth is None:
        raise ValueError(
            "The network does not record how many rows it was fitted to. "
            "Pass weight=, the number of rows that it counts for."
        )
    return np.broadcast_to(np.asarray(worth, dtype=np.float64), network.num_variables)


def _divided(
    counts: NDArray[np.float64], before: NDArray[np.float64], cardinality: int
) -> NDArray[np.float64]:
    """Counts over their sums; what neither the network nor any row has seen stays as it was."""
    cells = counts.reshape(-1, cardinality)
    sums = cells.sum(axis=1, keepdims=True)
    table = np.where(sums > 0, cells / np.where(sums > 0, sums, 1), before.reshape(-1, cardinality))
    return table.ravel()
