"""The rows that a structure is fitted to, read with its states, and what happens to missing values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from treebound.data import (
    MISSING,
    DataError,
    Dataset,
    Missing,
    Problem,
    Schema,
    check_not_a_column,
    hidden_variable,
    not_found,
    with_hidden_states,
)
from treebound.structure import Structure
from treebound.tables import Table, load, open_table

#: The choices of ``load``, and EM.
FitMissing: TypeAlias = Missing | Literal["em"]
_EMPTY = "nothing to count"


def rows_for(
    structure: Structure, table: Any, missing: FitMissing | None, hidden: Mapping[str, int]
) -> Dataset:
    """The rows in the variables of the structure: those of its schema, or what the table says about them."""
    stage = "fitting a network"
    if unknown := not_found("no such variable", hidden, structure.names):
        raise DataError(unknown, "the structure")
    if structure.schema is not None:
        return rows_to_count(table, with_hidden_states(structure.schema, hidden), missing, stage)
    opened = table if isinstance(table, Dataset) else open_table(table)
    names = opened.schema.names if isinstance(opened, Dataset) else opened.names
    for name in hidden:
        check_not_a_column(name, names)
    wanted = tuple(name for name in structure.names if name not in hidden)
    data = opened if isinstance(opened, Dataset) else _load(opened, wanted)
    if absent := not_found("absent", wanted, data.schema.names):
        raise DataError(absent)
    done = data.schema.preparation
    if not isinstance(table, Dataset):
        how: Missing = "keep" if missing == "em" else missing or "error"
        done = replace(done, reading=replace(done.reading, missing=how))
    return _countable(
        _arranged(data, structure.names, hidden, replace(data.schema, preparation=done)), missing, stage
    )


def _arranged(data: Dataset, names: tuple[str, ...], hidden: Mapping[str, int], known: Schema) -> Dataset:
    """The columns in the order of the names, with those of hidden variables between them."""
    variables = [hidden_variable(name, hidden[name]) if name in hidden else known[name] for name in names]
    positions = [0 if name in hidden else known.position(name) for name in names]
    codes = data.codes[positions]
    if hidden:
        codes = codes.astype(np.int32)
        codes[[name in hidden for name in names]] = MISSING
    return Dataset(Schema(tuple(variables), known.preparation), codes, data.weights)


def _load(opened: Table, names: tuple[str, ...]) -> Dataset:
    """The columns of some variables; those without any value cannot be dropped here."""
    if absent := not_found("absent", names, opened.names):
        raise DataError(absent, opened.source)
    try:
        return load(opened, only=names, missing="keep")
    except DataError as error:
        problems = [replace(p, kind=_EMPTY) if p.kind == "empty column" else p for p in error.problems]
        raise DataError(problems, error.source) from error


def rows_to_count(table: Any, schema: Schema, missing: FitMissing | None, stage: str) -> Dataset:
    """The rows of a table that has all columns of a schema, as a stage counts them."""
    return _countable(load(table, schema=schema, missing="keep"), missing, stage)


def _countable(data: Dataset, missing: FitMissing | None, stage: str) -> Dataset:
    """Apply the choice for missing values: without one, rows are dropped only if they were before."""
    if missing is None:
        missing = "drop" if data.schema.preparation.reading.missing == "drop" else "error"
    if missing not in (*get_args(Missing), "em"):
        raise ValueError(f"missing must be 'error', 'drop', 'keep' or 'em', got {missing!r}.")
    check_columns(data)
    if missing == "keep":
        check_not_hidden(data.schema)
    if missing in ("keep", "em") and data.num_rows:
        return data
    chosen = data.complete() if missing == "drop" else data
    chosen.without_hidden().require_complete(stage)
    return chosen


def check_not_hidden(schema: Schema) -> None:
    """Reject hidden variables where only observed cells are counted."""
    if schema.hidden:
        raise ValueError(
            f"{schema.hidden[0]!r} is hidden, and missing='keep' would count nothing for it. "
            "Pass missing='em'."
        )


def check_columns(data: Dataset) -> None:
    """Reject columns without any value, unless they are those of hidden variables."""
    if not data.is_complete and data.num_rows:
        check_observed_columns(np.asarray((data.codes >= 0).any(axis=1)), data.schema, data.num_rows)


def check_observed_columns(has_value: NDArray[np.bool_], schema: Schema, num_rows: int) -> None:
    """Reject columns without any value, given which have one, unless they are those of hidden variables."""
    if empty := [schema[int(v)].name for v in schema.observed if not has_value[v]]:
        message = f"all of its {num_rows} rows are missing"
        raise DataError([Problem(_EMPTY, message, name) for name in empty])
