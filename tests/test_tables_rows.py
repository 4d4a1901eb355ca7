"""Rows that need not be complete: every kind of table gives the same codes, -1 for what is not known."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treebound as tb
from treebound.tables._pandas_rows import pandas_rows

SCHEMA = tb.Schema(
    (
        tb.Variable("colour", ("blue", "green", "red")),
        tb.Variable("size", ("1", "2", "10"), "integer", True),
        tb.Variable("is_old", ("False", "True"), "boolean", True),
        tb.Variable("dose", ("<0.5", ">=0.5"), "binned", True, (0.0, 0.5, 1.0)),
    )
)
TABLE = {
    "colour": ["red", None, "blue"],
    "size": [10, 2, None],
    "is_old": [None, True, False],
    "dose": [0.1, None, 7.0],
    "remark": ["x", "y", "z"],
}
ROWS = [[2, -1, 0], [2, 1, -1], [-1, 1, 0], [0, -1, 1]]
CSV = "colour,size,is_old,dose,remark\nred,10,,0.1,x\n,2,true,NA,y\nblue,,False,7,z\n"


def codes_of(table, schema, **options):
    """The codes of rows that need not be complete, nor have all columns."""
    return tb.load(table, schema=schema, missing="keep", on_absent="ignore", **options).codes


def as_array(columns):
    names = ("colour", "size", "is_old", "dose")
    return np.array([columns[name] for name in names], dtype=object).T


@pytest.mark.core
@pytest.mark.parametrize(
    "make",
    [
        dict,
        pd.DataFrame,
        lambda columns: pd.DataFrame(columns).convert_dtypes(),
        lambda columns: pd.DataFrame(columns).astype({"colour": "category"}),
        pl.DataFrame,
        lambda columns: pl.DataFrame(columns).with_columns(pl.col("colour").cast(pl.Categorical)),
        pa.table,
        as_array,
    ],
    ids=["dict", "pandas", "nullable", "pandas-category", "polars", "polars-category", "arrow", "numpy"],
)
def test_every_kind_of_table_gives_the_same_rows(make):
    rows = codes_of(make(TABLE), SCHEMA)
    assert rows.dtype == np.int32
    assert rows.tolist() == ROWS


@pytest.mark.core
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_files_give_the_same_rows(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    if ending == ".csv":
        path.write_text(CSV)
    else:
        pd.DataFrame(TABLE).to_parquet(path)
    assert codes_of(path, SCHEMA).tolist() == ROWS


def test_absent_columns_are_unknown_in_every_row():
    assert codes_of({"size": [1, 10]}, SCHEMA).tolist() == [
        [-1, -1],
        [0, 2],
        [-1, -1],
        [-1, -1],
    ]


def test_a_dataset_is_taken_as_it_is_or_read_by_label():
    data = tb.load({"size": [10, 2, 1], "colour": ["red", "green", "red"]})
    assert codes_of(data, data.schema).tolist() == data.codes.tolist()
    assert codes_of(data, SCHEMA).tolist() == [
        [2, 1, 2],
        [2, 1, 0],
        [-1] * 3,
        [-1] * 3,
    ]
    bins = tb.load({"dose": [0.1, 0.2, 0.3, 0.9]}, discretise="median")
    other = tb.Schema((tb.Variable("x", ("a",)), *bins.schema))
    assert codes_of(bins, other)[1].tolist() == bins.codes[0].tolist()


def test_unseen_values_are_an_error_or_unknown():
    later = {"colour": ["red", "rad", "gren"], "size": [1, 3, None]}
    with pytest.raises(tb.DataError) as caught:
        codes_of(later, SCHEMA)
    assert str(caught.value) == (
        "the table: values that are not known:\n"
        "  'colour': 'rad' in row 2, 'gren' in row 3; did you mean 'red'?\n"
        "  'size': 3 in row 2; the state nearest to 3 is '2'"
    )
    assert codes_of(later, SCHEMA, unseen="missing")[:2].tolist() == [[2, -1, -1], [0, -1, -1]]


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ({"colr": ["red"]}, {}, "none of its columns is a known variable, got 'colr'; did you mean"),
        ({"size": []}, {}, "there are no rows below the column names"),
        (np.zeros((3, 2)), {}, "expected 4 columns, in the order of the variables, got an array of 2"),
        ({"size": [1]}, {"unseen": "skip"}, "unseen must be 'error' or 'missing', got 'skip'."),
    ],
)  # fmt: skip
def test_tables_that_say_nothing_are_refused(table, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        codes_of(table, SCHEMA, **options)


def test_a_schema_is_learned_from_incomplete_rows():
    schema = tb.load(TABLE, missing="keep", discretise={"dose": tb.Discretise("width", bins=2)}).schema
    assert schema["colour"].states == ("blue", "red")
    assert schema["size"].states == ("2", "10")
    assert schema["dose"].edges == (0.1, 3.55, 7.0)
    rows = codes_of(TABLE, schema)
    assert (rows < 0).sum(axis=1).tolist() == [1, 1, 1, 1, 0]


def test_a_column_without_any_value_has_no_states():
    with pytest.raises(tb.DataError, match="'b': all of its 2 rows are missing"):
        tb.load({"a": [1, 2], "b": [None, None]}, missing="keep")
    with pytest.raises(tb.DataError, match="'a': 1 value, first in row 1"):
        tb.load({"a": [None, 2], "b": [1, 2]})


def test_rows_of_pandas_are_those_of_its_own_array():
    frame = pd.DataFrame(
        {
            "text": ["a", None, "c"],
            "whole": [1, 2, 3],
            "real": [0.5, np.nan, 2.0],
            "truth": [True, False, True],
            "any": pd.Series(["x", 1, None], dtype=object),
            "day": pd.to_datetime(["2020-01-01", "2021-02-03", None]),
            "kind": pd.Categorical(["u", "v", None]),
            "masked": pd.array([1, None, 3], dtype="Int64"),
            "more text": ["", "ä", "zz"],
        }
    )
    whole = frame.to_numpy(dtype=object)
    for chosen in (list(range(9)), [0, 8], [1, 2], [5], []):
        found = list(pandas_rows(frame.iloc[:, chosen]))
        assert len(found) == len(frame)
        for row, expected in zip(found, whole[:, chosen], strict=True):
            for given, own in zip(row, expected, strict=True):
                cell = given.item() if isinstance(given, np.generic) else given
                assert (pd.isna(cell) and pd.isna(own)) or (type(cell) is type(own) and cell == own)
