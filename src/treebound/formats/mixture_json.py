"""The native file of a mixture: JSON with all its components in it.

The tables of a shared mixture are many, so they are written as the base64 text of little-endian doubles, one
component after the other.
"""

from __future__ import annotations

import base64
import binascii
import importlib.metadata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.data import Schema
from treebound.formats._native_json import format_fields, parse_fields, schema_from_json
from treebound.formats._network_draft import NetworkFileError
from treebound.formats.network_json import (
    MIXTURE_FORMAT,
    fields_of_network,
    list_of,
    network_of_fields,
    numbers_of,
    object_of,
    structure_beside,
)
from treebound.formats.structure_json import claims_of
from treebound.inference import offsets, table_sizes
from treebound.network import BayesianNetwork, Mixture, Model, SharedMixture
from treebound.structure import Structure

VERSION = 1
_DOUBLES = "<f8"


def format_mixture_json(mixture: Mixture | SharedMixture) -> str:
    """Return the text of a mixture file."""
    fields: dict[str, Any] = {
        "format": MIXTURE_FORMAT,
        "version": VERSION,
        "treebound": importlib.metadata.version("treebound"),
        "schema": mixture.schema.to_json(),
    }
    return format_fields(fields | _fields_of(mixture))


def parse_mixture_json(text: str) -> Mixture | SharedMixture:
    """Make a mixture of the text of a mixture file."""
    fields = parse_fields(text, NetworkFileError)
    version = fields.get("version")
    if type(version) is not int or version != VERSION:
        raise NetworkFileError(f"expected format version {VERSION}, got version {version!r}.")
    try:
        found = _model_of(fields, schema_from_json(fields.get("schema"), NetworkFileError))
    except NetworkFileError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise NetworkFileError(f"{str(error).removesuffix('.')}.") from error
    if not isinstance(found, Mixture | SharedMixture):
        raise NetworkFileError("expected a mixture, got a single network.")
    return found


def holds_mixture(text: str) -> bool:
    """Whether JSON says that it is a mixture."""
    return parse_fields(text, NetworkFileError).get("format") == MIXTURE_FORMAT


def _fields_of(model: Model) -> dict[str, Any]:
    if isinstance(model, BayesianNetwork):
        return {"kind": "network", **fields_of_network(model)}
    if isinstance(model, SharedMixture):
        return {"kind": "shared", **_fields_of_shared(model)}
    if isinstance(model, Mixture):
        return {
            "kind": "mixture",
            "provenance": model.provenance,
            "weights": model.weights.tolist(),
            "components": [_fields_of(one) for one in model.components],
        }
    raise NetworkFileError(f"Mixtures of {type(model).__name__} cannot be written to a file.")


def _fields_of_shared(mixture: SharedMixture) -> dict[str, Any]:
    tables = np.concatenate(mixture.tables, axis=1).astype(_DOUBLES)
    return {
        "provenance": mixture.provenance,
        "weights": mixture.weights.tolist(),
        "parents": mixture.structure.parent_indices,
        "structure": claims_of(mixture.structure),
        "tables": base64.b64encode(tables.tobytes()).decode("ascii"),
    }


def _model_of(fields: Any, schema: Schema) -> Model:
    fields = object_of("components", fields)
    kind = fields.get("kind")
    if kind == "network":
        return network_of_fields(fields, schema)
    provenance = object_of("provenance", fields.get("provenance"))
    weights = numbers_of("weights", fields.get("weights"), int, float)
    if kind == "shared":
        structure = structure_beside(fields, schema)
        return SharedMixture(
            structure,
            np.array(weights, dtype=np.float64),
            _tables_of(fields, structure, len(weights)),
            provenance,
        )
    if kind == "mixture":
        components = [_model_of(one, schema) for one in list_of("components", fields.get("components"))]
        return Mixture(components, weights, provenance)
    raise NetworkFileError(f"expected kind 'network', 'shared' or 'mixture', got {str(kind)[:60]!r}.")


def _tables_of(
    fields: dict[str, Any], structure: Structure, num_components: int
) -> tuple[NDArray[np.float64], ...]:
    assert structure.schema is not None
    ends = offsets(table_sizes(structure.parent_indices, structure.schema.cardinalities))
    try:
        data = base64.b64decode(fields.get("tables", ""), validate=True)
    except (binascii.Error, TypeError, ValueError) as error:
        raise NetworkFileError("field 'tables' must be base64 text.") from error
    expected = num_components * int(ends[-1])
    if len(data) != expected * np.dtype(_DOUBLES).itemsize:
        raise NetworkFileError(f"field 'tables' must hold {expected:,} doubles, got {len(data):,} bytes.")
    flat = np.frombuffer(data, dtype=_DOUBLES).astype(np.float64).reshape(num_components, -1)
    return tuple(np.split(flat, ends[1:-1], axis=1))
