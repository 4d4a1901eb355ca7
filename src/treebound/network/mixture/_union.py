"""Any mixture as one network with a hidden class, if the arcs of its components agree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from treebound._ordering import orderable
from treebound.data import Schema
from treebound.inference import MAX_TABLE_CELLS
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network.mixture._class_network import class_network
from treebound.network.mixture._shared import SharedMixture
from treebound.structure import Structure, find_cycle


def united(leaves: Sequence[tuple[float, BayesianNetwork | SharedMixture]]) -> BayesianNetwork:
    """Return the joint distribution of the class and the variables of weighted models."""
    schema = leaves[0][1].schema
    structure = _union([leaf.structure for _, leaf in leaves], schema)
    weights = np.concatenate([weight * _weights_of(leaf) for weight, leaf in leaves])
    _check_cells(structure, schema, len(weights))
    tables = [
        np.concatenate([_widened(leaf, v, structure.parent_indices[v]) for _, leaf in leaves])
        for v in range(len(schema))
    ]
    return class_network(schema, structure, weights, tables)


def _union(structures: Iterable[Structure], schema: Schema) -> Structure:
    families: list[set[int]] = [set() for _ in schema]
    for structure in structures:
        for own, more in zip(families, structure.parent_indices, strict=True):
            own.update(more)
    parents = tuple(tuple(sorted(family)) for family in families)
    if len(orderable(parents)) < len(parents):
        names = " -> ".join(repr(schema.names[v]) for v in find_cycle(parents))
        raise ValueError(
            f"The arcs of the components form a cycle together, {names}, so no single network holds this "
            "mixture. Convert its components one by one."
        )
    return Structure(schema.names, parents, schema=schema)


def _check_cells(structure: Structure, schema: Schema, num_components: int) -> None:
    for child, family in enumerate(structure.parent_indices):
        cells = num_components * math.prod(schema.cardinalities[v] for v in (*family, child))
        if cells > MAX_TABLE_CELLS:
            raise ValueError(
                f"The table of {schema.names[child]!r} given the class and the parents of all components "
                f"would have {cells:,} cells, at most {MAX_TABLE_CELLS:,} are allowed. Convert the "
                "components one by one."
            )


def _weights_of(leaf: BayesianNetwork | SharedMixture) -> NDArray[np.float64]:
    return leaf.weights if isinstance(leaf, SharedMixture) else np.ones(1)


def _widened(leaf: BayesianNetwork | SharedMixture, child: int, family: Sequence[int]) -> NDArray[np.float64]:
    """Return the tables of a variable with an axis for each of more parents: (components, cells)."""
    schema, own = leaf.schema, leaf.structure.parent_indices[child]
    table = np.atleast_2d(leaf.tables[child])
    states = schema.cardinalities
    shape = [states[v] if v in own else 1 for v in family]
    wide = [len(table), *(states[v] for v in family), states[child]]
    return np.broadcast_to(table.reshape(len(table), *shape, states[child]), wide).reshape(len(table), -1)
