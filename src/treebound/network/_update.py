"""More rows for a network that has tables: what it knows already counts like so many rows.

The present network is the prior network of Heckerman, Geiger and Chickering (1995, section 5): worth
``weight`` rows, it adds ``weight`` times the probability that it gives to a joint state of a family to the
count of that joint state.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_number
from treebound._budget import resolve_threads
from treebound.inference import table_sizes
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._fit import Missing, check_missing, codes_of, count

_ROWS = "rows"  # in the provenance: how many rows the tables are worth


def updated(
    network: BayesianNetwork, table: Any, weight: float | None, missing: Missing, threads: int | None
) -> BayesianNetwork:
    """The network with tables that also know the rows of a table."""
    check_missing(missing)
    weight = _weight_of(network, weight)
    schema, parents = network.schema, network.parent_indices
    codes = codes_of(table, schema, missing)
    sizes = table_sizes(parents, schema.cardinalities)
    counts = np.split(count(parents, sizes, schema, codes, resolve_threads(threads)), np.cumsum(sizes)[:-1])
    families = [(*family, child) for child, family in enumerate(parents)]
    priors = network.junction_tree.joint_distributions(families)
    tables = []
    for child, (seen, prior) in enumerate(zip(counts, priors, strict=True)):
        tables.append(_divided(seen + weight * prior, network.tables[child], schema.cardinalities[child]))
    provenance = {**network.provenance, _ROWS: weight + codes.shape[1]}
    order = network.elimination_order
    return BayesianNetwork(schema, parents, tuple(tables), order, provenance, network.fitted_to)


def _weight_of(network: BayesianNetwork, weight: float | None) -> float:
    if weight is not None:
        return check_number("weight", weight, positive=False)
    rows = network.provenance.get(_ROWS)
    if isinstance(rows, bool) or not isinstance(rows, int | float):
        raise ValueError(
            "weight must say how many rows the network is worth: it does not know how many it was fitted to."
        )
    return float(rows)


def _divided(
    counts: NDArray[np.float64], before: NDArray[np.float64], cardinality: int
) -> NDArray[np.float64]:
    """Counts over their sums; what neither the network nor any row has seen stays as it was."""
    cells = counts.reshape(-1, cardinality)
    sums = cells.sum(axis=1, keepdims=True)
    table = np.where(sums > 0, cells / np.where(sums > 0, sums, 1), before.reshape(-1, cardinality))
    return table.ravel()
