"""The columns of X as variables: cut by the rule of ``load``, whatever X lacks."""

from __future__ import annotations

from typing import Any

from treebound.data import (
    MAX_STATES,
    BinMethod,
    Choices,
    DataError,
    Discretise,
    Schema,
    infer_schema,
    open_table,
)


def schema_of(table: Any, method: BinMethod, bins: int) -> Schema:
    """Names, states and bins of a table of features."""
    opened = open_table(table)
    # All columns are features, also those that look like the written index of a frame.
    choices = Choices(discretise=Discretise(method, bins), only=opened.names, max_states=MAX_STATES)
    try:
        return infer_schema(opened, choices)
    except DataError as error:
        raise DataError(error.problems, "X", in_estimator=True) from error
