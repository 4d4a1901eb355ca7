"""The native file of a network: JSON with everything in it, bins, witness and provenance too.

It also holds the scores and the tree decomposition of the structure: it is the one file of all that was
learned, and a structure is read out of it where one is wanted. One top-level field per line; ``format``
distinguishes networks from structures, which are JSON as well. Numbers are written with as many digits as it
takes to read the same ones again.
"""

from __future__ import annotations

import importlib.metadata
from typing import Any

import numpy as np

from treebound.formats._native_json import format_fields, parse_fields, schema_from_json
from treebound.formats._network_draft import NetworkFileError
from treebound.formats.structure_json import FORMAT as STRUCTURE_FORMAT
from treebound.formats.structure_json import claims_of, structure_of_fields
from treebound.network import BayesianNetwork

FORMAT = "treebound network"
VERSION = 3


def format_network_json(network: BayesianNetwork) -> str:
    """Return the text of a network file."""
    fields: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "treebound": importlib.metadata.version("treebound"),
        "provenance": network.provenance,
        "num_rows": network.num_rows,
        "schema": network.schema.to_json(),
        "parents": network.parent_indices,
        "structure": claims_of(network.structure),
        "tables": [table.tolist() for table in network.tables],
    }
    return format_fields(fields)


def parse_network_json(text: str) -> BayesianNetwork:
    """Make a network of the text of a network file."""
    fields = parse_fields(text, NetworkFileError)
    if fields.get("format") == STRUCTURE_FORMAT:
        raise NetworkFileError(
            "holds a structure without probability tables; `treebound fit STRUCTURE TABLE -o network.json` "
            "estimates them from a table."
        )
    if fields.get("format") != FORMAT:
        raise NetworkFileError(f"expected a JSON object with format {FORMAT!r}, got something else.")
    version = fields.get("version")
    if type(version) is not int or version != VERSION:
        raise NetworkFileError(f"expected format version {VERSION}, got version {version!r}.")
    try:
        return _network_of(fields)
    except NetworkFileError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise NetworkFileError(f"{str(error).removesuffix('.')}.") from error


def _network_of(fields: dict[str, Any]) -> BayesianNetwork:
    schema = schema_from_json(fields.get("schema"), NetworkFileError)
    own = {"names": [*schema.names], "parents": fields.get("parents"), "schema": schema}
    tables = tuple(
        np.array(_numbers("tables", row, int, float), dtype=np.float64)
        for row in _list("tables", fields.get("tables"))
    )
    return BayesianNetwork(
        structure_of_fields({**_object("structure", fields.get("structure")), **own}),
        tables,
        fields.get("num_rows"),
        _object("provenance", fields.get("provenance")),
    )


def holds_network(text: str) -> bool:
    """Whether JSON says that it is a network, and not a structure."""
    return parse_fields(text, NetworkFileError).get("format") == FORMAT


# Python would take true for 1 and "12" for a list, so that the types are looked at.
def _object(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise NetworkFileError(f"field {name!r} must be an object, got {str(value)[:60]}.")
    return value


def _list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise NetworkFileError(f"field {name!r} must be a list, got {str(value)[:60]}.")
    return value


def _numbers(name: str, value: Any, *kinds: type) -> tuple[Any, ...]:
    found = _list(name, value)
    if not set(map(type, found)) <= set(kinds):
        raise NetworkFileError(f"field {name!r} must hold numbers, got {str(found)[:60]}.")
    return tuple(found)
