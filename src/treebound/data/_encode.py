"""Encode more rows with a schema that is already known."""

from __future__ import annotations

import logging

import numpy as np
from numpy.typing import NDArray

from treebound.data._dataset import Codes, Dataset, code_type
from treebound.data._problems import MAX_LISTED, DataError, Problem, not_found
from treebound.data._schema import Schema
from treebound.data._table import Column, ColumnError, Table, missing_problem
from treebound.data._variable import Variable

logger = logging.getLogger(__name__)

MAX_UNSEEN_LISTED = 3


def encode(schema: Schema, table: Table) -> Dataset:
    """The rows of a table as codes of the schema; all columns that do not fit are reported together."""
    table.check(min_rows=1)
    positions = {name: position for position, name in enumerate(table.names)}
    problems = not_found("absent", schema.names, table.names)
    _note_extra_columns(schema, table)
    codes: Codes = np.empty((len(schema), table.num_rows), dtype=code_type(max(schema.cardinalities)))
    for index, variable in enumerate(schema):
        if variable.name in positions:
            result = _encode_column(variable, table, positions[variable.name])
            if isinstance(result, Problem):
                problems.append(result)
            else:
                codes[index] = result
    if problems:
        raise DataError(problems, table.source)
    codes.flags.writeable = False
    return Dataset(schema, codes)


def _note_extra_columns(schema: Schema, table: Table) -> None:
    extra = [name for name in table.names if name not in schema]
    if extra:
        listed = ", ".join(map(repr, extra[:MAX_LISTED])) + (", ..." if len(extra) > MAX_LISTED else "")
        logger.info("%s: columns that the schema does not have are left out: %s", table.source, listed)


def _encode_column(variable: Variable, table: Table, index: int) -> Codes | Problem:
    try:
        column = table.read(index)
    except ColumnError as error:
        return Problem(error.kind, error.message, variable.name)
    missing = column.missing_rows()
    if len(missing):
        return missing_problem(table, variable.name, missing)
    present, values = column.present()
    recode = np.full(len(column.values), -1)
    recode[np.asarray(present)] = variable.find_all(values)
    codes: NDArray[np.intp] = recode[column.codes]
    unseen = np.flatnonzero(codes < 0)
    if len(unseen):
        return Problem("unseen", _list_unseen(column, unseen, table), variable.name)
    return codes.astype(code_type(variable.cardinality))


def _list_unseen(column: Column, rows: NDArray[np.intp], table: Table) -> str:
    first_rows: dict[int, int] = {}
    for row in rows.tolist():
        first_rows.setdefault(int(column.codes[row]), row)
    places = [f"{column.values[code]!r} in {table.place(row)}" for code, row in first_rows.items()]
    more = f" and {len(places) - MAX_UNSEEN_LISTED} more" if len(places) > MAX_UNSEEN_LISTED else ""
    return ", ".join(places[:MAX_UNSEEN_LISTED]) + more
