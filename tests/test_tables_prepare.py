"""Which columns and rows are used, how texts are read, and that later tables are read alike."""

import datetime
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from reference import data as reference
from treebound.data import date_in_order
from treebound.data._dates import parse_date
from treebound.tables._encode import _encoded_columns
from treebound.tables._open import open_like, open_table

N = 40


def codes_of(table, schema, **options):
    """The codes of rows that need not be complete, nor have all columns."""
    return tb.load(table, schema=schema, missing="keep", on_absent="ignore", **options).codes


def census():
    rng = np.random.default_rng(0)
    education = rng.choice(["basic", "high"], N)
    return pd.DataFrame(
        {
            "id": np.arange(1000, 1000 + N),
            "age": rng.integers(17, 90, N),
            "work": rng.choice(["private", "state", "?"], N, p=[0.6, 0.3, 0.1]),
            "education": education,
            "years": np.where(education == "high", 12, 9),
            "hours": rng.normal(40, 8, N).round(1),
            "name": [f"case {i}" for i in range(N)],
            "country": "here",
            "remark": [None] * N,
            "sparse": ["x", "y", *[None] * (N - 2)],
            "income": rng.choice(["low", "high"], N),
        }
    )


def done(data):
    return {note.name: (note.done, note.words) for note in data.schema.preparation.columns}


@pytest.fixture
def write(tmp_path):
    def write(text, name="table.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_auto_applies_the_safe_remedies_and_says_which():
    frame = census()
    data = tb.load(frame, auto=True)
    assert data.schema.names == ("age", "work", "education", "hours", "income")
    assert done(data) == {
        "id": ("dropped", "counts the rows"),
        "years": ("dropped", "duplicates 'education' in every row"),
        "name": ("dropped", "all rows differ"),
        "country": ("dropped", "always 'here'"),
        "remark": ("dropped", "no row has a value"),
        "sparse": ("dropped", "95% of its cells are missing"),
        "age": ("binned", "5 bins by quantile"),
        "hours": ("binned", "5 bins by quantile"),
    }
    lacking = int((frame["work"] == "?").sum())
    assert lacking
    assert data.schema.preparation.rows_dropped == lacking
    assert data.num_rows == N - lacking
    assert data.schema.preparation.reading.to_json() == {"na_values": ["?"], "missing": "drop"}
    assert data.schema["work"].states == ("private", "state")
    told = str(data.schema.preparation)
    assert "hours    binned   5 bins by quantile" in told
    assert f"{lacking:,} row" in told


def test_auto_leaves_what_was_asked_for_and_a_good_table_alone():
    data = tb.load(census(), auto=True, discretise={"id": 3, "hours": None}, drop=["age"])
    assert done(data)["id"] == ("binned", "3 bins by quantile:3")
    assert done(data)["age"] == ("dropped", "as requested")
    assert data.schema["hours"].kind == "float"
    good = {"x": ["a", "b"] * 5, "y": [1, 2, 2, 1, 1] * 2}
    assert tb.load(good, auto=True) == tb.load(good)
    assert not tb.load(good, auto=True).schema.preparation


def test_auto_keeps_rows_if_most_of_them_would_go():
    table = {f"c{i}": [None if row % 5 == i else "ab"[row % 2] for row in range(30)] for i in range(4)}
    with pytest.raises(tb.DataError) as caught:
        tb.load(table, auto=True)
    assert str(caught.value).splitlines() == [
        "the table: auto drops incomplete rows only while half of the rows are complete; fill in the missing "
        "values, or drop columns with load(table, auto=True, drop=[...]), or use only the complete rows with "
        "load(table, auto=True, missing='drop'):",
        "  6 of 30 rows are complete",
        "  missing values: 'c0' in 6 rows, 'c1' in 6 rows, 'c2' in 6 rows, 'c3' in 6 rows",
        "  without 'c0', 'c1', 18 rows are complete",
    ]
    data = tb.load(table, missing="drop")
    assert data.num_rows == 6
    assert data.schema.preparation.rows_dropped == 24
    words = "dropped 24 rows with missing values, of 30; missing: 'c0' in 6, 'c1' in 6, 'c2' in 6 and 1 more"
    assert data.schema.preparation.remarks == (words,)


def test_rows_with_missing_values_give_states_but_are_not_counted():
    data = tb.load({"x": ["a", "b", "c", "a"], "y": [1, None, 3, 3]}, missing="drop")
    assert data.schema["x"].states == ("a", "b", "c")
    assert data.codes.tolist() == [[0, 2, 0], [0, 1, 1]]
    with pytest.raises(tb.DataError, match="only 0 of 2 rows have all values"):
        tb.load({"x": [None, 1], "y": [1, None]}, missing="drop")
    with pytest.raises(ValueError, match="missing must be 'error', 'drop' or 'keep', got 'skip'"):
        tb.load({"x": [1, 2]}, missing="skip")
    with pytest.raises(tb.DataError, match=r"'y': holds 0.25, first in row 1"):
        tb.load({"x": [None, 1, 2, 1], "y": [0.25, 1, 0.5, 2]}, missing="drop")


def test_auto_names_what_it_tried_where_few_rows_are_complete(tmp_path, run):
    frame = pd.DataFrame({"a": ["x", "y"] * 10, "b": list("uv-u-v-v--") * 2, "c": list("uv-uv---vv") * 2})
    frame = frame.replace("-", None)
    frame["d"] = [None] * 15 + ["u", "v"] * 2 + ["u"]
    frame.to_csv(tmp_path / "t.csv", index=False)
    code, _, err = run("score", tmp_path / "t.csv", "-o", tmp_path / "s.tbc", "--auto")
    told = " ".join(err.split())
    assert code == 1
    assert "6 of 20 rows are complete, after dropping 'd' (75% of its cells are missing)" in told
    assert "missing values: 'b' in 10 rows, 'c' in 8 rows without 'b', 12 rows are complete" in told
    assert "drop columns with --drop NAME, or use only the complete rows with --missing drop" in told
    assert "load(" not in told
    assert "--auto applies" not in told
    assert "6 of 20 rows are complete" in str(tb.inspect(tmp_path / "t.csv", auto=True))
    again = ["--auto", "--drop", "b", "--steps", 10]
    assert run("score", tmp_path / "t.csv", "-o", tmp_path / "s.tbc", *again)[0] == 0
    # learn needs no complete rows.
    words = ["learn", tmp_path / "t.csv", "-k", 1, "-o", tmp_path / "s.json", "--auto", "--steps", 10]
    assert run(*words)[0] == 0


@given(
    table=st.lists(
        st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 2, st.sampled_from([1.5, 2.0, 7.25, None])),
        min_size=8,
        max_size=30,
    )
)
def test_states_and_bins_come_from_all_rows(table):
    columns = dict(zip("xyz", map(list, zip(*table, strict=True)), strict=True))
    complete = [row for row in table if None not in row]
    if len(complete) < 2:
        return
    data = tb.load(columns, missing="drop", discretise="median")
    schema = tb.load(columns, missing="keep", discretise="median").schema
    assert data.schema.variables == schema.variables
    same = tb.load(dict(zip("xyz", map(list, zip(*complete, strict=True)), strict=True)), schema=schema)
    assert data.codes.tolist() == same.codes.tolist()


def test_a_category_of_incomplete_rows_is_known_later(tmp_path, run):
    frame = pd.DataFrame({"a": ["x", "y"] * 20, "b": ["u", "u", "v", "v"] * 10})
    frame.loc[0, "a"], frame.loc[0, "b"] = "rare", None
    network = tb.fit(tb.learn(tb.load(frame, auto=True), 1, budget=tb.Budget(steps=10)), frame)
    assert network.schema["a"].states == ("rare", "x", "y")
    frame.to_csv(tmp_path / "t.csv", index=False)
    out = ["-o", tmp_path / "n.json", "--steps", 10, "--auto"]
    assert run("learn", tmp_path / "t.csv", "-k", 1, *out)[0] == 0
    assert run("impute", tmp_path / "n.json", tmp_path / "t.csv", "-o", tmp_path / "out.csv")[0] == 0


def test_texts_that_differ_wherever_they_are_known_are_keys():
    table = {"name": [None, *(f"n{i}" for i in range(29))], "x": ["a", "b", "c"] * 10}
    assert done(tb.load(table, auto=True)) == {"name": ("dropped", "all rows differ")}
    with pytest.raises(tb.DataError, match="each of the 29 rows has a value of its own"):
        tb.load(table, missing="drop")


def test_columns_are_dropped_or_chosen_by_name():
    table = {"a": [1, 2], "b": [0.5, 1.5], "c": ["x", "y"]}
    assert tb.load(table, drop=["b"]).schema.names == ("a", "c")
    data = tb.load(table, only=["c", "a"])
    assert data.schema.names == ("a", "c")
    assert done(data) == {"b": ("dropped", "not among those requested")}
    with pytest.raises(tb.DataError, match="'bb': there is none; did you mean 'b'"):
        tb.load(table, drop=["bb"])
    with pytest.raises(tb.DataError, match="no column is left; dropped: 'a'"):
        tb.load({"a": [1, 2]}, drop=["a"])
    with pytest.raises(TypeError, match=r"drop must be a collection of names, such as \['a'\]"):
        tb.load(table, drop="a")
    with pytest.raises(TypeError, match="there is no option 'dropp'; did you mean 'drop'"):
        tb.load(table, dropp=["a"])


@pytest.mark.core
def test_the_written_index_of_a_frame_is_no_column(tmp_path):
    frame = census()[["education", "income"]]
    plain = tb.load(frame)
    frame.to_csv(tmp_path / "pandas.csv")
    pd.read_csv(tmp_path / "pandas.csv").to_csv(tmp_path / "twice.csv", index=False)
    named = frame.set_axis([f"r{i}" for i in range(N)])
    named.to_csv(tmp_path / "r.csv")
    named.to_parquet(tmp_path / "named.parquet")
    for name in ("pandas.csv", "twice.csv", "r.csv", "named.parquet"):
        data = tb.load(tmp_path / name)
        assert data == plain, name
        assert list(done(data).values()) == [("dropped", "row numbers written with the table")]
        assert tb.load(tmp_path / name, schema=data.schema) == plain
    frame.assign(**{"Unnamed: 0": 7}).to_csv(tmp_path / "other.csv", index=False)
    assert "Unnamed: 0" in tb.load(tmp_path / "other.csv").schema


@pytest.mark.core
def test_marks_decimals_and_blanks_are_remembered_for_later_tables(write):
    rows = "".join(f"{i % 7},{i % 2}; {'?' if i == 3 else 'ab'[i % 2]}\n" for i in range(30))
    path = write("dose; group\n" + rows)
    data = tb.load(path, auto=True)
    assert data.schema.names == ("dose", "group")
    assert data.schema["group"].states == ("a", "b")
    reading = data.schema.preparation.reading
    assert reading.decimal == ","
    assert reading.strip is True
    assert "?" in reading.na_values
    again = tb.Schema.from_json(data.schema.to_json())
    assert again.preparation == data.schema.preparation
    assert (codes_of(path, again) < 0).sum() == 1
    same = tb.load(path, discretise="quantile", decimal=",", strip=True, na_values=["?"], missing="drop")
    assert same.schema.variables == data.schema.variables
    assert same.codes.tolist() == data.codes.tolist()


@pytest.mark.core
def test_decimal_commas(write):
    path = write("x;y\n0,5;a\n1,5;b\n2;a\n")
    assert tb.load(path, decimal=",", discretise="median").schema["x"].edges == (0.5, 1.0, 2.0)
    with pytest.raises(tb.DataError, match=r"'x': holds '1\.234' among numbers with a decimal comma"):
        tb.load(write("x;y\n1.234;a\n1,5;b\n"), decimal=",")
    many = write("x\n" + "".join(f'"{i},5"\n' for i in range(300)), name="many.csv")
    unread = r"(?s)numbers with a decimal comma, read as text.*decimal=','.*'x': holds values such as '0,5'"
    for rules in (None, "quantile", {"x": "quantile"}):
        with pytest.raises(tb.DataError, match=unread):
            tb.load(many, discretise=rules)
    with pytest.raises(tb.DataError, match=unread):
        tb.load(write("x;y\n0,5;a\n1,5;b\n", name="few.csv"), discretise={"x": "quantile"})
    with pytest.raises(ValueError, match=r"decimal must be '\.' or ',', got ';'"):
        tb.load(path, decimal=";")


@pytest.mark.core
def test_files_without_names(write):
    path = write("\ufeff5,a\n6,b\n5,b\n", name="table.csv")
    data = tb.load(path, header=False)
    assert data.schema.names == ("v0", "v1")
    assert data.codes.tolist() == [[0, 1, 0], [0, 1, 1]]
    with pytest.raises(tb.DataError, match="line 2: 3 cells, not 2"):
        tb.load(write("1,2\n1,2,3\n1,2\n"), header=False)
    with pytest.raises(tb.DataError, match=r"first in row 2 \(line 2\)"):
        tb.load(write("1,2\n,2\n1,2\n"), header=False)
    with pytest.raises(tb.DataError, match="the file is empty"):
        tb.load(write(""), header=False)
    text = '"a\nb",1\nc,2\nc,1\n'
    assert tb.load(write(text), header=False).schema["v0"].states == ("a\nb", "c")


@pytest.mark.core
def test_a_date_means_the_same_wherever_it_comes_from(tmp_path):
    days = pd.to_datetime(["2024-05-31", "2023-01-01", "2024-05-31"])
    frame = pd.DataFrame({"day": days, "x": [1, 2, 1]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "full.csv", index=False, date_format="%Y-%m-%dT%H:%M:%S")
    frame.to_parquet(tmp_path / "t.parquet")
    frame.assign(day=days.date).to_parquet(tmp_path / "date.parquet")
    tables = [
        frame,
        pl.from_pandas(frame),
        pa.table(frame),
        {"day": [d.date() for d in days], "x": [1, 2, 1]},
    ]
    tables += [tmp_path / name for name in ("t.csv", "full.csv", "t.parquet", "date.parquet")]
    expected = tb.Variable("day", ("2023-01-01", "2024-05-31"), "date", ordered=True)
    for table in tables:
        data = tb.load(table)
        assert data.schema["day"] == expected
        for other in tables:
            assert tb.load(other, schema=data.schema).codes.tolist() == data.codes.tolist()
    moments = pd.to_datetime(["2024-05-31 14:30", "2024-05-31", "2024-05-31 14:30:00.5"], format="ISO8601")
    pd.DataFrame({"t": moments}).to_csv(tmp_path / "m.csv", index=False)
    pd.DataFrame({"t": moments}).to_parquet(tmp_path / "m.parquet")
    states = ("2024-05-31", "2024-05-31 14:30:00", "2024-05-31 14:30:00.500000")
    for name in ("m.csv", "m.parquet"):
        assert tb.load(tmp_path / name).schema["t"].states == states
    with pytest.raises(tb.DataError, match="different values that read the same"):
        tb.load({"t": ["2024-05-31", "2024-05-31 00:00:00"]})
    with pytest.raises(ValueError, match="states of kind date must be written like 2024-05-31"):
        tb.Variable("t", ("2024-05-31T00:00",), "date")


@given(
    moment=st.datetimes(datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31)),
    form=st.sampled_from(
        ["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%d.%m.%Y", "%Y/%m/%d"]
    ),
    noise=st.sampled_from(["", " ", "x", "0"]),
)
def test_dates_are_written_as_the_twin_writes_them(moment, form, noise):
    # strftime of some systems writes years before 1000 with fewer digits.
    text = moment.replace(year=max(1000, moment.year)).strftime(form) + noise
    if "-" in text and len(text.partition(".")[2]) > 6:  # nanoseconds, which Python does not know
        return
    assert parse_date(text) == reference.date(text)


@given(
    moment=st.datetimes(datetime.datetime(1000, 1, 1), datetime.datetime(9999, 12, 31)),
    form=st.sampled_from(["%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%d.%m.%Y"]),
    clock=st.sampled_from(["", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p", " %H:%M %p", " x"]),
    order=st.sampled_from(["dmy", "mdy"]),
)
def test_dates_in_an_order_are_those_of_the_twin(moment, form, clock, order):
    text = moment.strftime(form + clock)
    assert date_in_order(text, order) == reference.date_in_order(text, order)


def test_the_first_row_with_a_number_that_is_not_whole_is_named():
    for table in (pd.DataFrame({"x": [3.0, 1.5, 2.5, 0.5]}), {"x": [3.0, 1.5, 2.5, 0.5]}):
        with pytest.raises(tb.DataError, match=r"'x': holds 1\.5, first in row 2"):
            tb.load(table)
    with pytest.raises(tb.DataError, match="'x': first in row 2"):
        tb.load({"x": [3.0, np.inf, -np.inf]})


def test_fit_names_columns_that_lack_every_value():
    structure = tb.learn(tb.load({"x": [1, 2, 1, 2], "y": [1, 2, 1, 1]}), 1, budget=tb.Budget(steps=1))
    for missing in ("keep", "error"):
        with pytest.raises(
            tb.DataError, match=r"tables cannot be estimated; .*\n  'y': all of its 2 rows are missing"
        ):
            tb.fit(structure, {"x": [1, 2], "y": [None, None]}, missing=missing)


def test_a_preparation_that_is_damaged_is_refused():
    fields = tb.load(census(), auto=True).schema.to_json()
    for wrong, words in (
        ({"columns": 3}, "a schema needs variables"),
        ({"reading": {"speed": 1}}, "reading has no option 'speed'"),
        ({"reading": {"strip": "yes"}}, "strip must be true or false"),
        ({"rows_dropped": -1}, "rows_dropped must be at least 0"),
    ):
        with pytest.raises(ValueError, match=words):
            tb.Schema.from_json(fields | {"preparation": fields["preparation"] | wrong})


cells = st.one_of(
    st.none(), st.integers(-2, 3), st.booleans(), st.sampled_from(["a", "1", "True", "?", "zz"]),
    st.sampled_from([0.5, 1.0, 2.0, float("nan"), float("inf"), -1e300]),
    st.just(datetime.date(2024, 5, 31)), st.just(datetime.datetime(2024, 5, 31)),
)  # fmt: skip
SCHEMA = tb.Schema(
    (
        tb.Variable("i", ("1", "2"), "integer"),
        tb.Variable("b", ("False", "True"), "boolean"),
        tb.Variable("t", ("1", "a"), "text"),
        tb.Variable("f", ("0.5", "1"), "float"),
        tb.Variable("n", ("<1", ">=1"), "binned", True, (0.0, 1.0, 2.0)),
        tb.Variable("d", ("2024-05-31",), "date"),
    )
)


@given(
    rows=st.lists(st.tuples(*[cells] * 6), min_size=1, max_size=3),
    names=st.permutations([*SCHEMA.names, "extra"]).map(lambda names: names[:6]),
    unseen=st.sampled_from(["error", "missing"]),
    make=st.sampled_from([dict, pd.DataFrame]),
)
def test_a_few_rows_are_encoded_as_whole_columns_are(rows, names, unseen, make):
    table = make({name: [row[i] for row in rows] for i, name in enumerate(names)})
    try:
        found = codes_of(table, SCHEMA, unseen=unseen, na_values=["?"])
    except tb.DataError as error:
        found = {problem.column for problem in error.problems}
    opened = open_like(table, SCHEMA.preparation, na_values=["?"])
    slow = np.full((len(SCHEMA), len(rows)), -1)
    wrong = set()
    for index, result in _encoded_columns(SCHEMA, opened, unseen=unseen):
        if isinstance(result, np.ndarray):
            slow[index] = result
        else:
            wrong.add(result.column)
    assert found == wrong if wrong else found.tolist() == slow.tolist()


@pytest.mark.parametrize(("marker", "reads"), [("x", 2), ("?", 3)])
def test_auto_profiles_each_column_once_for_each_way_to_read_it(marker, reads):
    table = open_table({"a": ["x", "y", marker] * 9, "b": ["u", "u", "v"] * 9, "c": ["p", "q"] * 13 + ["p"]})
    count = [0, 0, 0]

    def column(index):
        count[index] += 1
        return table.column(index)

    data = tb.load(replace(table, column=column, names=("a", "b", "c")), auto=True)
    assert data.num_variables >= 2
    assert max(count) == reads
