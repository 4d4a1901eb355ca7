"""Arguments of the wrong type get one sentence, before they fail somewhere inside."""

from __future__ import annotations

from types import UnionType

_SHOWN = (str, int, float, type(None))  # anything else may be long, and is told by its type


def check_type(name: str, value: object, kinds: type | UnionType, expected: str) -> None:
    """Refuse an argument that is of none of the types; ``expected`` says in words what it must be."""
    if not isinstance(value, kinds):
        raise TypeError(f"{name} must be {expected}, got {_told(value)}.")


def _told(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return repr(value) if isinstance(value, _SHOWN) else f"an object of type {type(value).__name__}"
