"""Plain JSON data inside values: schemas, options and provenance travel through files unchanged."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

Json: TypeAlias = Any


def plain_json(name: str, value: Json, error_type: type[ValueError]) -> Json:
    """Return a copy that shares nothing with the caller's, and that a JSON file gives back unchanged."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise error_type(f"{name} must be plain JSON data: {error}.") from error
