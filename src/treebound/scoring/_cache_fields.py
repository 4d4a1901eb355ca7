"""What the fields of a cache must be: names that differ, flat arrays of one type, plain records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._json import Json, plain_json


class CacheError(ValueError):
    """Arrays or a file that do not make a parent-set cache."""


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, which must be different strings."""
    result = tuple(names)
    if not result:
        raise CacheError("A cache needs at least one variable, got none.")
    seen: set[str] = set()
    for number, name in enumerate(result):
        if not isinstance(name, str):
            raise CacheError(f"Names must be strings, got {name!r} for variable {number}.")
        if name in seen:
            raise CacheError(f"Names must differ, {name!r} comes twice.")
        seen.add(name)
    return result


def checked_array(name: str, values: Any, kind: np.dtype[Any]) -> NDArray[Any]:
    """Return ``values`` as a read-only array of this kind; conversions that change a value are errors."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise CacheError(f"{name} must be a one-dimensional array, got shape {array.shape}.")
    if array.dtype == kind and array.flags.c_contiguous:
        return frozen(array.view())
    fitting = {"i": "iu", "u": "iu", "f": "iuf", "b": "b"}[kind.kind]
    if array.size and array.dtype.kind not in fitting:
        raise CacheError(f"{name} must hold {kind.name}, got {array.dtype}.")
    if kind.kind in "iu" and array.size:
        limits = np.iinfo(kind)
        if int(array.min()) < limits.min or int(array.max()) > limits.max:
            raise CacheError(f"{name} must hold {kind.name}, got values from {array.min()} to {array.max()}.")
    return frozen(np.ascontiguousarray(array, dtype=kind))


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, read-only."""
    array.flags.writeable = False
    return array


def checked_record(name: str, value: Json) -> dict[str, Json]:
    """Return a mapping as plain data that JSON can hold."""
    if not isinstance(value, Mapping):
        raise CacheError(f"{name} must be a mapping, got {type(value).__name__}.")
    record: dict[str, Json] = plain_json(name, dict(value), CacheError)
    return record
