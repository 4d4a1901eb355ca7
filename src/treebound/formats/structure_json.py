"""The native file of a structure: JSON with everything in it, the witness and the schema too."""

from __future__ import annotations

from typing import Any

from treebound.constraints import Constraints
from treebound.data import Schema
from treebound.formats._native_json import format_fields, parse_fields, schema_from_json
from treebound.structure import Structure, StructureError, TreeDecomposition

FORMAT = "treebound structure"
VERSION = 3
_PLAIN = (
    "local_scores",
    "score",
    "score_rounding",
    "max_treewidth",
    "max_cells",
    "insertion_order",
    "steps",
)


def format_json(structure: Structure) -> str:
    """Return the text of a structure file, one top-level field per line."""
    fields: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    fields |= {"names": structure.names, "parents": structure.parent_indices}
    fields |= claims_of(structure)
    fields["schema"] = None if structure.schema is None else structure.schema.to_json()
    return format_fields(fields)


def claims_of(structure: Structure) -> dict[str, Any]:
    """Return what a structure claims besides its arcs: scores, limits, witness, constraints, provenance."""
    fields = {name: getattr(structure, name) for name in _PLAIN}
    proof = structure.decomposition
    fields["treewidth"] = None if proof is None else proof.width
    fields["witness"] = None if proof is None else {"bags": proof.bags, "edges": proof.edges}
    fields["constraints"] = None if structure.constraints is None else structure.constraints.to_dict()
    fields["provenance"] = structure.provenance
    return fields


def parse_json(text: str) -> Structure:
    """Make a structure of the text of a structure file."""
    fields = parse_fields(text, StructureError)
    if fields.get("format") != FORMAT:
        raise StructureError(f"expected a JSON object with format {FORMAT!r}, got something else.")
    version = fields.get("version")
    if type(version) is not int or version != VERSION:
        raise StructureError(f"expected format version {VERSION}, got version {version!r}.")
    return structure_of_fields(fields)


def structure_of_fields(fields: dict[str, Any]) -> Structure:
    """Make a structure of the fields of a file, all of which are checked; the schema may be one already."""
    _check_types(fields)
    witness = fields["witness"]
    schema = fields["schema"]
    if schema is not None and not isinstance(schema, Schema):
        schema = schema_from_json(schema, StructureError)
    given: dict[str, Any] = {name: fields[name] for name in _PLAIN}
    return Structure(
        fields["names"],
        fields["parents"],
        None if witness is None else TreeDecomposition(witness["bags"], witness["edges"]),
        schema=schema,
        provenance=fields["provenance"],
        constraints=_constraints_of(fields.get("constraints")),
        **given,
    )


def _constraints_of(fields: Any) -> Constraints | None:
    try:
        return None if fields is None else Constraints.from_dict(fields)
    except (TypeError, ValueError) as error:
        raise StructureError(f"field 'constraints' is not of the right kind: {error}") from error


def _check_types(fields: dict[str, Any]) -> None:
    """Look at the types of all fields, since Python would take ``true`` for 1 and ``"12"`` for a list."""
    witness = fields.get("witness", 0)
    if witness is None:
        witness = {"bags": [], "edges": []}
    if not isinstance(witness, dict):
        raise StructureError("expected a witness with bags and edges.")
    expectations = [
        ("names", _are(fields.get("names"), str)),
        ("parents", _are_rows(fields.get("parents"))),
        ("local_scores", _is_none_or(fields.get("local_scores", 0), lambda v: _are(v, int, float))),
        ("score", _is_none_or(fields.get("score", ""), lambda v: type(v) in (int, float))),
        ("score_rounding", type(fields.get("score_rounding")) in (int, float)),
        ("max_treewidth", _is_none_or(fields.get("max_treewidth", ""), lambda v: type(v) is int)),
        ("max_cells", _is_none_or(fields.get("max_cells", ""), lambda v: type(v) is int)),
        ("steps", type(fields.get("steps")) is int),
        ("insertion_order", _is_none_or(fields.get("insertion_order", 0), lambda v: _are(v, int))),
        ("witness bags", _are_rows(witness.get("bags"))),
        (
            "witness edges",
            _are_rows(witness.get("edges")) and all(len(edge) == 2 for edge in witness["edges"]),
        ),
        ("schema", "schema" in fields),
        ("provenance", isinstance(fields.get("provenance"), dict)),
    ]
    for name, fine in expectations:
        if not fine:
            raise StructureError(f"field {name!r} is missing or not of the right kind.")


def _is_none_or(value: Any, fine: Any) -> bool:
    return value is None or fine(value)


def _are(values: Any, *kinds: type) -> bool:
    return isinstance(values, list) and all(type(value) in kinds for value in values)


def _are_rows(rows: Any) -> bool:
    return isinstance(rows, list) and all(_are(row, int) for row in rows)
