"""Encode rows with a schema that is already known."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treebound.data import (
    MAX_LISTED,
    MISSING,
    Codes,
    DataError,
    Dataset,
    Missing,
    Problem,
    Schema,
    Variable,
    checked_weights,
    code_type,
    nearest,
)
from treebound.tables._absent_columns import OnAbsent, check_absent, check_on_absent
from treebound.tables._encode_cells import encode_cells
from treebound.tables._missing_rows import check_left
from treebound.tables._open import open_like
from treebound.tables._options import ReadingOptions
from treebound.tables._table import Column, ColumnError, Table, missing_problem

logger = logging.getLogger(__name__)

MAX_UNSEEN_LISTED = 3

Unseen = Literal["error", "missing"]


def read_rows(
    table: Any,
    schema: Schema,
    *,
    missing: Missing,
    unseen: Unseen = "error",
    on_absent: OnAbsent = "error",
    target: str | None = None,
    weights: ArrayLike | None = None,
    **reading: Unpack[ReadingOptions],
) -> Dataset:
    """Encode the rows of anything that ``load`` takes; a Dataset of the same variables is not read again."""
    check_choices(unseen, on_absent)
    if isinstance(table, Dataset):
        weights = table.weights if weights is None else weights
        if table.schema.variables == schema.variables and (table.is_complete or missing == "keep"):
            given = None if weights is None else checked_weights(weights, table.num_rows)
            return table if weights is table.weights else replace(table, weights=given)
    opened = open_rows(table, schema, **reading)
    return encode(
        opened, schema, missing=missing, unseen=unseen, on_absent=on_absent, target=target, weights=weights
    )


def encode(
    table: Table,
    schema: Schema,
    *,
    missing: Missing,
    unseen: Unseen = "error",
    on_absent: OnAbsent = "error",
    target: str | None = None,
    weights: ArrayLike | None = None,
) -> Dataset:
    """Encode the rows of a table that ``open_rows`` opened.

    All columns that do not fit are reported together. A variable without a column is missing in every row,
    if ``on_absent`` allows it; the column of the ``target`` is never needed.
    """
    given = None if weights is None else checked_weights(weights, table.num_rows)
    problems = check_absent(table.names, schema, on_absent, target, table.source)
    few = None if problems else encode_cells(table, schema, takes_unseen=unseen == "missing")
    if few is None or (missing == "error" and few.min() < 0):
        codes = _by_column(table, schema, missing, unseen, problems)
    else:
        codes = few
    _note_extra_columns(schema, table)
    codes.flags.writeable = False
    data = Dataset(schema, codes, given)
    if missing != "drop" or data.is_complete:
        return data
    complete = data.complete()
    check_left(complete.num_rows, table.num_rows, table.source)
    return complete


def check_choices(unseen: Unseen, on_absent: OnAbsent) -> None:
    """Reject anything but the choices."""
    if unseen not in get_args(Unseen):
        raise ValueError(f"unseen must be 'error' or 'missing', got {unseen!r}.")
    check_on_absent(on_absent)


def _by_column(
    table: Table, schema: Schema, missing: Missing, unseen: Unseen, problems: list[Problem]
) -> Codes:
    """The codes of all columns; problems are added to those that are known."""
    codes: Codes = np.zeros((len(schema), table.num_rows), dtype=code_type(schema.max_cardinality))
    if any(name not in table.names for name in schema.names):
        codes = np.full(codes.shape, MISSING, dtype=np.int32)
    for index, result in _encoded_columns(schema, table, unseen=unseen):
        if isinstance(result, Problem):
            problems.append(result)
            continue
        if result.min() < 0:
            if missing == "error" and not schema[index].is_hidden:
                problems.append(missing_problem(table, schema[index].name, np.flatnonzero(result < 0)))
            codes = codes.astype(np.int32, copy=False)
        codes[index] = result
    if problems:
        raise DataError(problems, table.source)
    return codes


def open_rows(table: Any, schema: Schema, **reading: Unpack[ReadingOptions]) -> Table:
    """The columns of a table that has something to say about the variables of a schema."""
    opened = open_like(table, schema.preparation, **reading)
    if isinstance(table, np.ndarray) and table.dtype.names is None:
        known = schema.names
        if schema.hidden and len(opened.names) == len(schema.observed):
            known = tuple(schema.names[v] for v in schema.observed)
        if len(opened.names) != len(known):
            expected = f"expected {len(known)} columns, in the order of the variables"
            raise DataError([Problem("columns", f"{expected}, got an array of {len(opened.names)}")])
        opened = replace(opened, names=known)
    opened.check(min_rows=1)
    if not any(name in schema for name in opened.names):
        listed = ", ".join(map(repr, opened.names[:5])) + (", ..." if len(opened.names) > 5 else "")
        hint = nearest(opened.names[0], schema.names)
        message = f"none of its columns is a known variable, got {listed}{hint}"
        raise DataError([Problem("columns", message)], opened.source)
    return opened


def _encoded_columns(
    schema: Schema, table: Table, *, unseen: Unseen = "error"
) -> Iterator[tuple[int, NDArray[np.intp] | Problem]]:
    """The variables that the table has columns for, each with its codes or what is wrong with them."""
    positions = {name: position for position, name in enumerate(table.names)}
    for index, variable in enumerate(schema):
        if variable.name in positions:
            yield index, _encode_column(variable, table, positions[variable.name], unseen)


def _note_extra_columns(schema: Schema, table: Table) -> None:
    if table.names == schema.names:
        return
    extra = [name for name in table.names if name not in schema.positions]
    if extra:
        listed = ", ".join(map(repr, extra[:MAX_LISTED])) + (", ..." if len(extra) > MAX_LISTED else "")
        logger.info("%s: columns that the schema does not have are ignored: %s", table.source, listed)


def _encode_column(
    variable: Variable, table: Table, index: int, unseen: Unseen
) -> NDArray[np.intp] | Problem:
    try:
        column = table.read(index)
    except ColumnError as error:
        return Problem(error.kind, error.message, variable.name)
    codes = codes_of(variable, column)
    if unseen == "missing" or codes.min() >= 0:
        return codes
    strange = np.flatnonzero(codes < 0)
    strange = strange[~np.isin(strange, column.missing_rows())]
    if len(strange):
        return Problem("unseen", _list_unseen(variable, column, strange, table), variable.name)
    return codes


def codes_of(variable: Variable, column: Column) -> NDArray[np.intp]:
    """The codes of the cells of a column, -1 for those that no state stands for.

    Missing cells have the code of the state that stands for them, if there is one.
    """
    present, values = column.present()
    recode = np.full(len(column.values), variable.missing_code)
    recode[np.asarray(present, dtype=np.intp)] = variable.find_all(values)
    codes: NDArray[np.intp] = recode[column.codes]
    return codes


def _list_unseen(variable: Variable, column: Column, rows: NDArray[np.intp], table: Table) -> str:
    first_rows: dict[int, int] = {}
    for row in rows.tolist():
        first_rows.setdefault(int(column.codes[row]), row)
    places = [f"{column.values[code]!r} in {table.place(row)}" for code, row in first_rows.items()]
    more = f" and {len(places) - MAX_UNSEEN_LISTED} more" if len(places) > MAX_UNSEEN_LISTED else ""
    hint = variable.hint(column.values[next(iter(first_rows))])
    return ", ".join(places[:MAX_UNSEEN_LISTED]) + more + hint
