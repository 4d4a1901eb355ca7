"""What the native files share: one JSON object, one field per line, and a schema that is read with care."""

from __future__ import annotations

import json
from typing import Any

from treebound.data import Schema


def format_fields(fields: dict[str, Any]) -> str:
    """Return the text of an object, one top-level field per line."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in fields.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def parse_fields(text: str, error_type: type[ValueError]) -> dict[str, Any]:
    """Return the object that a text holds, or raise ``error_type``."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise error_type(f"expected JSON, got something else or a truncated file ({error}).") from error
    if not isinstance(fields, dict):
        raise error_type(f"expected a JSON object, got {str(fields)[:60]}.")
    return fields


def schema_from_json(fields: Any, error_type: type[ValueError]) -> Schema:
    """Make a schema of what a file says, or raise ``error_type``; Python would take "12" for two states."""
    if not isinstance(fields, dict):
        raise error_type(f"field 'schema' must be an object, got {str(fields)[:60]}.")
    if not isinstance(variables := fields.get("variables"), list):
        raise error_type(f"field 'variables' must be a list, got {str(variables)[:60]}.")
    for variable in variables:
        if not isinstance(variable, dict):
            raise error_type(f"field 'variables' must hold objects, got {str(variable)[:60]}.")
        if not isinstance(states := variable.get("states"), list):
            raise error_type(f"field 'states' must be a list, got {str(states)[:60]}.")
        if not isinstance(variable.get("name"), str) or not all(isinstance(s, str) for s in states):
            raise error_type(f"names and states must be strings, got {str(variable)[:80]}.")
    try:
        return Schema.from_json(fields)
    except (ValueError, TypeError) as error:
        raise error_type(f"field 'schema' must describe variables: {error}") from error
