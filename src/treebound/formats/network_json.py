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

from treebound.data import Schema
from treebound.formats._native_json import format_fields, parse_fields, schema_from_json
from treebound.formats._network_draft import NetworkFileError
from treebound.formats.structure_json import FORMAT as STRUCTURE_FORMAT
from treebound.formats.structure_json import claims_of, structure_of_fields
from treebound.network import BayesianNetwork
from treebound.structure import Structure

FORMAT = "treebound network"
MIXTURE_FORMAT = "treebound mixture"
VERSION = 3


def format_network_json(network: BayesianNetwork) -> str:
    """Return the text of a network file."""
    fields: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "treebound": importlib.metadata.version("treebound"),
        "schema": network.schema.to_json(),
    }
    return format_fields(fields | fields_of_network(network))


def fields_of_network(network: BayesianNetwork) -> dict[str, Any]:
    """Return what a file says of a network besides its schema."""
    return {
        "provenance": network.provenance,
        "num_rows": network.num_rows,
        "parents": network.parent_indices,
        "structure": claims_of(network.structure),
        "tables": [table.tolist() for table in network.tables],
    }


def parse_network_json(text: str) -> BayesianNetwork:
    """Make a network of the text of a network file."""
    fields = parse_fields(text, NetworkFileError)
    if fields.get("format") == STRUCTURE_FORMAT:
        raise NetworkFileError(
            "holds a structure without probability tables; `treebound fit STRUCTURE TABLE -o network.json` "
            "estimates them from a table."
        )
    if fields.get("format") == MIXTURE_FORMAT:
        raise NetworkFileError("holds a mixture of models; load_model reads it.")
    if fields.get("format") != FORMAT:
        raise NetworkFileError(f"expected a JSON object with format {FORMAT!r}, got something else.")
    version = fields.get("version")
    if type(version) is not int or version != VERSION:
        raise NetworkFileError(f"expected format version {VERSION}, got version {version!r}.")
    try:
        return network_of_fields(fields, schema_from_json(fields.get("schema"), NetworkFileError))
    except NetworkFileError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise NetworkFileError(f"{str(error).removesuffix('.')}.") from error


def network_of_fields(fields: dict[str, Any], schema: Schema) -> BayesianNetwork:
    """Make a network of what a file says of it."""
    tables = tuple(
        np.array(numbers_of("tables", row, int, float), dtype=np.float64)
        for row in list_of("tables", fields.get("tables"))
    )
    return BayesianNetwork(
        structure_beside(fields, schema),
        tables,
        fields.get("num_rows"),
        object_of("provenance", fields.get("provenance")),
    )


def structure_beside(fields: dict[str, Any], schema: Schema) -> Structure:
    """Make the structure of a network or mixture, whose file holds names and parents itself."""
    own = {"names": [*schema.names], "parents": fields.get("parents"), "schema": schema}
    return structure_of_fields({**object_of("structure", fields.get("structure")), **own})


def holds_network(text: str) -> bool:
    """Whether JSON says that it is a network, and not a structure."""
    return parse_fields(text, NetworkFileError).get("format") == FORMAT


# Python would take true for 1 and "12" for a list, so the types are looked at.
def object_of(name: str, value: Any) -> dict[str, Any]:
    """Return a field that must be an object."""
    if not isinstance(value, dict):
        raise NetworkFileError(f"field {name!r} must be an object, got {str(value)[:60]}.")
    return value


def list_of(name: str, value: Any) -> list[Any]:
    """Return a field that must be a list."""
    if not isinstance(value, list):
        raise NetworkFileError(f"field {name!r} must be a list, got {str(value)[:60]}.")
    return value


def numbers_of(name: str, value: Any, *kinds: type) -> tuple[Any, ...]:
    """Return a field that must be a list of numbers of some types."""
    found = list_of(name, value)
    if not set(map(type, found)) <= set(kinds):
        raise NetworkFileError(f"field {name!r} must hold numbers, got {str(found)[:60]}.")
    return tuple(found)
