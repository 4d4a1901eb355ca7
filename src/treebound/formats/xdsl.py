"""Networks in XDSL, the format of GeNIe and SMILE.

Nodes come parents first and are known by identifiers; what they were called goes to the extensions, for GeNIe
to show and, escaped, for us to restore. In a table the child runs fastest, then the last parent. pyAgrum
(3.3.1) lets the first parent run fastest here, which is noticed by its name in the file.
"""

from __future__ import annotations

import re

from treebound._ordering import orderable
from treebound.formats._network_draft import Draft
from treebound.formats._plain_names import NAME, ORDER, STATES, YES, escape, flags_of, plain
from treebound.formats._xml_tree import Element, parse_xml, xml
from treebound.network import BayesianNetwork

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_VARIABLES = "treebound_variables"
_SIZE = 100  # of the grid on which nodes are laid out, in points


def format_xdsl(network: BayesianNetwork) -> str:
    """Return the text of an XDSL file."""
    names = plain(network.schema.names, _IDENTIFIER.fullmatch)
    states = [plain(variable.states, _IDENTIFIER.fullmatch) for variable in network.schema]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<smile version="1.0" id="treebound">', "<nodes>"]
    for v in orderable(network.parent_indices):
        lines.append(f'  <cpt id="{names[v]}">')
        lines += [f'    <state id="{word}" />' for word in states[v]]
        if network.parent_indices[v]:
            lines.append(
                f"    <parents>{' '.join(names[parent] for parent in network.parent_indices[v])}</parents>"
            )
        lines.append(f"    <probabilities>{' '.join(map(repr, network.tables[v].tolist()))}</probabilities>")
        lines.append("  </cpt>")
    lines += ["</nodes>", "<extensions>", *_for_genie(network, names), *_for_us(network, names, states)]
    return "\n".join([*lines, "</extensions>", "</smile>", ""])


def _for_genie(network: BayesianNetwork, names: list[str]) -> list[str]:
    """What GeNIe shows: names, and places on a grid."""
    lines = ['  <genie version="1.0" app="treebound" name="treebound">']
    columns = max(1, round(len(names) ** 0.5))
    for v, name in enumerate(names):
        row, column = divmod(v, columns)
        left, top = column * _SIZE, row * _SIZE
        shown = "".join(c if c.isprintable() else " " for c in network.schema.names[v])
        lines.append(
            f'    <node id="{name}"><name>{xml(shown)}</name><interior color="e5f6f7" />'
            f'<outline color="000080" /><font color="000000" name="Arial" size="8" />'
            f"<position>{left} {top} {left + 72} {top + 48}</position></node>"
        )
    return [*lines, "  </genie>"]


def _for_us(network: BayesianNetwork, names: list[str], states: list[list[str]]) -> list[str]:
    """What we restore: the order of the variables, the witness, names and labels."""
    lines = ["  <treebound>", f'    <remark key="{_VARIABLES}">{" ".join(names)}</remark>']
    if network.elimination_order is not None:
        order = " ".join(names[v] for v in network.elimination_order)
        lines.append(f'    <remark key="{ORDER}">{order}</remark>')
    for variable, name, words in zip(network.schema, names, states, strict=True):
        flags = "".join(f' {flag}="{YES}"' for flag in flags_of(variable))
        if name != variable.name or tuple(words) != variable.states or flags:
            was, labels = escape([variable.name]), escape(variable.states)
            lines.append(f'    <node id="{name}" {NAME}="{was}" {STATES}="{labels}"{flags} />')
    return [*lines, "  </treebound>"]


def parse_xdsl(data: bytes | str) -> BayesianNetwork:
    """Make a network of an XDSL document."""
    root = parse_xml(data, "smile")
    nodes = root.one("nodes").children
    extensions = [part for extension in root.all("extensions") for part in extension.children]
    remarks = {
        remark.attributes.get("key", ""): remark.text for part in extensions for remark in part.all("remark")
    }
    originals = {
        node.attributes.get("id"): node.attributes
        for part in extensions
        if part.tag == "treebound"
        for node in part.all("node")
    }
    is_agrum = any(part.attributes.get("app", "").startswith("aGrUM") for part in extensions)
    draft = Draft(int)
    for node in _in_order(nodes, remarks.get(_VARIABLES, "").split()):
        _add_variable(draft, node, originals.get(node.attribute("id"), {}))
    for node in nodes:
        _add_table(draft, node, is_agrum)
    return draft.finish({"format": "xdsl"}, remarks.get(ORDER))


def _in_order(nodes: list[Element], names: list[str]) -> list[Element]:
    rank = {name: position for position, name in enumerate(names)}
    return sorted(nodes, key=lambda node: rank.get(node.attributes.get("id", ""), len(rank)))


def _add_variable(draft: Draft, node: Element, originals: dict[str, str]) -> None:
    if node.tag != "cpt":
        raise node.fault(f"expected nodes with a table (<cpt>), got <{node.tag}>.")
    states = [state.attribute("id") for state in node.all("state")]
    draft.add_variable(
        node.attribute("id"),
        states,
        node.line,
        name=originals.get(NAME),
        labels=originals.get(STATES),
        flags=originals,
    )


def _add_table(draft: Draft, node: Element, is_agrum: bool) -> None:
    given = " ".join(parents.text for parents in node.all("parents")).split()
    words = [node.attribute("id"), *(reversed(given) if is_agrum else given)]
    child, parents = draft.find_family(words, node.line)
    draft.add_table(child, parents, node.one("probabilities").numbers(), node.line)
