"""Reading: any table, in memory or in a file, becomes a Dataset."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Unpack

from numpy.typing import ArrayLike

from treebound._arguments import check_type
from treebound.data import Dataset, Schema
from treebound.tables._absent_columns import OnAbsent
from treebound.tables._encode import Unseen, read_rows
from treebound.tables._infer_schema import infer_dataset
from treebound.tables._open import check_options, open_table
from treebound.tables._options import READING, LoadingOptions, ReadingOptions, with_options
from treebound.tables._prepare import Choices
from treebound.tables._table import Table

_CHOICES = {field.name: field.default for field in fields(Choices)}
LOADING = READING | _CHOICES


@with_options(LOADING)
def load(
    table: Any,
    *,
    schema: Schema | None = None,
    unseen: Unseen = "error",
    on_absent: OnAbsent = "error",
    weights: ArrayLike | None = None,
    **options: Unpack[LoadingOptions],
) -> Dataset:
    """Read a table and encode it.

    Parameters
    ----------
    table : path, frame, array, dict or Table
        A file, a pandas, polars or pyarrow frame, a numpy array, a dict of columns, or the result of
        ``treebound.tables.open_table``. The path ``"-"`` is standard input.
    schema : Schema, optional
        Encode the rows with the states and bins of this schema. Columns are found by name, in any order,
        those of a plain array by position; columns that are not in the schema are skipped. ``missing`` and
        options for reading that are not given are those of the table that the schema comes from;
        ``discretise`` to ``auto`` and ``max_states`` do not apply.
    unseen : {"error", "missing"}
        What to do with values that are not in ``schema``: raise an error, or treat them as missing.
    on_absent : {"error", "warn", "ignore"}
        What to do with variables of ``schema`` for which the table has no column. Unless this raises an
        error, they are missing in every row, as hidden variables are.
    weights : array-like, optional
        Weight of each row of the table; by default each row counts once.
    na_values : collection of str, optional
        Missing-value markers. By default ``""``, ``NA``, ``NaN``, ``nan`` and ``null`` in a text file.
    delimiter : str, optional
        Character between the cells of a text file. By default it is found in the first line.
    encoding : str
        Encoding of a text file.
    decimal : {".", ","}
        Decimal separator.
    as_numbers : collection of str
        Columns whose strings are numbers with thousands separators, percent or currency characters.
    unify : collection of str
        Columns whose strings differ in case only, or spell booleans in several ways; they get one spelling.
    date_order : {"dmy", "mdy"}, optional
        Whether the day or the month comes first in dates such as 5/6/2024. By default they are strings.
    date_parts : mapping, optional
        Parts that replace a date column: ``{"day": ["year", "month"]}`` makes ``day.year`` and ``day.month``.
    header : bool
        Whether the first line of a text file holds the names. Without names, columns are called v0, v1, ...
    skip_rows : int
        Number of lines to skip at the start of a text file.
    comment : str, optional
        Skip lines that start with this character.
    strip : bool
        Remove whitespace around strings.
    max_unpacked_mb : int
        Reject compressed files that unpack to more than this.
    discretise : str, int, sequence of float, Discretise, mapping or None
        Bin numeric columns with more distinct values than bins: ``"quantile"``, ``"quantile:4"``,
        ``"width"``, ``"median"``, ``"mdl"``, ``"supervised:target"``, a number of bins, the limits between
        bins (``[18, 30, 65]``) or a ``Discretise``. A mapping has one of these per column, None to keep a
        column, and the key None for all other columns.
    drop : collection of str
        Columns to drop.
    only : collection of str, optional
        Columns to keep.
    auto : bool
        Fix common problems: drop ID, constant, duplicate and mostly empty columns, recognise missing-value
        markers, whitespace and decimal commas, bin numbers, replace dates by their year, month and weekday,
        and drop rows with missing values as long as half of the rows stay. ``dataset.schema.preparation``
        lists what was done.
    missing : {"error", "drop", "keep"}
        What to do with rows that have missing values: raise an error, drop the rows, or keep them with code
        -1 for missing cells.
    missing_state : collection of str or bool
        Columns in which a missing cell is a state of its own, called ``(missing)``; True for all columns with
        missing values. ``missing`` applies to the other columns. The schema keeps it for later tables.
    max_states : int
        Reject columns with more states.

    Returns
    -------
    Dataset
        The encoded rows with their schema.

    Raises
    ------
    DataError
        If the table cannot be used. One error lists every affected column and how to fix it.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> import treebound as tb
    >>> data = tb.load({"rain": ["no", "yes", "no"], "wet": ["no", "yes", "yes"]})
    >>> data.num_rows, data.schema["wet"].states
    (3, ('no', 'yes'))
    >>> tb.load({"wet": ["yes"], "rain": ["no"]}, schema=data.schema).codes.tolist()
    [[0], [1]]
    """
    choices = choices_of(options)
    if isinstance(table, Dataset) and weights is None:
        weights = table.weights
    if schema is None:
        return infer_dataset(opened_of(table, options), choices, weights)
    check_type("schema", schema, Schema, "a Schema")
    if unused := next((name for name in options if name in _CHOICES and name != "missing"), None):
        raise ValueError(f"{unused} does not apply with a schema, which sets columns and states; drop it.")
    how = choices.missing if "missing" in options else schema.preparation.reading.missing
    return read_rows(
        table,
        schema,
        missing=how,
        unseen=unseen,
        on_absent=on_absent,
        weights=weights,
        **_reading(options),
    )


def choices_of(options: LoadingOptions) -> Choices:
    """Return the options for columns and rows, and reject an unknown option."""
    check_options(options, LOADING)
    return Choices(**{name: value for name, value in options.items() if name in _CHOICES})  # type: ignore[arg-type]


def opened_of(table: Any, options: LoadingOptions) -> Table:
    """The table, opened with those of the options that say how it is read."""
    return open_table(table, **_reading(options))


def _reading(options: LoadingOptions) -> ReadingOptions:
    return {name: value for name, value in options.items() if name not in _CHOICES}  # type: ignore[return-value]
