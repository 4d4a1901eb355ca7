"""bnlearn's model string, ``[rain][sprinkler|rain][wet|rain:sprinkler]``: a short text form of a DAG."""

from __future__ import annotations

import re

from treebound.structure import Structure, StructureError

_FAMILY = re.compile(r"\[([^\[\]|:]+)(?:\|([^\[\]|]+))?\]")
_RESERVED = frozenset("[]|:\r\n")


def format_modelstring(structure: Structure) -> str:
    """Return the model string, variables in their own order."""
    for name in structure.names:
        if not name.strip() or name != name.strip() or _RESERVED.intersection(name):
            raise StructureError(
                f"A model string cannot hold the name {name!r}: it has one of []|:, a line break, or "
                "whitespace at an end."
            )
    families = []
    for name, parents in structure.parents.items():
        given = ":".join(parents)
        families.append(f"[{name}|{given}]" if given else f"[{name}]")
    return "".join(families) + "\n"


def parse_modelstring(text: str) -> Structure:
    """Make a structure of a model string; it has no scores, and a witness is looked for."""
    rest = text.strip()
    parents: dict[str, list[str]] = {}
    at = 0
    while at < len(rest):
        found = _FAMILY.match(rest, at)
        if found is None:
            raise StructureError(
                f"character {at + 1}: expected [name] or [name|parent:...], got {rest[at : at + 30]!r}."
            )
        name = found[1].strip()
        if name in parents:
            raise StructureError(f"character {at + 1}: expected a new variable, got {name!r} again.")
        parents[name] = [parent.strip() for parent in found[2].split(":")] if found[2] else []
        at = found.end()
    return Structure.from_parents(parents, provenance={"format": "modelstring"})
