"""Graphs in GraphML, which yEd, Gephi, igraph and networkx read."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from treebound.structure import Structure, StructureError

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NAME_KEYS = ("name", "label")
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def format_graphml(structure: Structure) -> str:
    """Return the graph in GraphML; nodes are n0, n1, ... with name, and local score if known."""
    root = ElementTree.Element("graphml", xmlns=_NAMESPACE)
    keys = {"id": "name", "for": "node", "attr.name": "name", "attr.type": "string"}
    ElementTree.SubElement(root, "key", keys)
    if structure.local_scores is not None:
        keys = {"id": "score", "for": "node", "attr.name": "score", "attr.type": "double"}
        ElementTree.SubElement(root, "key", keys)
    graph = ElementTree.SubElement(root, "graph", id="treebound", edgedefault="directed")
    for v, name in enumerate(structure.names):
        if not name or _NOT_XML.search(name) or "\r" in name:
            raise StructureError(
                f"GraphML cannot hold the name {name!r}: it is empty, or has characters that XML does not "
                "allow."
            )
        node = ElementTree.SubElement(graph, "node", id=f"n{v}")
        ElementTree.SubElement(node, "data", key="name").text = name
        if structure.local_scores is not None:
            ElementTree.SubElement(node, "data", key="score").text = repr(structure.local_scores[v])
    for parent, child in structure.arc_indices:
        ElementTree.SubElement(graph, "edge", source=f"n{parent}", target=f"n{child}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def parse_graphml(text: str) -> Structure:
    """Make a structure of a directed graph; nodes are called by their name or label, else by their id."""
    if "<!ENTITY" in text:  # what makes small files expand without end
        raise StructureError("entities of a document's own are not read.")
    try:
        root = ElementTree.fromstring(text.encode())
    except (ElementTree.ParseError, LookupError, ValueError) as error:  # LookupError: unknown encoding
        raise StructureError(f"expected GraphML, got {error}.") from error
    graph = root.find("{*}graph")
    if not root.tag.endswith("graphml") or graph is None:
        raise StructureError("expected GraphML with a graph in it, got other XML.")
    if graph.get("edgedefault") != "directed":
        raise StructureError("expected a directed graph, got an undirected one.")
    keys = {key.get("id"): key.get("attr.name") for key in root.iterfind("{*}key")}
    names: dict[str, str] = {}
    for node in graph.iterfind("{*}node"):
        identity = node.get("id", "")
        if identity in names:
            raise StructureError(f"expected each node once, got {identity!r} again.")
        names[identity] = _name_of(node, keys) or identity
    parents: dict[str, list[str]] = {name: [] for name in names.values()}
    if len(parents) < len(names):
        raise StructureError("expected nodes with different names, got some twice.")
    for edge in graph.iterfind("{*}edge"):
        source, target = edge.get("source", ""), edge.get("target", "")
        if source not in names or target not in names:
            raise StructureError(f"expected an edge between nodes, got one from {source!r} to {target!r}.")
        parents[names[target]].append(names[source])
    return Structure.from_parents(parents, provenance={"format": "graphml"})


def _name_of(node: ElementTree.Element, keys: dict[str | None, str | None]) -> str | None:
    texts = {keys.get(data.get("key")): data.text for data in node.iterfind("{*}data")}
    return next((texts[key] for key in _NAME_KEYS if texts.get(key)), None)
