"""Cells filled in fit their column: its type, the kind of its known cells, and the states they stand for."""

import datetime
import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treebound as tb


def network_of(states, **options):
    """A network in which y tells x: u is the first state, v the second."""
    rows = {"x": [*states] * 10, "y": ["u", "v"] * 10}
    return tb.fit({"x": [], "y": ["x"]}, tb.load(rows, **options))


TEXT = network_of(["a", "b"])
INTEGER = network_of([5, 250])
BOOLEAN = network_of([True, False])
BINNED = network_of([0.1, 0.7], discretise={"x": "median"})
NETWORKS = {"text": TEXT, "integer": INTEGER, "boolean": BOOLEAN, "binned": BINNED}
NATURAL = {"text": ["a", "b"], "integer": [5, 250], "boolean": [True, False], "binned": [0.1, 0.7]}
LABELS = {
    "text": ["a", "b"],
    "integer": ["5", "250"],
    "boolean": ["True", "False"],
    "binned": ["0.1", "0.7"],
}

EMPTY = {
    "polars-null": pl.Series([None, None], dtype=pl.Null),
    "polars-float": pl.Series([None, None], dtype=pl.Float64),
    "polars-int8": pl.Series([None, None], dtype=pl.Int8),
    "polars-date": pl.Series([None, None], dtype=pl.Date),
    "pandas-object": pd.Series([None, None], dtype=object),
    "pandas-float": pd.Series([np.nan, np.nan]),
    "pandas-int8": pd.Series([None, None], dtype="Int8"),
    "pandas-datetime": pd.Series([None, None], dtype="datetime64[ns]"),
    "pandas-category": pd.Series([None, None], dtype="category"),
    "arrow-null": pa.array([None, None]),
    "arrow-float": pa.array([None, None], pa.float64()),
    "arrow-int8": pa.array([None, None], pa.int8()),
    "list": [None, None],
    "text-polars": pl.Series([None, None], dtype=pl.String),
    "text-categorical": pl.Series([None, None], dtype=pl.Categorical),
    "text-enum": pl.Series([None, None], dtype=pl.Enum(["q"])),
    "text-pandas": pd.Series([None, None], dtype="string"),
    "text-arrow": pa.array([None, None], pa.string()),
    "text-dictionary": pa.array([None, None], pa.dictionary(pa.int8(), pa.string())),
}


def table_of(column, y=("u", "v")):
    columns = {"x": column, "y": list(y)}
    if isinstance(column, pd.Series):
        return pd.DataFrame(columns)
    if isinstance(column, pl.Series):
        return pl.DataFrame(columns)
    return columns if isinstance(column, list) else pa.table(columns)


def cells_of(table):
    column = table["x"]
    return (
        column
        if isinstance(column, list)
        else column.to_pylist()
        if hasattr(column, "to_pylist")
        else [*column.to_list()]
    )


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("column", EMPTY)
def test_a_column_without_a_known_cell_holds_what_its_states_stand_for(kind, column):
    filled = NETWORKS[kind].impute(table_of(EMPTY[column]))
    assert cells_of(filled) == (LABELS if column.startswith("text") else NATURAL)[kind]
    assert (NETWORKS[kind].predict(filled, "y") == ["u", "v"]).all()


@pytest.mark.parametrize(
    ("kind", "column", "expected"),
    [
        ("integer", pl.Series([5, None], dtype=pl.Int8), pl.Series([5, 250], dtype=pl.Int64)),
        ("integer", pl.Series([5, None], dtype=pl.UInt8), pl.Series([5, 250], dtype=pl.UInt8)),
        ("integer", pd.Series([5, None], dtype="Int8"), pd.Series([5, 250], dtype="Int64")),
        ("integer", pa.array([5, None], pa.int8()), pa.array([5, 250], pa.int64())),
        ("integer", pl.Series(["5", None]), pl.Series(["5", "250"])),
        ("integer", pd.Series(["5", None], dtype=object), pd.Series(["5", "250"], dtype=object)),
        ("integer", pa.array(["5", None]), pa.array(["5", "250"])),
        ("integer", ["5", None], ["5", "250"]),
        ("boolean", ["True", None], ["True", "False"]),
        ("boolean", pd.Series(["true", None], dtype=object), pd.Series(["true", "False"], dtype=object)),
        ("boolean", pd.Series([True, None], dtype=object), pd.Series([True, False], dtype=object)),
        ("boolean", pd.Series([True, None], dtype="boolean"), pd.Series([True, False], dtype="boolean")),
        ("binned", pl.Series([0, None], dtype=pl.Int64), pl.Series([0.0, 0.7])),
        ("binned", pd.Series([0, None], dtype="Int64"), pd.Series([0, 0.7], dtype="Float64")),
        ("binned", pa.array([0, None]), pa.array([0, 0.7])),
        ("binned", [0, None], [0, 0.7]),
        ("binned", ["0", None], ["0", "0.7"]),
        ("text", pl.Series(["a", None], dtype=pl.Enum(["a"])),
         pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"]))),
        ("text", pl.Series(["a", None], dtype=pl.Categorical), pl.Series(["a", "b"], dtype=pl.Categorical)),
        ("text", pd.Series(["a", None], dtype="category"), pd.Series(["a", "b"], dtype="category")),
        ("integer", pd.Series([5, None], dtype="category"), pd.Series([5, 250], dtype="category")),
    ],
)  # fmt: skip
def test_new_cells_are_of_the_kind_of_the_known_ones(kind, column, expected):
    filled = NETWORKS[kind].impute(table_of(column))["x"]
    if isinstance(expected, pd.Series):
        pd.testing.assert_series_equal(filled, expected, check_names=False)
    elif isinstance(expected, pa.Array):
        assert filled.combine_chunks().equals(expected)
    elif isinstance(expected, pl.Series):
        assert filled.dtype == expected.dtype
        assert filled.to_list() == expected.to_list()
    else:
        assert filled == expected


DAYS = [datetime.date(2020, 1, 1), datetime.date(2020, 2, 3)]
TIMES = [datetime.datetime(2020, 1, 1, 12), datetime.datetime(2020, 2, 3, 0, 0, 1)]
ZONED = [time.replace(tzinfo=datetime.UTC) for time in TIMES]
CLOCKS = [datetime.time(8), datetime.time(9, 30)]
SPANS = [datetime.timedelta(days=-1, hours=2), datetime.timedelta(seconds=90)]


@pytest.mark.parametrize(
    "cells", [DAYS, TIMES, ZONED, CLOCKS, SPANS], ids=["day", "time", "zone", "clock", "span"]
)
@pytest.mark.parametrize(
    "make", [list, pl.Series, pa.array, pd.Series, lambda cells: pd.Series(cells, dtype=object)]
)
def test_dates_and_times_stay_what_they_are(make, cells):
    whole = table_of(make(cells * 10), "uv" * 10)
    network = tb.fit({"x": [], "y": ["x"]}, whole)
    lacking = table_of(make([cells[0], None]))
    filled = network.impute(lacking)
    assert cells_of(filled) == cells
    assert cells_of(network.impute(table_of(make([None, cells[1]])))) == cells
    if not isinstance(filled, dict):
        assert getattr(filled["x"], "dtype", None) == getattr(lacking["x"], "dtype", None)
    assert network.score_samples(filled).shape == (2,)


@pytest.mark.parametrize("column", [pl.Series([1.5, None]), pa.array([1.5, None])])
def test_known_cells_that_no_type_holds_beside_the_new_ones_are_an_error(column):
    with pytest.raises(
        ValueError, match=r"column 'x' is of type Float64 and cannot hold 'b' next to its observed"
    ):
        TEXT.impute(table_of(column), unseen="missing")


def test_arrays_become_wider_or_arrays_of_objects():
    numbers = tb.fit({"x": [], "y": ["x"]}, {"x": [5, 250] * 10, "y": [0, 1] * 10})
    np.testing.assert_array_equal(numbers.impute(np.array([[np.nan, 0], [5, np.nan]])), [[5, 0], [5, 0]])
    small = np.ma.masked_array([[5, 0], [0, 1]], [[False, False], [True, False]], dtype=np.int8)
    assert numbers.impute(small).tolist() == [[5, 0], [250, 1]]
    texts = tb.fit({"x": [], "y": ["x"]}, {"x": ["a", "b"] * 10, "y": [0, 1] * 10})
    assert texts.impute(np.array([[np.nan, 0], [np.nan, 1]])).tolist() == [["a", 0], ["b", 1]]
    fields = np.array([(np.nan, 0), (np.nan, 1)], dtype=[("x", "f8"), ("y", "i8")])
    assert texts.impute(fields).tolist() == [("a", 0), ("b", 1)]


def test_numbers_stay_numbers_where_the_schema_holds_their_texts():
    network = network_of(["0", "1"])
    assert network.impute({"x": [0, None], "y": ["u", "v"]})["x"] == [0, 1]
    assert network.impute(table_of(pl.Series([0, None])))["x"].to_list() == [0, 1]
    wide = network_of(["5", "250"]).impute(table_of(pl.Series([5, None], dtype=pl.Int8)))
    assert wide["x"].to_list() == [5, 250]
    assert network.impute(pd.DataFrame({"x": [0, None], "y": ["u", "v"]}))["x"].to_list() == [0.0, 1.0]


def test_text_files_are_filled_with_labels(tmp_path):
    (tmp_path / "whole.csv").write_text("x,y,z\n" + "true,1,0.5\nfalse,2,1.5\n" * 10)
    (tmp_path / "lacking.csv").write_text("x,y,z\ntrue,,0.5\n,2,\n")
    network = tb.fit(
        {"x": [], "y": ["x"], "z": ["x"]}, tb.load(tmp_path / "whole.csv", discretise={"z": "median"})
    )
    filled = network.impute(tmp_path / "lacking.csv")
    assert filled.to_dict("list") == {"x": ["true", "false"], "y": [1, 2], "z": [0.5, 1.5]}
    lacking = pd.read_csv(tmp_path / "lacking.csv", dtype=str)
    expected = {"x": ["true", "false"], "y": ["1", "2"], "z": ["0.5", "1.5"]}
    assert network.impute(lacking).to_dict("list") == expected
    text = io.StringIO()
    network.impute(pd.read_csv(tmp_path / "lacking.csv")).to_csv(text, index=False)
    (tmp_path / "again.csv").write_text(text.getvalue())
    assert network.score_samples(tmp_path / "again.csv").shape == (2,)


def test_binary_files_keep_their_dates(tmp_path):
    pl.DataFrame({"x": DAYS * 10, "y": ["u", "v"] * 10}).write_parquet(tmp_path / "whole.parquet")
    pl.DataFrame({"x": [DAYS[0], None], "y": ["u", "v"]}).write_parquet(tmp_path / "lacking.parquet")
    network = tb.fit({"x": [], "y": ["x"]}, tmp_path / "whole.parquet")
    filled = network.impute(tmp_path / "lacking.parquet")
    assert filled.to_dict("list") == {"x": DAYS, "y": ["u", "v"]}


def test_known_cells_of_a_file_stay_as_they_stand_there(tmp_path):
    """Decimal commas and whitespace are how a cell is written; in a frame, numbers are numbers."""
    whole, lacking = tmp_path / "whole.csv", tmp_path / "lacking.csv"
    whole.write_text("x;y;z\n" + "0,5;u;1,25\n1,50;v;2,75\n" * 10)
    network = tb.fit(
        {"x": [], "y": ["x"], "z": ["y"]},
        tb.load(whole, decimal=",", strip=True, na_values=["?"], discretise={"x": "median", "z": None}),
    )
    lacking.write_text("x;y;z;note\n1,50; v ;2,75;a,5\n?;u;?;?\n0,50;?; 1,25;\n")
    filled = network.impute(lacking)
    assert filled["y"].tolist() == [" v ", "u", "u"]
    assert filled["z"].tolist() == [2.75, 1.25, 1.25]
    assert filled["note"].isna().tolist() == [False, True, False]
    assert filled["x"].tolist() == [1.5, 0.5, 0.5]
    assert network.score_samples(filled).shape == (3,)


def test_numbers_that_are_states_of_text_keep_their_commas():
    rows = {"a": ["1,52", "1,60", "v1.2", "1,80"] * 10, "b": list("xyzw") * 10}
    network = tb.learn(tb.load(rows, decimal=","), 1, budget=tb.Budget(steps=5)).network
    assert network.impute({"a": ["1,52", None, None], "b": ["x", "y", "z"]})["a"] == ["1,52", "1,60", "v1.2"]


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_text_with_decimal_commas_gets_commas(make):
    """What comes back is read again by the network, and by every other one of the same table."""
    rows = {"x": ["1,52", "1,97", "3,5", "4,25"] * 10, "y": ["u", "u", "v", "v"] * 10}
    data = tb.load(make(rows), decimal=",", discretise={"x": "median"})
    network = tb.fit({"x": [], "y": ["x"]}, data)
    filled = network.impute(make({"x": ["1,52", None, None], "y": ["u", "u", "v"]}))
    assert cells_of(filled) == ["1,52", "1,52", "3,5"]
    assert network.score_samples(filled).shape == (3,)
    drawn = network.impute(make({"x": ["1,52", None, None], "y": ["u", "u", "v"]}), strategy="draw")
    assert {*cells_of(drawn)} <= {*rows["x"]}


@pytest.mark.parametrize("labels", [("TRUE", "FALSE"), ("true", "false")])
def test_booleans_stay_as_a_file_writes_them(tmp_path, labels):
    yes, no = labels
    (tmp_path / "rows.csv").write_text("x,y\n" + f"{yes},u\n{no},v\n" * 10)
    data = tb.load(tmp_path / "rows.csv")
    network = tb.fit({"x": [], "y": ["x"]}, data)
    assert set(data.to_dict()["x"]) == set(network.sample(50).to_dict()["x"]) == {yes, no}
    assert set(network.sample(50).to_frame("polars")["x"]) == {yes, no}
    assert network.predict({"y": "u"}, "x") == yes
    assert network.impute({"x": [no, None], "y": ["v", "u"]})["x"] == [no, yes]
    assert set(network.table("x")["x"]) == {yes, no}
    assert network.posterior("y", {"x": True})["u"] == network.posterior("y", {"x": yes})["u"]
    assert tb.load(data, schema=network.schema).codes.tolist() == data.codes.tolist()
    assert network.impute({"x": [False, None], "y": ["v", "u"]})["x"] == [False, True]
