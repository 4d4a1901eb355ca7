"""Hidden variables: columns without data, whose states are declared."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from treebound._arguments import check_type, shown
from treebound.data._codes import MISSING
from treebound.data._dataset import Dataset
from treebound.data._problems import DataError, Problem
from treebound.data._schema import Schema
from treebound.data._variable import Variable

#: How to choose a number of states: by the BIC of the observed cells, or by the likelihood of held-out rows.
StatesCriterion: TypeAlias = Literal["bic", "held-out"]
#: Numbers of states of hidden variables by name, or how to choose them.
Hidden: TypeAlias = Mapping[str, int | StatesCriterion]
_MOST_STATES = 1024


def check_hidden(hidden: Any) -> dict[str, int | StatesCriterion]:
    """Return the hidden variables, none for None; reject anything but names with numbers of states."""
    if hidden is None:
        return {}
    check_type("hidden", hidden, Mapping, "a mapping from names to numbers of states, such as {'H': 8}")
    for name, states in hidden.items():
        check_type("the name of a hidden variable", name, str, "a string")
        if not name:
            raise ValueError("The name of a hidden variable must not be empty.")
        is_number = isinstance(states, int) and not isinstance(states, bool) and 2 <= states <= _MOST_STATES
        if not is_number and (not isinstance(states, str) or states not in get_args(StatesCriterion)):
            raise ValueError(
                f"Hidden variable {name!r} needs a number of states from 2 to {_MOST_STATES:,}, 'bic' or "
                f"'held-out', got {shown(states) if not isinstance(states, str | int) else repr(states)}."
            )
    return dict(hidden)


def hidden_variable(name: str, num_states: int) -> Variable:
    """Return a hidden variable whose states are called 0, 1, ..."""
    return Variable(name, tuple(map(str, range(num_states))), is_hidden=True)


def with_hidden(data: Dataset, hidden: Mapping[str, int]) -> Dataset:
    """Return the rows with hidden variables behind their own; those that are there get new states."""
    if not hidden:
        return data
    schema = schema_with_hidden(data.schema, hidden)
    kept = [data.schema.position(name) for name in schema.names if name not in hidden]
    codes = np.full((len(schema), data.num_rows), MISSING, dtype=np.int32)
    codes[: len(kept)] = data.codes[kept]
    return Dataset(schema, codes, data.weights)


def schema_with_hidden(schema: Schema, hidden: Mapping[str, int]) -> Schema:
    """Return a schema with hidden variables behind its own; those that are there get new states."""
    for name in hidden:
        check_not_a_column(name, [one.name for one in schema if not one.is_hidden])
    kept = [variable for variable in schema if variable.name not in hidden]
    new = [hidden_variable(name, states) for name, states in hidden.items()]
    return Schema((*kept, *new), schema.preparation) if new else schema


def with_hidden_states(schema: Schema, hidden: Mapping[str, int]) -> Schema:
    """Return a schema in which some variables are hidden ones with so many states."""
    for name in hidden:
        schema.position(name)
    variables = (hidden_variable(one.name, hidden[one.name]) if one.name in hidden else one for one in schema)
    return replace(schema, variables=tuple(variables)) if hidden else schema


def check_not_a_column(name: str, columns: Collection[str]) -> None:
    """Reject a hidden variable that the table has a column for."""
    if name in columns:
        message = "is a column of the table, so it is not hidden; choose another name or drop the column"
        raise DataError([Problem("hidden", message, name)])
