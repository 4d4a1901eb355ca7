"""Networks as pyAgrum's ``BayesNet`` and back; pyAgrum itself is optional.

A pyAgrum table names its variables, child first; as a numpy array its axes run the other way round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treebound.formats._network_draft import Draft
from treebound.network import BayesianNetwork


def to_pyagrum(network: BayesianNetwork) -> Any:
    """Return a ``pyagrum.BayesNet`` with the same names, states, arcs and tables."""
    import pyagrum

    net = pyagrum.BayesNet()
    for variable in network.schema:
        net.add(pyagrum.LabelizedVariable(variable.name, variable.name, list(variable.states)))
    sizes = network.schema.cardinalities
    for child, parents in enumerate(network.parents):
        for parent in parents:
            net.addArc(parent, child)
        shape = [sizes[v] for v in (*parents, child)]
        table = network.tables[child].reshape(shape)
        net.cpt(child)[:] = table.transpose([*reversed(range(len(parents))), len(parents)])
    return net


def from_pyagrum(net: Any) -> BayesianNetwork:
    """Make a network of a ``BayesNet``, whatever its discrete variables are."""
    draft = Draft()
    nodes = sorted(net.nodes())
    for node in nodes:
        draft.add_variable(net.variable(node).name(), list(net.variable(node).labels()), 0)
    for node in nodes:
        cpt = net.cpt(node)
        child, parents = draft.find_family(list(cpt.names), 0)
        table = np.asarray(cpt.toarray(), dtype=np.float64)
        draft.add_table(
            child, parents, table.transpose([*reversed(range(len(parents))), len(parents)]).ravel(), 0
        )
    return draft.finish({"format": "pyagrum"})
