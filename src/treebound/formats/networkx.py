"""Structures as networkx graphs and back; networkx itself is optional."""

from __future__ import annotations

from typing import Any

from treebound.structure import Structure, StructureError


def to_networkx(structure: Structure) -> Any:
    """Return a ``networkx.DiGraph`` of the names; nodes carry ``score`` if local scores are known."""
    import networkx

    graph = networkx.DiGraph()
    for v, name in enumerate(structure.names):
        graph.add_node(
            name, **({} if structure.local_scores is None else {"score": structure.local_scores[v]})
        )
    graph.add_edges_from(
        (structure.names[parent], structure.names[child]) for parent, child in structure.arcs
    )
    return graph


def from_networkx(graph: Any) -> Structure:
    """Make a structure of a directed graph whose nodes are names, or anything that ``str`` tells apart."""
    if not graph.is_directed():
        raise StructureError("expected a directed graph, got an undirected one.")
    names = {node: str(node) for node in graph.nodes}
    if len(set(names.values())) < len(names):
        raise StructureError("expected nodes with different names, got some twice.")
    parents = {names[node]: [names[parent] for parent in graph.predecessors(node)] for node in graph.nodes}
    return Structure.from_parents(parents, provenance={"format": "networkx"})
