"""A schema inside a JSON file, looked at closely: Python would take ``"12"`` for a list of two states."""

from __future__ import annotations

from typing import Any

from treebound.data import Schema


def schema_from_json(fields: Any, refusal: type[ValueError]) -> Schema:
    """Make a schema of what a file says, or raise ``refusal``."""
    if not isinstance(fields, dict):
        raise refusal(f"field 'schema' must be an object, got {str(fields)[:60]}.")
    if not isinstance(variables := fields.get("variables"), list):
        raise refusal(f"field 'variables' must be a list, got {str(variables)[:60]}.")
    for variable in variables:
        if not isinstance(variable, dict):
            raise refusal(f"field 'variables' must hold objects, got {str(variable)[:60]}.")
        if not isinstance(states := variable.get("states"), list):
            raise refusal(f"field 'states' must be a list, got {str(states)[:60]}.")
        if not isinstance(variable.get("name"), str) or not all(isinstance(s, str) for s in states):
            raise refusal(f"names and states must be texts, got {str(variable)[:80]}.")
    try:
        return Schema.from_json(fields)
    except (ValueError, TypeError) as error:
        raise refusal(f"field 'schema' must describe variables: {error}") from error
