"""Structures and networks as networkx graphs and back; networkx itself is optional.

Nodes are names. Those of a network carry ``states``, ``parents`` in the order of the table, and ``table``: an
array with one axis per parent and the variable's own last. The graph carries ``elimination_order``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treebound._arguments import check_type
from treebound.formats._network_draft import Draft, NetworkFileError
from treebound.formats._plain_names import escape
from treebound.network import BayesianNetwork
from treebound.structure import Structure, StructureError


def to_networkx(source: Structure | BayesianNetwork) -> Any:
    """Convert a structure or a network to a directed graph of the names.

    Parameters
    ----------
    source : Structure or BayesianNetwork
        What to convert.

    Returns
    -------
    networkx.DiGraph
        Nodes of a structure carry ``score`` if it is known, those of a network its states and CPTs.
    """
    import networkx

    check_type("source", source, Structure | BayesianNetwork, "a Structure or a BayesianNetwork")
    graph = networkx.DiGraph()
    if isinstance(source, BayesianNetwork):
        _add_tables(graph, source)
    else:
        for v, name in enumerate(source.names):
            graph.add_node(name, **({} if source.local_scores is None else {"score": source.local_scores[v]}))
    graph.add_edges_from(source.arcs)
    return graph


def _add_tables(graph: Any, network: BayesianNetwork) -> None:
    names, sizes = network.schema.names, network.schema.cardinalities
    for v, parents in enumerate(network.parent_indices):
        table = network.tables[v].reshape([sizes[u] for u in (*parents, v)])
        given = [names[parent] for parent in parents]
        graph.add_node(names[v], states=list(network.schema[v].states), parents=given, table=table)
    if network.elimination_order is not None:
        graph.graph["elimination_order"] = [names[v] for v in network.elimination_order]


def _check_graph(graph: Any) -> None:
    import networkx

    check_type("graph", graph, networkx.Graph, "a graph of networkx")


def from_networkx(graph: Any) -> Structure:
    """Convert a directed graph to a structure.

    Parameters
    ----------
    graph : networkx.DiGraph
        Its nodes are names, or anything that ``str`` makes distinct.

    Returns
    -------
    Structure
    """
    _check_graph(graph)
    if not graph.is_directed():
        raise StructureError("expected a directed graph, got an undirected one.")
    names = {node: str(node) for node in graph.nodes}
    if len(set(names.values())) < len(names):
        raise StructureError("expected nodes with different names, got some twice.")
    parents = {names[node]: [names[parent] for parent in graph.predecessors(node)] for node in graph.nodes}
    return Structure.from_parents(parents, provenance={"format": "networkx"})


def network_from_networkx(graph: Any) -> BayesianNetwork:
    """Convert a directed graph whose nodes carry ``states`` and ``table`` to a network.

    Parameters
    ----------
    graph : networkx.DiGraph
        Without ``parents``, the axes of a table are the node's predecessors, in the order of networkx.

    Returns
    -------
    BayesianNetwork
    """
    _check_graph(graph)
    if not graph.is_directed():
        raise NetworkFileError("expected a directed graph, got an undirected one.")
    draft = Draft()
    for node, attributes in graph.nodes.items():
        for key in ("states", "table"):
            if key not in attributes:
                raise NetworkFileError(f"expected nodes with states and table, got {node!r} without {key}.")
        draft.add_variable(str(node), list(map(str, attributes["states"])), 0)
    for node, attributes in graph.nodes.items():
        before = list(graph.predecessors(node))
        given = attributes.get("parents", before)
        if set(given) != set(before):
            raise NetworkFileError(f"expected parents of {node!r} that have arcs to it, got {given}.")
        child, parents = draft.find_family([str(node), *map(str, given)], 0)
        shape = tuple(len(draft.codes(v)) for v in (*parents, child))
        table = np.asarray(attributes["table"], dtype=np.float64)
        if table.shape != shape:
            raise NetworkFileError(f"expected a table of {node!r} of shape {shape}, got {table.shape}.")
        draft.add_table(child, parents, table.ravel(), 0)
    order = graph.graph.get("elimination_order")
    return draft.finish({"format": "networkx"}, None if order is None else escape(map(str, order)))
