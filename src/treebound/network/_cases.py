"""A single case where a table is expected: a mapping from names to single values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from treebound.data import Schema
from treebound.network._names import position_of
from treebound.tables import OnAbsent


def is_case(table: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether a table is a mapping to single values, and not to columns."""
    return isinstance(table, Mapping) and bool(table) and all(map(_is_single, table.values()))


def rows_of_case(case: Mapping[str, Any], schema: Schema, on_absent: OnAbsent) -> dict[str, list[Any]]:
    """The case as a table of one row; as in evidence, all of its names must be variables.

    With ``on_absent="ignore"`` other names are dropped, as other columns of a table are.
    """
    if on_absent != "ignore":
        for name in case:
            position_of(name, schema)
    return {name: [value] for name, value in case.items()}


def _is_single(value: Any) -> bool:
    return isinstance(value, str) or not hasattr(value, "__len__")
