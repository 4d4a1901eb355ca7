"""Learn the schema of a table and encode its rows: from a Table to a Dataset, or to all that is wrong."""

from __future__ import annotations

import logging

import numpy as np

from treebound._arguments import check_integer
from treebound._memory import check_fits
from treebound.data._dataset import Codes, Dataset, code_type
from treebound.data._discretise import Plan, Rules
from treebound.data._infer_column import infer_column
from treebound.data._problems import MAX_LISTED, DataError, Problem
from treebound.data._schema import Schema
from treebound.data._table import Table
from treebound.data._variable import MAX_STATES, Variable

logger = logging.getLogger(__name__)

MIN_ROWS = 2


def infer_dataset(table: Table, *, discretise: Rules, max_states: int) -> Dataset:
    """The schema and the codes of a table."""
    plan = _checked_plan(table, discretise, max_states)
    _check_memory(len(table.names), table.num_rows)
    codes: Codes = np.empty((len(table.names), table.num_rows), dtype=np.uint8)
    variables: list[Variable] = []
    problems: list[Problem] = []
    for index in range(len(table.names)):
        inferred = infer_column(table, index, plan, max_states)
        if isinstance(inferred, list):
            problems += inferred
        elif not problems:
            codes = _widen(codes, inferred.variable.cardinality)
            codes[index] = inferred.codes
            variables.append(inferred.variable)
    if problems:
        raise DataError(problems, table.source)
    codes.flags.writeable = False
    dataset = Dataset(Schema(tuple(variables)), codes)
    _report_constant_columns(dataset, table.source)
    return dataset


def infer_schema(table: Table, *, discretise: Rules, max_states: int) -> Schema:
    """The schema of a table that may lack values, as long as every column has some."""
    plan = _checked_plan(table, discretise, max_states)
    variables: list[Variable] = []
    problems: list[Problem] = []
    for index in range(len(table.names)):
        inferred = infer_column(table, index, plan, max_states, allow_missing=True)
        if isinstance(inferred, list):
            problems += inferred
        else:
            variables.append(inferred.variable)
    if problems:
        raise DataError(problems, table.source)
    return Schema(tuple(variables))


def _checked_plan(table: Table, discretise: Rules, max_states: int) -> Plan:
    check_integer("max_states", max_states, 2, MAX_STATES)
    table.check(MIN_ROWS)
    return Plan.of(discretise, table.names, table.source)


def _check_memory(num_columns: int, num_rows: int) -> None:
    """Refuse a table whose codes, of a byte each, do not fit into what is free."""
    check_fits(
        num_columns * num_rows,
        f"Reading a table of {num_columns:,} columns and {num_rows:,} rows",
        lambda room: f"{room // num_columns:,} of the rows would fit, or {room // num_rows:,} of the columns",
    )


def _widen(codes: Codes, cardinality: int) -> Codes:
    """Codes of a type that also holds those of a column with so many states."""
    return codes.astype(np.result_type(codes.dtype, code_type(cardinality)), copy=False)


def _report_constant_columns(dataset: Dataset, source: str) -> None:
    names = dataset.constant_columns
    if names:
        listed = ", ".join(map(repr, names[:MAX_LISTED]))
        more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
        logger.warning("%s: only one state occurs in column %s%s", source, listed, more)
