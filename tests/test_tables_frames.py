"""Tables in memory: what each library declares about its columns is kept."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treebound as tb


def only(table, **options):
    (variable,) = tb.load(table, **options).schema
    return variable


@pytest.mark.parametrize("ordered", [True, False])
def test_pandas_categories_keep_their_order_and_unused_states(ordered):
    column = pd.Categorical(["low", "high", "low"], categories=["low", "mid", "high"], ordered=ordered)
    table = pd.DataFrame({"level": column})
    assert only(table) == tb.Variable("level", ("low", "mid", "high"), "text", ordered)
    assert tb.load(table).codes.tolist() == [[0, 2, 0]]


def test_pandas_categories_of_integers_keep_their_kind():
    variable = only(pd.DataFrame({"x": pd.Categorical([3, 1, 3], categories=[3, 1, 2])}))
    assert variable == tb.Variable("x", ("3", "1", "2"), "integer", False)
    assert variable.decode(np.array([0, 1])).tolist() == [3, 1]


def test_categories_of_floats_are_not_binned():
    variable = only(pd.DataFrame({"x": pd.Categorical([0.5, 1.5], categories=[1.5, 0.5])}))
    assert variable == tb.Variable("x", ("1.5", "0.5"), "float", False)


def test_polars_enum_keeps_its_order_and_unused_states():
    column = pl.Series("level", ["low", "high"], dtype=pl.Enum(["low", "mid", "high"]))
    assert only(pl.DataFrame([column])) == tb.Variable("level", ("low", "mid", "high"), "text", True)


def test_polars_categorical_keeps_only_states_that_occur():
    pl.Series(["elsewhere", "b"], dtype=pl.Categorical)
    column = pl.Series("level", ["b", "c", "a", "b"], dtype=pl.Categorical)
    assert only(pl.DataFrame([column])).states == ("b", "c", "a")
    assert only(pl.DataFrame([column]).tail(2)).states in (("a", "b"), ("b", "a"))


def test_arrow_dictionaries_keep_their_order_across_chunks():
    first = pa.DictionaryArray.from_arrays([1, 0], ["b", "a", "c"])
    second = pa.DictionaryArray.from_arrays([0, 1], ["d", "b"])
    table = pa.table({"x": pa.chunked_array([first, second])})
    data = tb.load(table)
    assert data.schema["x"].states == ("b", "a", "c", "d")
    assert data.to_dict()["x"].tolist() == ["a", "b", "d", "b"]


@pytest.mark.parametrize("make", [
    lambda values: pd.DataFrame({"x": pd.array(values, dtype="Int64")}),
    lambda values: pd.DataFrame({"x": pd.array(values, dtype="int64[pyarrow]")}),
    lambda values: pl.DataFrame({"x": values}),
    lambda values: pa.table({"x": values}),
    lambda values: {"x": np.array(values)},
    lambda values: {"x": pd.Series(values)},
    lambda values: {"x": pl.Series(values)},
    lambda values: np.array([values]).T.astype([("x", "i8")])[:, 0],
])  # fmt: skip
def test_integers_of_every_origin(make):
    huge = 2**62 + 1  # beyond what a float holds
    assert only(make([huge, -3, huge])) == tb.Variable("x", ("-3", str(huge)), "integer", True)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_every_integer_type_of_numpy(dtype):
    limits = np.iinfo(dtype)
    low, high = int(limits.min), min(int(limits.max), 2**63 - 1)
    array = np.array([[low, high], [high, high], [low, 7]], dtype=dtype)
    data = tb.load(array)
    assert data.schema.names == ("v0", "v1")
    assert data.to_dict()["v0"].tolist() == [low, high, low]
    assert data.to_dict()["v1"].tolist() == [high, high, 7]


def test_unsigned_integers_beyond_64_bits_with_sign_are_text():
    assert only({"x": np.array([2**64 - 1, 5, 5], dtype="u8")}).states == ("18446744073709551615", "5")
    assert only({"x": np.array([2**64 - 1, 5, 5], dtype="u8")}).kind == "text"
    near = np.array([2**64 - 1, 2**64 - 2], dtype="u8")
    assert only({"x": near}).states == ("18446744073709551614", "18446744073709551615")


def test_other_arrays():
    assert only({"x": np.array(["b", "a", "b"])}).states == ("a", "b")
    assert only({"x": np.array([True, False, True])}).kind == "boolean"
    assert only({"x": np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]")}).states == (
        "2020-01-01",
        "2021-01-01",
    )
    assert only({"x": [decimal.Decimal(1), decimal.Decimal("3")]}).states == ("1", "3")
    assert only({"x": [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]}).kind == "date"
    assert only({"x": (np.int8(1), np.int64(2))}).states == ("1", "2")


def test_intervals_and_periods_of_pandas_are_text():
    table = pd.DataFrame({"x": pd.cut([1.0, 5.0, 9.0, 2.0], [0, 3, 6, 10])})
    assert only(table) == tb.Variable("x", ("(0, 3]", "(3, 6]", "(6, 10]"), "text", True)
    periods = pd.DataFrame({"x": pd.period_range("2020-01", periods=3, freq="M")})
    assert only(periods).states == ("2020-01", "2020-02", "2020-03")


def test_mixed_columns_are_text_and_true_is_not_one():
    variable = only({"x": [True, 1, "a", 2.5, 1.0]})
    assert variable.states == ("1", "2.5", "True", "a")
    assert variable.kind == "text"
    data = tb.load({"x": [True, 1, "a", 2.5, 1.0]})
    assert data.to_dict()["x"].tolist() == ["True", "1", "a", "2.5", "1"]


def test_text_in_frames_stays_text():
    variable = only({"x": ["10", "2", "1.0", ""]})
    assert variable == tb.Variable("x", ("", "1.0", "10", "2"), "text", False)


def test_names_that_are_not_text_become_text():
    data = tb.load(pd.DataFrame([[1, 2], [2, 2]]))
    assert data.schema.names == ("0", "1")


class OnlyStream:
    """An object that offers nothing but the Arrow stream."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_arrow_streams_are_taken():
    data = tb.load(OnlyStream(pa.table({"x": pa.array(["b", "a", "b"]).dictionary_encode()})))
    assert data.schema["x"].states == ("b", "a")


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict])
@pytest.mark.parametrize("values", [[1, None, 2], ["a", None, "b"], [True, None, False], [1.0, None, 2.0]])
def test_nulls_are_missing(make, values):
    with pytest.raises(tb.DataError, match=r"'x': 1 value, first in row 2"):
        tb.load(make({"x": values, "y": [1, 2, 2]}))


@pytest.mark.parametrize("table", [
    {"x": np.array([1.0, np.nan, 2.0])},
    {"x": np.ma.masked_array([1, 2, 3], mask=[False, True, False])},
    {"x": [1, float("nan"), "a"]},
    {"x": [1, pd.NA, 2]},
    {"x": [1, decimal.Decimal("sNaN"), 2]},
    {"x": [pd.Timestamp(2020, 1, 1), pd.NaT, pd.Timestamp(2021, 1, 1)]},
    pl.DataFrame({"x": [1.0, float("nan"), 2.0]}),
    pd.DataFrame({"x": pd.Categorical(["a", None, "b"], categories=["a", "b"])}),
    pa.table({"x": pa.array(["a", None, "b"]).dictionary_encode()}),
])  # fmt: skip
def test_missing_values_in_other_clothes(table):
    with pytest.raises(tb.DataError, match=r"'x': 1 value, first in row 2"):
        tb.load(table)


def test_missing_marks_can_be_named_for_frames():
    assert only({"x": ["a", "?", "b"]}).states == ("?", "a", "b")
    with pytest.raises(tb.DataError, match="missing"):
        tb.load({"x": ["a", "?", "b"]}, na_values=["?"])


@pytest.mark.parametrize(
    "cells", [[[1], [2]], [b"a", b"b"], [{1}, {2}], [1j, 2j], [2**70, 1], [10**5000, 1], [object(), 1]]
)
def test_other_types_are_refused(cells):
    with pytest.raises(tb.DataError) as caught:
        tb.load({"x": cells, "y": [1, 2], "z": cells})
    assert [(problem.kind, problem.column) for problem in caught.value.problems] == [
        ("type", "x"),
        ("type", "z"),
    ]


@pytest.mark.parametrize("table", [None, 3, [[1, 2]], pd.Series([1, 2]), np.zeros(3), np.zeros((2, 2, 2))])
def test_things_that_are_no_tables_are_refused(table):
    with pytest.raises(TypeError, match="expected"):
        tb.load(table)


def test_lazy_frames_are_to_be_collected():
    with pytest.raises(TypeError, match=r"collect\(\)"):
        tb.load(pl.LazyFrame({"x": [1, 2]}))
