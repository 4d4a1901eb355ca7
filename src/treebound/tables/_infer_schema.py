"""Learn the schema of a table and encode its rows: from a Table to a Dataset, or to all that is wrong."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from treebound._memory import check_fits
from treebound.data import (
    MAX_LISTED,
    Codes,
    ColumnNote,
    DataError,
    Dataset,
    Preparation,
    Problem,
    Schema,
    Variable,
    checked_weights,
    code_type,
)
from treebound.tables._infer_column import InferredColumn, classes_of, infer_column, with_missing_state
from treebound.tables._prepare import Choices, Prepared, prepare
from treebound.tables._table import Table

logger = logging.getLogger(__name__)

# So many numbers, each a state, are reported: few rows are left for each of them, and bins would do better.
MANY_NUMBERS = 20
_MISSING_IS_STATE = "missing cells are a state"


def infer_dataset(table: Table, choices: Choices, weights: ArrayLike | None = None) -> Dataset:
    """The schema and the codes of a table."""
    given = None if weights is None else checked_weights(weights, table.num_rows)
    prepared = prepare(table, choices)
    prepared.check_columns()
    table, rows = prepared.table, prepared.rows
    num_rows = table.num_rows if rows is None else len(rows)
    _check_memory(len(table.names), num_rows, 4 if choices.missing == "keep" else 1)
    codes: Codes = np.empty((len(table.names), num_rows), dtype=np.uint8)
    variables: list[Variable] = []
    notes: list[ColumnNote] = []
    problems: list[Problem] = []
    for index, inferred in inferred_columns(prepared, choices):
        if isinstance(inferred, list):
            problems += inferred
        elif not problems:
            column = inferred.codes if rows is None else inferred.codes[rows]
            codes = _widened(codes, column, inferred.variable.cardinality)
            codes[index] = column
            variables.append(inferred.variable)
            notes += _notes(inferred)
    if problems:
        raise DataError(_explained(problems, prepared), table.source, is_automatic=choices.auto)
    codes.flags.writeable = False
    kept = given if given is None or rows is None else given[rows]
    dataset = Dataset(Schema(tuple(variables), _with_notes(prepared.done, notes)), codes, kept)
    _report_constant_columns(dataset, table.source)
    return dataset


def infer_schema(table: Table, choices: Choices) -> Schema:
    """The schema of a table that may have missing values, as long as every column has some."""
    prepared = prepare(table, choices, allow_missing=True)
    prepared.check_columns()
    variables: list[Variable] = []
    notes: list[ColumnNote] = []
    problems: list[Problem] = []
    for _, inferred in inferred_columns(prepared, choices):
        if isinstance(inferred, list):
            problems += inferred
        else:
            variables.append(inferred.variable)
            notes += _notes(inferred)
    if problems:
        raise DataError(problems, table.source, is_automatic=choices.auto)
    return Schema(tuple(variables), _with_notes(prepared.done, notes))


def inferred_columns(
    prepared: Prepared, choices: Choices
) -> Iterator[tuple[int, InferredColumn | list[Problem]]]:
    """What becomes of each column, one at a time."""
    table = prepared.table
    classes = classes_of(table, choices.max_states)
    for index in range(len(table.names)):
        profile = prepared.profile(index)
        found = infer_column(
            table,
            index,
            prepared.plan,
            choices.max_states,
            classes,
            None if profile is None else profile.domain,
            allow_missing=prepared.allow_missing or choices.is_missing_a_state(table.names[index]),
        )
        if isinstance(found, InferredColumn) and _gets_missing_state(found, choices):
            found = with_missing_state(found)
        yield index, found


def _gets_missing_state(inferred: InferredColumn, choices: Choices) -> bool:
    """Columns that are named get the state in any case, since later tables may have missing cells there."""
    is_named = inferred.variable.name in choices.with_missing_state
    return is_named or (choices.missing_state is True and bool((inferred.codes < 0).any()))


def describe_bins(inferred: InferredColumn) -> str:
    """How a column was cut."""
    num_bins = len(inferred.variable.known_states)
    more = f"; {_MISSING_IS_STATE}" if inferred.variable.has_missing_state else ""
    return f"{num_bins} {'bin' if num_bins == 1 else 'bins'} by {inferred.rule}{more}"


def describe_kept(inferred: InferredColumn) -> str:
    """That a column keeps many numbers."""
    return f"{inferred.num_numbers} numbers, each of them a state"


def _notes(inferred: InferredColumn) -> list[ColumnNote]:
    name = inferred.variable.name
    if inferred.rule is not None:
        return [ColumnNote(name, "binned", describe_bins(inferred))]
    words = [describe_kept(inferred)] if inferred.num_numbers > MANY_NUMBERS else []
    words += [_MISSING_IS_STATE] if inferred.variable.has_missing_state else []
    return [ColumnNote(name, "kept", "; ".join(words))] if words else []


def _explained(problems: list[Problem], prepared: Prepared) -> list[Problem]:
    """The problems, with the reason why incomplete rows stay in place of each column that has some."""
    others = [problem for problem in problems if problem.kind != "missing" or not prepared.problems]
    return [*prepared.problems, *others]


def _with_notes(done: Preparation, notes: list[ColumnNote]) -> Preparation:
    return replace(done, columns=(*done.columns, *notes))


def _check_memory(num_columns: int, num_rows: int, code_bytes: int) -> None:
    """Reject a table whose codes do not fit into what is free."""
    check_fits(
        num_columns * num_rows * code_bytes,
        f"Reading a table of {num_columns:,} columns and {num_rows:,} rows",
        lambda room: (
            f"{room // num_columns // code_bytes:,} of the rows would fit, "
            f"or {room // num_rows // code_bytes:,} of the columns"
        ),
    )


def _widened(codes: Codes, column: Codes, cardinality: int) -> Codes:
    """Codes of a type that also holds those of a column with so many states."""
    has_missing = column.dtype.kind == "i" and column.min(initial=0) < 0
    kind = np.int32 if has_missing else code_type(cardinality)
    return codes.astype(np.result_type(codes.dtype, kind), copy=False)


def _report_constant_columns(dataset: Dataset, source: str) -> None:
    names = dataset.constant_columns
    if names:
        listed = ", ".join(map(repr, names[:MAX_LISTED]))
        more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
        logger.warning("%s: only one state occurs in column %s%s", source, listed, more)
