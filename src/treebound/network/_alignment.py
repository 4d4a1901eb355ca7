"""A network in the order of another schema: variables are matched by name, states by label.

The order of variables and states, and what the labels stand for, are no difference between distributions:
files of other programs change both.
"""

from __future__ import annotations

import numpy as np

from treebound.data import Schema, Variable
from treebound.inference import InferenceError
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._same_variables import check_same_variables

_MAX_LISTED = 8


def aligned(network: BayesianNetwork, schema: Schema) -> BayesianNetwork:
    """The same distribution with the variables and states of a schema, in its order."""
    if network.schema.variables == schema.variables:
        return network
    check_same_variables(schema, network.schema)
    own = [network.schema.position(name) for name in schema.names]
    theirs = {v: position for position, v in enumerate(own)}
    codes = {v: _own_codes(network.schema[v], schema[position]) for v, position in theirs.items()}
    tables = []
    for v in own:
        family = (*network.parent_indices[v], v)
        table = network.tables[v].reshape([network.schema.cardinalities[u] for u in family])
        tables.append(table[np.ix_(*(codes[u] for u in family))].ravel())
    parents = tuple(tuple(theirs[u] for u in network.parent_indices[v]) for v in own)
    order = network.elimination_order
    return BayesianNetwork.from_indices(
        schema, parents, tuple(tables), None if order is None else tuple(theirs[v] for v in order)
    )


def _own_codes(variable: Variable, other: Variable) -> list[int]:
    """The codes of a variable for the states of another one."""
    codes = {label: code for code, label in enumerate(variable.states)}
    if codes.keys() != set(other.states):
        raise InferenceError(
            f"Networks to be compared must have the same states: those of {variable.name!r} are "
            f"{_listed(other)} in the first and {_listed(variable)} in the second."
        )
    return [codes[label] for label in other.states]


def _listed(variable: Variable) -> str:
    shown = ", ".join(map(repr, variable.states[:_MAX_LISTED]))
    return shown if variable.cardinality <= _MAX_LISTED else f"{shown}, ... ({variable.cardinality} states)"
