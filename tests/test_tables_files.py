"""Files of every format: Parquet, Feather and Arrow by pyarrow, .dat against its slow twin."""

import gzip
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given

import treebound as tb
from reference import data as reference
from strategies_data import dat_texts
from treebound.tables import Choices
from treebound.tables._infer_schema import infer_dataset
from treebound.tables.files.arrow import ParquetColumns
from treebound.tables.files.dat import parse_table


@pytest.fixture
def frame():
    level = pd.Categorical(["low", "high", "low"], categories=["low", "mid", "high"], ordered=True)
    return pd.DataFrame({"level": level, "size": [3, 1, 3], "name": ["x", "y", "y"]})


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow"])
def test_arrow_files_keep_categories(tmp_path, frame, ending):
    path = tmp_path / f"table.{ending}"
    frame.to_parquet(path) if ending == "parquet" else frame.to_feather(path)
    assert tb.load(path) == tb.load(frame)
    assert tb.load(path, schema=tb.load(frame).schema) == tb.load(frame)


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow"])
def test_files_that_are_not_what_they_say_are_refused(tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(tb.DataError, match="pyarrow cannot read it"):
        tb.load(path)


def test_problems_in_arrow_files_name_the_file(tmp_path):
    path = tmp_path / "table.parquet"
    pa.parquet.write_table(pa.table({"x": [1, None]}), path)
    with pytest.raises(tb.DataError, match=r"table\.parquet: missing values"):
        tb.load(path)


def test_the_missing_library_is_named(tmp_path, monkeypatch):
    path = tmp_path / "table.parquet"
    path.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        tb.load(path)


DAT = "A B C\n2 3 2\n0 2 1\n1 0 1\n"


@pytest.mark.core
@pytest.mark.parametrize("content", [
    DAT,
    DAT.replace(" ", ","),
    DAT.replace(" ", ", "),
    DAT.replace(" ", "\t"),
    DAT.replace("\n", "\r\n"),
    DAT.replace("\n", "  \n  "),
    DAT.replace(" ", "   "),
    "\ufeff" + DAT,
    DAT.strip(),
])  # fmt: skip
def test_dat_in_all_its_spellings(tmp_path, content):
    for name, pack in (("table.dat", bytes), ("table.dat.gz", gzip.compress)):
        path = tmp_path / name
        path.write_bytes(pack(content.encode()))
        data = tb.load(path)
        assert data.schema.names == ("A", "B", "C")
        assert data.schema.cardinalities == (2, 3, 2)
        assert data.codes.tolist() == [[0, 1], [2, 0], [1, 1]]
        assert data.constant_columns == ("C",)
        assert tb.load(path, schema=data.schema) == data
        assert data.schema["B"].decode(data.column("B")).tolist() == [2, 0]


def dat_errors(text):
    with pytest.raises(tb.DataError) as caught:
        infer_dataset(parse_table(text.encode(), na_values=None, source="t"), Choices())
    return caught.value


@pytest.mark.core
def test_dat_with_wrong_cells():
    error = dat_errors("A B C D\n2 2 x 2\n0 2 1 ?\n1 0 1 0\n1 -1 1 ?\n")
    assert [(p.kind, p.column) for p in error.problems] == [
        ("cardinality", "B"), ("cardinality", "C"), ("missing", "D"),
    ]  # fmt: skip
    assert "'B': expected 0 to 1, got '2' in row 1 (line 3) and 1 more" in str(error)
    assert "'C': declares 'x' states, expected 1 to 65536" in str(error)
    assert "'D': 2 values, first in row 1 (line 3)" in str(error)


@pytest.mark.core
@pytest.mark.parametrize(("text", "message"), [
    ("A B\n2 2\n0 1\n0\n", "line 4: 1 cells, not 2"),
    ("A B\n", "second line has to give the number of states"),
    ("A B\n2 2\n", "no rows below"),
    ("A B\n2 2\n0 1\n", "at least 2 rows"),
    ("", "the file is empty"),
    ("A A\n2 2\n0 1\n1 0\n", "'A': 2 times"),
    ("A B\n2 99999\n0 1\n1 0\n", "declares '99999' states"),
    ("A B\n2 0\n0 1\n1 0\n", "declares '0' states"),
    ("A B\n2 300\n0 1\n1 0\n", "300 distinct values, more than 256"),
])  # fmt: skip
def test_dat_with_wrong_shape(text, message):
    assert message in str(dat_errors(text))


@pytest.mark.core
@given(text=dat_texts())
def test_dat_is_read_or_refused_as_by_the_twin(text):
    sheet = reference.read_dat(text)
    expected = reference.dat_problems(sheet)
    if expected:
        error = dat_errors(text)
        assert {(problem.kind, problem.column) for problem in error.problems} == expected
        return
    data = infer_dataset(parse_table(text.encode(), na_values=None, source="t"), Choices())
    assert list(data.schema.names) == sheet.names
    assert list(data.schema.cardinalities) == [int(cell) for cell in sheet.rows[0]]
    assert data.codes.T.tolist() == [[int(cell) for cell in row] for row in sheet.rows[1:]]


@pytest.mark.parametrize("at_once", [1, 3, 7, 100])
def test_parquet_is_read_a_few_columns_at_a_time(tmp_path, monkeypatch, at_once):
    # A name that is the beginning of another, with a dot behind it, stands for both in pyarrow.
    columns = {
        "a": [1, 2, 1],
        "a.b": ["x", "y", "x"],
        "flag": [True, False, True],
        "c": pa.array(["u", "v", "u"]).dictionary_encode(),
        "d": pa.array([3, 3, 4], type=pa.uint8()),
        "e": [5.0, 6.0, 5.0],
        "f": [0, 1, 1],
    }
    path = tmp_path / "table.parquet"
    pa.parquet.write_table(pa.table(columns), path)
    read, sizes = pa.parquet.ParquetFile.iter_batches, []

    def spy(self, num_rows, row_groups, columns):
        sizes.append(len(columns))
        return read(self, num_rows, row_groups=row_groups, columns=columns)

    monkeypatch.setattr(pa.parquet.ParquetFile, "iter_batches", spy)
    monkeypatch.setattr("treebound.tables.files.arrow._COLUMNS_AT_ONCE", at_once)
    assert tb.load(path) == tb.load(pa.table(columns))
    assert max(sizes) <= at_once
    assert sum(sizes) == len(columns)


def test_the_schema_of_a_parquet_file_is_made_once(tmp_path, monkeypatch):
    path = tmp_path / "table.parquet"
    pa.parquet.write_table(pa.table({f"v{v}": [0, 1] for v in range(20)}), path)
    made, looks = pa.parquet.ParquetFile.schema_arrow, []
    monkeypatch.setattr(
        pa.parquet.ParquetFile, "schema_arrow", property(lambda self: looks.append(1) or made.fget(self))
    )
    tb.load(path)
    assert len(looks) == 1


def test_a_parquet_file_that_holds_other_rows_than_it_announces_is_refused(tmp_path):
    path = tmp_path / "table.parquet"
    pa.parquet.write_table(pa.table({"x": [1, 2, 1]}), path)
    columns = ParquetColumns(path, 64)
    columns.num_rows = 4  # as damaged files say
    with pytest.raises(tb.DataError, match=r"table\.parquet: it announces 4 rows and holds 3"):
        columns[0]
