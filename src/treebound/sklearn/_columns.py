"""Which columns of X are cut into bins: all numbers with more distinct values than there are bins."""

from __future__ import annotations

from typing import Any

from treebound.data import (
    MAX_STATES,
    BinMethod,
    ColumnError,
    Discretise,
    Schema,
    Table,
    domain_of,
    infer_schema,
    open_table,
)


def schema_of(table: Any, method: BinMethod, bins: int) -> Schema:
    """Names, states and bins of a table of features."""
    opened = open_table(table)
    rule = Discretise(method, bins)
    rules = {
        name: rule if _has_many_numbers(opened, i, bins) else None for i, name in enumerate(opened.names)
    }
    return infer_schema(opened, discretise=rules, max_states=MAX_STATES)


def _has_many_numbers(table: Table, index: int, bins: int) -> bool:
    try:
        column = table.read(index)
    except ColumnError:
        return False  # for the reader to complain about
    _, values = column.present()
    is_open = len(values) > bins and not column.is_declared
    return is_open and domain_of(values, is_text=table.is_text).is_numeric
