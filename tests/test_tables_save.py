"""Tables on disk: what is written is what is read, by this package and by others."""

from __future__ import annotations

import csv
import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound as tb
from treebound.tables.files import save as table_files
from treebound.tables.files.save import TABLE_ENDINGS, save_table

LABELS = ("plain", "with, comma", 'with "quotes"', "two\nlines", "tab\there", "ümlaut", "", " space ")


def dataset(labels, codes, names=None):
    names = names or [f"V{v}" for v in range(len(codes))]
    return tb.Dataset(tb.Schema(tuple(tb.Variable(name, labels) for name in names)), np.array(codes))


@pytest.mark.parametrize("ending", TABLE_ENDINGS)
def test_a_written_table_is_read_back(tmp_path, ending):
    network = tb.random_network(20, seed=3)
    # Many rows, so that every state occurs and the schemas can be equal.
    rows = network.sample(2000, seed=3)
    save_table(rows, tmp_path / f"table{ending}")
    read = tb.load(tmp_path / f"table{ending}")
    assert tb.load(tmp_path / f"table{ending}", schema=network.schema) == rows
    occurring = [np.unique(column).size for column in rows.codes]
    assert occurring == list(read.schema.cardinalities)
    assert read.schema.names == network.schema.names


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz"])
def test_text_is_quoted_as_readers_expect(tmp_path, ending):
    table = dataset(LABELS, [range(8), range(7, -1, -1)], ['a "name"', "an,other"])
    path = tmp_path / f"table{ending}"
    save_table(table, path)
    raw = gzip.decompress(path.read_bytes()) if ending.endswith("gz") else path.read_bytes()
    delimiter = "\t" if ending == ".tsv" else ","
    read = list(csv.reader(io.StringIO(raw.decode(), newline=""), delimiter=delimiter))
    assert read == [['a "name"', "an,other"], *[[a, b] for a, b in zip(LABELS, LABELS[::-1], strict=True)]]


def test_parquet_keeps_the_types(tmp_path):
    columns = {"n": [3, -400, 3], "b": [True, False, True], "t": ["x", "y", "x"], "f": [0.5, 0.25, 0.5]}
    table = tb.load(columns, discretise={"f": None})
    save_table(table, tmp_path / "t.parquet")
    read = pd.read_parquet(tmp_path / "t.parquet")
    assert {name: read[name].tolist() for name in columns} == columns
    assert tb.load(tmp_path / "t.parquet", discretise={"f": None}) == table


@settings(deadline=None)
@given(
    labels=st.lists(st.text(st.sampled_from('ab,"\t é'), max_size=4), min_size=1, max_size=6, unique=True),
    shape=st.tuples(st.integers(1, 5), st.integers(0, 30)),
    cells=st.integers(1, 20),
    data=st.data(),
)
def test_blocks_of_any_size_make_one_text(tmp_path_factory, labels, shape, cells, data):
    flat = data.draw(
        st.lists(st.integers(0, len(labels) - 1), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    )
    codes = np.array(flat, dtype=np.uint8).reshape(shape)
    path = tmp_path_factory.mktemp("tables") / "t.csv"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_files, "_CELLS_PER_BLOCK", cells)
        save_table(dataset(tuple(labels), codes), path)
    read = list(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))
    assert read[1:] == [[labels[code] for code in row] for row in codes.T.tolist()]


def test_equal_tables_give_equal_files(tmp_path):
    rows = tb.random_network(5, seed=1).sample(50)
    for name in ("a.csv.gz", "b.csv.gz"):
        save_table(rows, tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("table.txt", ValueError, "expected a file that ends in .csv, .csv.gz, .tsv, .tsv.gz, .parquet"),
        ("csv", ValueError, "expected a file that ends in"),
        ("none/table.csv", FileNotFoundError, "there is no folder"),
        ("folder.csv", IsADirectoryError, "expected a file, but this is a folder"),
    ],
)
def test_hopeless_paths_are_refused(tmp_path, name, error, message):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(error, match=message):
        save_table(dataset(("a",), [[0]]), tmp_path / name)


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    path.write_text("old")
    monkeypatch.setattr(table_files, "_gather", lambda *_: iter([b"half a row", None]))
    with pytest.raises(TypeError):
        save_table(dataset(("a",), [[0]]), path)
    assert [file.name for file in tmp_path.iterdir()] == ["table.csv"]
    assert path.read_text() == "old"
