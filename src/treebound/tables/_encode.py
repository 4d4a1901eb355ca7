"""Encode more rows with a schema that is already known."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound.data import (
    MAX_LISTED,
    Codes,
    DataError,
    Dataset,
    Problem,
    Schema,
    Variable,
    code_type,
    nearest,
    not_found,
)
from treebound.tables._absent_columns import OnAbsent, check_absent, check_on_absent
from treebound.tables._encode_cells import encode_few
from treebound.tables._open import open_like
from treebound.tables._options import READING, ReadingOptions, with_options
from treebound.tables._table import Column, ColumnError, Table, missing_problem

logger = logging.getLogger(__name__)

MAX_UNSEEN_LISTED = 3

Rows: TypeAlias = NDArray[np.int32]
Unseen = Literal["error", "missing"]


def encode(schema: Schema, table: Table) -> Dataset:
    """The rows of a table as codes of the schema; all columns that do not fit are reported together."""
    table.check(min_rows=1)
    problems = not_found("absent", schema.names, table.names)
    codes: Codes = np.zeros((len(schema), table.num_rows), dtype=code_type(max(schema.cardinalities)))
    for index, result in _encoded_columns(schema, table):
        if isinstance(result, Problem):
            problems.append(result)
        elif len(missing := np.flatnonzero(result < 0)):
            problems.append(missing_problem(table, schema[index].name, missing))
        else:
            codes[index] = result
    if problems:
        raise DataError(problems, table.source)
    codes.flags.writeable = False
    return Dataset(schema, codes)


@with_options(READING)
def encode_rows(
    table: Any,
    schema: Schema,
    *,
    unseen: Unseen = "error",
    on_absent: OnAbsent = "ignore",
    target: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> Rows:
    """Encode rows that need not be complete: one row per variable of the schema, -1 for what is not known.

    ``table`` is anything that ``load`` takes, or a Dataset. Columns are found by name, those of a plain numpy
    array by their place in the schema; columns that the table does not have are unknown in every row, with
    a warning or an error if ``on_absent`` says so, unless it is that of ``target``; columns that the schema
    does not have are left out. Values that the schema does not know are an error, or
    unknown as well with ``unseen="missing"``. The other options are those of ``load``; those that are not
    given are as they were for the table that the schema comes from.
    """
    if unseen not in get_args(Unseen):
        raise ValueError(f"unseen must be 'error' or 'missing', got {unseen!r}.")
    check_type("schema", schema, Schema, "a Schema")
    check_on_absent(on_absent)
    if isinstance(table, Dataset) and table.schema == schema:
        return table.codes.astype(np.int32)
    opened = open_rows(table, schema, **reading)
    check_absent(opened.names, schema, on_absent, target, opened.source)
    return encode_opened(opened, schema, unseen=unseen)


def encode_opened(table: Table, schema: Schema, *, unseen: Unseen = "error") -> Rows:
    """The rows of a table that ``open_rows`` opened; all columns that do not fit are reported together."""
    few = encode_few(table, schema, takes_unseen=unseen == "missing")
    if few is not None:
        _note_extra_columns(schema, table)
        return few
    rows: Rows = np.full((len(schema), table.num_rows), -1, dtype=np.int32)
    problems = []
    for index, result in _encoded_columns(schema, table, unseen=unseen):
        if isinstance(result, Problem):
            problems.append(result)
        else:
            rows[index] = result
    if problems:
        raise DataError(problems, table.source)
    return rows


def open_rows(table: Any, schema: Schema, **reading: Unpack[ReadingOptions]) -> Table:
    """The columns of a table that has something to say about the variables of a schema."""
    opened = open_like(table, schema.preparation, **reading)
    if isinstance(table, np.ndarray) and table.dtype.names is None:
        if len(opened.names) != len(schema):
            expected = f"expected {len(schema)} columns, in the order of the variables"
            raise DataError([Problem("columns", f"{expected}, got an array of {len(opened.names)}")])
        opened = replace(opened, names=schema.names)
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
    _note_extra_columns(schema, table)
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
        logger.info("%s: columns that the schema does not have are left out: %s", table.source, listed)


def _encode_column(
    variable: Variable, table: Table, index: int, unseen: Unseen
) -> NDArray[np.intp] | Problem:
    try:
        column = table.read(index)
    except ColumnError as error:
        return Problem(error.kind, error.message, variable.name)
    codes = codes_of(variable, column)
    if unseen == "missing":
        return codes
    strange = np.flatnonzero(codes < 0)
    strange = strange[~np.isin(strange, column.missing_rows())]
    if len(strange):
        return Problem("unseen", _list_unseen(variable, column, strange, table), variable.name)
    return codes


def codes_of(variable: Variable, column: Column) -> NDArray[np.intp]:
    """The codes of the cells of a column, -1 for missing ones and for those that no state stands for."""
    present, values = column.present()
    recode = np.full(len(column.values), -1)
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
