"""Networks in XMLBIF 0.3, the XML form of BIF.

Unlike in BIF the child of a table runs fastest, then the last ``GIVEN``: our own layout. Text may hold any
character that XML allows, so only few names need another word.
"""

from __future__ import annotations

from treebound.formats._network_draft import Draft
from treebound.formats._plain_names import NAME, ORDER, STATES, YES, escape, flags_of, is_printable, plain
from treebound.formats._xml_tree import Element, parse_xml, xml
from treebound.network import BayesianNetwork


def format_xmlbif(network: BayesianNetwork) -> str:
    """Return the text of an XMLBIF file."""
    names = plain(network.schema.names, is_printable)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append("<NAME>treebound</NAME>")
    if network.elimination_order is not None:
        lines.append(_property(ORDER, escape(names[v] for v in network.elimination_order)))
    for variable, name in zip(network.schema, names, strict=True):
        words = plain(variable.states, is_printable)
        lines += ['<VARIABLE TYPE="nature">', f"  <NAME>{xml(name)}</NAME>"]
        lines += [f"  <OUTCOME>{xml(word)}</OUTCOME>" for word in words]
        if name != variable.name:
            lines.append(_property(NAME, escape([variable.name])))
        if tuple(words) != variable.states:
            lines.append(_property(STATES, escape(variable.states)))
        lines += [_property(flag, YES) for flag in flags_of(variable)]
        lines.append("</VARIABLE>")
    for child, parents in enumerate(network.parent_indices):
        lines += ["<DEFINITION>", f"  <FOR>{xml(names[child])}</FOR>"]
        lines += [f"  <GIVEN>{xml(names[parent])}</GIVEN>" for parent in parents]
        lines += [f"  <TABLE>{' '.join(map(repr, network.tables[child].tolist()))}</TABLE>", "</DEFINITION>"]
    return "\n".join([*lines, "</NETWORK>", "</BIF>", ""])


def _property(key: str, value: str) -> str:
    return f"  <PROPERTY>{key} = {value}</PROPERTY>"


def parse_xmlbif(data: bytes | str) -> BayesianNetwork:
    """Make a network of an XMLBIF document."""
    network = parse_xml(data, "bif").one("network")
    draft = Draft(int)
    for variable in network.all("variable"):
        kind = variable.attributes.get("TYPE", "nature")
        if kind != "nature":
            raise variable.fault(f"expected variables of TYPE nature, got {kind!r}.")
        remarks = _properties(variable)
        states = [outcome.text for outcome in variable.all("outcome")]
        draft.add_variable(
            variable.one("name").text,
            states,
            variable.line,
            name=remarks.get(NAME),
            labels=remarks.get(STATES),
            flags=remarks,
        )
    for definition in network.all("definition"):
        words = [definition.one("for").text, *(given.text for given in definition.all("given"))]
        child, parents = draft.find_family(words, definition.line)
        draft.add_table(child, parents, definition.one("table").numbers(), definition.line)
    return draft.finish({"format": "xmlbif"}, _properties(network).get(ORDER))


def _properties(element: Element) -> dict[str, str]:
    split = (remark.text.partition("=") for remark in element.all("property"))
    return {key.strip(): value.strip() for key, _, value in split}
