"""Networks from parents in any order: the axes of each table are sorted along with them."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treebound._arguments import check_rows, check_type
from treebound.data import Schema
from treebound.inference import check_shapes
from treebound.network._bayesian_network import BayesianNetwork
from treebound.structure import Structure, TreeDecomposition, moral_graph


def network_from_indices(
    schema: Schema,
    parents: Iterable[Iterable[int]],
    tables: Sequence[ArrayLike],
    elimination_order: Iterable[int] | None,
    provenance: Mapping[str, Any],
) -> BayesianNetwork:
    """Make a network; see ``BayesianNetwork.from_indices``."""
    check_type("schema", schema, Schema, "a Schema")
    check_type("provenance", provenance, Mapping, "a dict or None")
    families = [tuple(map(operator.index, family)) for family in check_rows("parents", parents)]
    structure = Structure(schema.names, tuple(families), schema=schema)
    if elimination_order is not None:
        order = map(operator.index, elimination_order)
        proof = TreeDecomposition.from_elimination_order(moral_graph(structure.parent_indices), order)
        structure = Structure(schema.names, structure.parent_indices, proof, schema=schema)
    arrays = check_shapes(tables, families, schema)
    ordered = [_sorted_axes(*one, schema.cardinalities) for one in zip(arrays, families, strict=True)]
    return BayesianNetwork(structure, tuple(ordered), provenance=dict(provenance))


def _sorted_axes(
    table: NDArray[np.float64], family: tuple[int, ...], cardinalities: Sequence[int]
) -> NDArray[np.float64]:
    """Return the table with its parents in ascending order; the variable itself stays last."""
    if list(family) == sorted(family):
        return table
    # Parents of one state do not change the layout, and there may be more of them than arrays have axes.
    wide = [v for v in family if cardinalities[v] > 1]
    axes = sorted(range(len(wide)), key=wide.__getitem__)
    cells = table.reshape(*(cardinalities[v] for v in wide), -1)
    return cells.transpose(*axes, len(wide)).ravel()
