"""What is refused, and how it is said: one error, every offending column, and where to look."""

import gzip
import logging
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import treebound as tb


def refused(table, **options):
    with pytest.raises(tb.DataError) as caught:
        tb.load(table, **options)
    return caught.value


def kinds(error):
    return [(problem.kind, problem.column) for problem in error.problems]


@pytest.fixture
def write(tmp_path):
    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_all_problems_of_all_columns_come_in_one_error(write):
    rows = "".join(
        f"{i % 3},{'' if i == 4 else i % 2},name{i},{i / 2},{'1' if i else '1.0'}\n" for i in range(30)
    )
    error = refused(write("ok,gap,key,real,twice\n" + rows), max_states=20)
    assert kinds(error) == [
        ("missing", "gap"),
        ("identifier", "key"),
        ("float", "real"),
        ("same label", "twice"),
    ]
    text = str(error)
    assert "'gap': 1 value, first in row 5 (line 6)" in text
    assert "'key': 30 distinct values, more than 20" in text
    assert "'real': holds 0.5, first in row 2 (line 3)" in text
    assert "discretise=" in text
    assert "'twice': '1.0' and '1', in row 2 (line 3)" in text
    assert "'ok'" not in text


def test_long_lists_are_cut():
    error = refused({f"c{i}": [None, 1] for i in range(57)})
    assert len(error.problems) == 57
    assert str(error).count("first in row 1") == 20
    assert "and 37 more\n" in str(error)
    assert str(error).endswith("keeps what it did in the schema.")


def test_the_error_survives_pickling():
    error = refused({"x": [None, 1]})
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert copy.problems == error.problems
    assert isinstance(error, ValueError)


@pytest.mark.core
@pytest.mark.parametrize("mark", ["", "NA", "NaN", "nan", "null", '""', '"NA"'])
def test_missing_marks_of_text_files(write, mark):
    error = refused(write(f"a,b\n1,x\n2,{mark}\n1,{mark}\n"))
    assert kinds(error) == [("missing", "b")]
    assert "2 values, first in row 2 (line 3)" in str(error)


@pytest.mark.core
def test_missing_marks_can_be_replaced(write):
    path = write("a,b\n1,NA\n2,?\n")
    assert tb.load(path, na_values=()).schema["b"].states == ("?", "NA")
    assert kinds(refused(path, na_values=["?"])) == [("missing", "b")]
    with pytest.raises(TypeError, match="collection of strings"):
        tb.load(path, na_values="?")


def test_a_column_without_any_value_is_missing_throughout():
    error = refused({"x": [None, None], "y": [1, 2]})
    assert kinds(error) == [("empty column", "x")]
    assert "'x': all of its 2 rows are missing" in str(error)
    assert "load(table, drop=[...])" in str(error)


def test_categories_that_never_occur_are_not_binned():
    table = pd.DataFrame({"x": pd.Categorical([None, None], categories=[1, 2]), "y": [1, 2]})
    assert kinds(refused(table, discretise={"x": "median"})) == [("empty column", "x")]


def test_missing_and_other_problems_of_one_column_come_together():
    assert kinds(refused({"x": [None, 1.5, 2.0]})) == [("missing", "x"), ("float", "x")]


def test_text_in_which_no_value_repeats_is_a_key():
    labels = [f"name {i}" for i in range(20)]
    assert kinds(refused({"x": labels, "y": [1, 2] * 10})) == [("key", "x")]
    assert tb.load({"x": labels[:19]}).num_rows == 19
    assert tb.load({"x": [*labels[:19], labels[0]]}).num_rows == 20
    assert tb.load({"x": list(range(20))}).schema["x"].cardinality == 20


def test_identifiers_show_count_and_limit():
    error = refused({"x": list(range(300)), "y": [1, 2] * 150})
    assert "'x': 300 distinct values, more than 256" in str(error)
    assert tb.load({"x": list(range(300))}, max_states=300).schema["x"].cardinality == 300


@pytest.mark.parametrize(("max_states", "limit"), [(1, "least 2"), (65537, "most 65536")])
def test_max_states_has_limits(max_states, limit):
    with pytest.raises(ValueError, match=f"max_states must be at {limit}, got {max_states}"):
        tb.load({"x": [1, 2]}, max_states=max_states)


def test_values_that_read_the_same_are_refused():
    assert kinds(refused({"x": [1, "1", 2]})) == [("same label", "x")]
    assert "1 and '1', in row 2" in str(refused({"x": [1, "1", 2]}))
    assert kinds(refused({"x": [True, "True"]})) == [("same label", "x")]


@pytest.mark.core
def test_spellings_of_one_boolean_are_refused(write):
    assert kinds(refused(write("a\ntrue\nTRUE\nfalse\n"))) == [("same label", "a")]


def test_infinite_numbers_are_refused():
    assert kinds(refused({"x": [1.0, np.inf]}, discretise="median")) == [("infinite", "x")]
    assert "first in row 2" in str(refused({"x": [1.0, np.inf]}, discretise="median"))


@pytest.mark.parametrize("table", [{}, pd.DataFrame(), {"x": []}, np.zeros((0, 3)), np.zeros((3, 0))])
def test_empty_tables_are_refused(table):
    assert [problem.kind for problem in refused(table).problems] == ["empty"]


def test_one_row_is_refused():
    assert "at least 2 rows are needed, got 1" in str(refused({"x": [1]}))


def test_columns_of_different_lengths_are_refused():
    error = refused({"x": [1, 2], "y": [1, 2, 3], "z": [2, 1]})
    assert kinds(error) == [("lengths", "y")]
    assert "3 values where other columns have 2" in str(error)


def test_duplicate_names_of_frames_are_refused():
    error = refused(pd.DataFrame([[1, 2, 3], [1, 2, 4]], columns=["a", "b", "a"]))
    assert "'a': 2 times, as columns 1, 3" in str(error)
    assert "'a': 2 times" in str(refused(pa.Table.from_arrays([[1, 2], [1, 2]], names=["a", "a"])))
    assert kinds(refused({1: [1, 2], "1": [1, 2]}))[0] == ("duplicate name", "1")
    assert kinds(refused({1: [1, 2], "1": [1, 2, 3]}))[0] == ("lengths", "1")


def test_constant_columns_are_kept_and_reported(caplog):
    data = tb.load({"x": [1, 1], "y": [1, 2], "z": ["a", "a"]})
    assert data.constant_columns == ("x", "z")
    assert data.schema["x"].states == ("1",)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.name.startswith("treebound.")
    assert "'x', 'z'" in record.getMessage()


@pytest.mark.core
class TestFiles:
    @pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", "\r\n"])
    def test_empty(self, write, content):
        assert "the file is empty" in str(refused(write(content)))

    def test_header_only(self, write):
        assert "no rows below the column names" in str(refused(write("a,b\n")))

    def test_names_duplicate_and_empty(self, write):
        error = refused(write("a,,a,b\n1,2,3,4\n1,2,3,4\n"))
        assert kinds(error) == [("empty name", None), ("duplicate name", "a")]
        assert "column 2" in str(error)

    def test_line_of_names_missing(self, write):
        error = refused(write("0,1,0\n1,1,0\n0,0,0\n"))
        assert "all column names are numbers" in str(error)

    def test_ragged_rows(self, write):
        error = refused(write("a,b\n1,2\n1\n" + "1,2,3\n" * 10 + "1,2\n"))
        text = str(error)
        assert "line 3: 1 cells, not 2" in text
        assert "line 7: 3 cells, not 2" in text
        assert "line 8" not in text
        assert "and 6 more lines" in text

    def test_quotes(self, write):
        assert "opens in line 2, cell 2 is never closed" in str(refused(write('a,b\n1,"2\n3,4\n')))
        assert "closing quote in line 2, cell 1" in str(refused(write('a,b\n"1"2,3\n4,5\n')))

    def test_wrong_encoding(self, write):
        path = write("a,b\n1,2\n3,café\n".encode("latin-1"))
        text = str(refused(path))
        assert "byte 0xe9 in line 3, column 6 is not utf-8" in text
        assert "encoding='latin-1'" in text
        assert tb.load(path, encoding="latin-1").schema["b"].states == ("2", "café")
        with pytest.raises(ValueError, match="encoding must be one that Python knows"):
            tb.load(path, encoding="latin-99")

    def test_nul_bytes(self, write):
        path = write("a,b\n1,2\n3,4\n".encode("utf-16"))
        assert "not utf-8" in str(refused(path))
        text = str(refused(write("a,b\n1,2\n3,4\n".encode("utf-16-le"))))
        assert "NUL byte in line 1, column 2" in text
        assert "utf-16" in text
        assert tb.load(path, encoding="utf-16").schema.names == ("a", "b")

    def test_damaged_gzip(self, write):
        packed = gzip.compress(b"a,b\n1,2\n3,4\n" * 50)
        assert "damaged" in str(refused(write(packed[:-9], "table.csv.gz")))
        assert "damaged" in str(refused(write(packed[:20] + b"xxxx" + packed[24:], "table.csv.gz")))

    def test_packing_is_known_by_content(self, write):
        content = b"a,b\n1,2\n3,4\n"
        assert tb.load(write(gzip.compress(content))) == tb.load(write(content, "plain.csv.gz"))

    def test_no_such_file(self, write):
        path = write("a,b\n1,2\n3,4\n", "adult_train.csv")
        with pytest.raises(FileNotFoundError, match=r"Files with similar names: adult_train\.csv"):
            tb.load(path.with_name("adlt_train.csv"))
        with pytest.raises(FileNotFoundError, match="there is no file"):
            tb.load(path.parent / "nowhere" / "table.csv")

    def test_empty_directory(self, tmp_path):
        with pytest.raises(tb.DataError, match="expected a folder of Parquet files, found none"):
            tb.load(tmp_path)

    @pytest.mark.parametrize("name", ["table.xls", "table", "table.parquet.gz", "table.gz"])
    def test_unknown_ending(self, write, name):
        text = str(refused(write("a", name)))
        assert ".csv, .csv.gz" in text
        assert ".parquet" in text

    @pytest.mark.parametrize("delimiter", ["", "ab", '"', "\n", "é"])
    def test_delimiters_that_cannot_be(self, write, delimiter):
        with pytest.raises(ValueError, match="delimiter must be one ASCII character"):
            tb.load(write("a,b\n1,2\n2,1\n"), delimiter=delimiter)

    def test_delimiter_given(self, write):
        assert tb.load(write("a,b|c\n1,2|3\n4,5|6\n"), delimiter="|").schema.names == ("a,b", "c")


@pytest.mark.parametrize("value", [5, ["a"], np.zeros((2, 2)), b","])
@pytest.mark.parametrize("name", ["delimiter", "encoding"])
def test_wrong_types_of_text_options_are_told(name, value):
    with pytest.raises(TypeError, match=f"{name} must be .*, got "):
        tb.load({"a": ["x", "y"]}, **{name: value})
