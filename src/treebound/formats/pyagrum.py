"""Networks as pyAgrum's ``BayesNet`` and back; pyAgrum itself is optional.

A pyAgrum table lists its variables child first, and the first of them runs fastest.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound.formats._network_draft import Draft
from treebound.network import BayesianNetwork


def to_pyagrum(network: BayesianNetwork) -> Any:
    """Convert a network to pyAgrum, with the same names, states, arcs and CPTs.

    Parameters
    ----------
    network : BayesianNetwork
        The network.

    Returns
    -------
    pyagrum.BayesNet
    """
    pyagrum: Any = importlib.import_module("pyagrum")  # half of it has no types
    check_type("network", network, BayesianNetwork, "a BayesianNetwork")
    net = pyagrum.BayesNet()
    for variable in network.schema:
        net.add(pyagrum.LabelizedVariable(variable.name, variable.name, list(variable.states)))
    net.beginTopologyTransformation()  # tables are made once, not for every arc
    for parent, child in network.arc_indices:
        net.addArc(parent, child)
    net.endTopologyTransformation()
    sizes = network.schema.cardinalities
    for child, parents in enumerate(network.parent_indices):
        table = network.tables[child].reshape([sizes[v] for v in (*parents, child)])
        net.cpt(child).fillWith(_parents_reversed(table).ravel().tolist())
    return net


def from_pyagrum(net: Any) -> BayesianNetwork:
    """Convert a network of pyAgrum.

    Parameters
    ----------
    net : pyagrum.BayesNet
        Discrete variables of any kind.

    Returns
    -------
    BayesianNetwork
    """
    pyagrum: Any = importlib.import_module("pyagrum")
    check_type("net", net, pyagrum.BayesNet, "a BayesNet of pyAgrum")
    draft = Draft()
    nodes = sorted(net.nodes())
    for node in nodes:
        draft.add_variable(net.variable(node).name(), list(net.variable(node).labels()), 0)
    for node in nodes:
        cpt = net.cpt(node)
        child, parents = draft.find_family(list(cpt.names), 0)
        table = np.asarray(cpt.tolist(), dtype=np.float64)
        draft.add_table(child, parents, _parents_reversed(table).ravel(), 0)
    return draft.finish({"format": "pyagrum"})


def _parents_reversed(table: NDArray[np.float64]) -> NDArray[np.float64]:
    last = table.ndim - 1
    return table.transpose([*reversed(range(last)), last])
