"""Networks as pgmpy's ``DiscreteBayesianNetwork`` and back; pgmpy itself is optional."""

from __future__ import annotations

from typing import Any

import numpy as np

from treebound._arguments import check_type
from treebound.data import label_of
from treebound.formats._network_draft import Draft, NetworkFileError
from treebound.network import BayesianNetwork


def to_pgmpy(network: BayesianNetwork) -> Any:
    """Convert a network to pgmpy, with the same names, states, arcs and CPTs.

    Parameters
    ----------
    network : BayesianNetwork
        The network.

    Returns
    -------
    pgmpy.models.DiscreteBayesianNetwork
    """
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    check_type("network", network, BayesianNetwork, "a BayesianNetwork")
    names, sizes = network.schema.names, network.schema.cardinalities
    states = {variable.name: list(variable.states) for variable in network.schema}
    model = DiscreteBayesianNetwork()
    model.add_nodes_from(names)
    model.add_edges_from(network.arcs)
    for child, parents in enumerate(network.parent_indices):
        given = [names[parent] for parent in parents]
        cpd = TabularCPD(
            names[child],
            sizes[child],
            network.tables[child].reshape(-1, sizes[child]).T,
            evidence=given,
            evidence_card=[sizes[parent] for parent in parents],
            state_names={name: states[name] for name in (names[child], *given)},
        )
        model.add_cpds(cpd)
    return model


def from_pgmpy(model: Any) -> BayesianNetwork:
    """Convert a network of pgmpy.

    Parameters
    ----------
    model : pgmpy.models.DiscreteBayesianNetwork
        Its names and states become what ``str`` makes of them.

    Returns
    -------
    BayesianNetwork
    """
    from pgmpy.models import DiscreteBayesianNetwork

    check_type("model", model, DiscreteBayesianNetwork, "a DiscreteBayesianNetwork of pgmpy")
    draft = Draft()
    cpds = {str(cpd.variable): cpd for cpd in model.get_cpds()}
    for name in map(str, model.nodes):
        if name not in cpds:
            raise NetworkFileError(f"expected a table for each variable, got none for {name!r}.")
        draft.add_variable(name, _labels(cpds[name], cpds[name].variable), 0)
    for name in map(str, model.nodes):
        cpd = cpds[name]
        child, parents = draft.find_family(list(map(str, cpd.variables)), 0)
        # A table may list the states of a parent in an order of its own.
        values = np.moveaxis(np.asarray(cpd.values, dtype=np.float64), 0, -1)
        for axis, (variable, parent) in enumerate(zip(cpd.variables[1:], parents, strict=True)):
            labels = _labels(cpd, variable)
            if set(labels) != set(draft.codes(parent)):
                raise NetworkFileError(
                    f"the table of {name!r} has other states of {variable!r} than its own."
                )
            values = np.take(values, [labels.index(label) for label in draft.codes(parent)], axis)
        draft.add_table(child, parents, values.ravel(), 0)
    return draft.finish({"format": "pgmpy"})


def _labels(cpd: Any, variable: Any) -> list[str]:
    return [
        label_of(state) if isinstance(state, float) else str(state) for state in cpd.state_names[variable]
    ]
