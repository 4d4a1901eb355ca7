"""A mixture over one structure as a single network, in which the component is a hidden variable.

The class is variable 0 and a parent of all others, so the table of a variable is that of each component, one
after the other. It is eliminated last: the core lays tables out along the elimination order, and the numbers
of all components for the same cell then lie side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treebound.data import Schema, Variable
from treebound.network._bayesian_network import BayesianNetwork
from treebound.structure import Structure, TreeDecomposition

CLASS_NAME = "class"


def class_network(
    schema: Schema,
    structure: Structure,
    weights: NDArray[np.float64],
    tables: Sequence[NDArray[np.float64]],
) -> BayesianNetwork:
    """Return the joint distribution of the class and the variables."""
    hidden = Variable(_free_name(schema), tuple(map(str, range(len(weights)))), kind="integer")
    parents = ((), *((0, *(parent + 1 for parent in family)) for family in structure.parent_indices))
    joint = Schema((hidden, *schema))
    with_class = Structure(joint.names, parents, _proof(structure), schema=joint)
    return BayesianNetwork(with_class, (weights, *(table.ravel() for table in tables)))


def _proof(structure: Structure) -> TreeDecomposition:
    """Return the tree decomposition with the class in every bag: the treewidth grows by one."""
    witness = structure.witness
    bags = tuple((0, *(v + 1 for v in bag)) for bag in witness.bags)
    return TreeDecomposition(bags, witness.edges)


def _free_name(schema: Schema) -> str:
    name = CLASS_NAME
    while name in schema:
        name += "_"
    return name
