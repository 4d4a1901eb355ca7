"""Folders of Parquet files: the same files and columns as pandas reads, and errors that name a file."""

from pathlib import Path

import pandas as pd
import pytest

import treebound as tb
from treebound.distributed._sources import list_parts

pytest.importorskip("pyarrow")


def rows(first, count=20):
    return pd.DataFrame(
        {"a": [f"s{i % 3}" for i in range(first, first + count)], "b": [i % 2 for i in range(count)]}
    )


def write(path, frame):
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_parquet(path, index=False)


def values(data):
    return {name: column.tolist() for name, column in data.to_dict().items()}


def as_pandas(folder):
    frame = pd.read_parquet(folder)
    return {name: frame[name].tolist() for name in frame.columns}


def in_parts(folder):
    """What a cluster reads of a folder, part by part."""
    found = {}
    for part in list_parts(str(folder)):
        table = part.table()
        for index, name in enumerate(table.names):
            column = table.read(index)
            found.setdefault(name, []).extend(column.values[code] for code in column.codes.tolist())
    return found


FOLDERS = {
    "plain": ["0.parquet", "1.parquet", "2.pq", "00000_0"],
    "nested": ["jan.parquet/part.0.parquet", "jan.parquet/part.1.parquet", "feb.parquet/part.0.parquet"],
    "hive": ["year=2024/month=01/a.parquet", "year=2024/month=11/a.parquet", "year=2025/month=02/a.parquet"],
    "hive texts": ["place=north%20east/a.parquet", "place=007/a.parquet"],
    "hive inside": ["rows.parquet/b=0/a.parquet", "rows.parquet/b=1/b.parquet"],
}


@pytest.mark.parametrize("names", FOLDERS.values(), ids=FOLDERS)
def test_a_folder_has_the_rows_and_columns_that_pandas_reads(tmp_path, names):
    for number, name in enumerate(names):
        write(tmp_path / name, rows(number).drop(columns="b") if "/b=" in name else rows(number))
    expected = as_pandas(tmp_path)
    assert len(expected["a"]) == 20 * len(names)
    assert values(tb.load(tmp_path)) == expected
    assert in_parts(tmp_path) == expected


@pytest.mark.parametrize(
    "hidden",
    ["_temporary/0/a.parquet", ".ipynb_checkpoints/a.parquet", "_metadata", ".a.parquet.crc", "_SUCCESS"],
)
def test_hidden_and_temporary_files_are_no_rows(tmp_path, hidden):
    write(tmp_path / "a.parquet", rows(0))
    write(tmp_path / hidden, rows(1))
    assert tb.load(tmp_path).num_rows == 20
    assert [part.file.path for part in list_parts(str(tmp_path))] == [str(tmp_path / "a.parquet")]


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"a,b\n1,2\n", None], ids=["empty", "cut", "text", "truncated"]
)
@pytest.mark.parametrize("name", ["0.parquet", "z/9.parquet", "notes.txt"])
def test_a_file_that_is_not_parquet_is_named(tmp_path, name, content):
    write(tmp_path / "5.parquet", rows(0))
    bad = tmp_path / name
    bad.parent.mkdir(exist_ok=True)
    bad.write_bytes((tmp_path / "5.parquet").read_bytes()[:-9] if content is None else content)
    for read in (tb.load, lambda folder: list_parts(str(folder))):
        with pytest.raises(tb.DataError) as caught:
            read(tmp_path)
        assert str(caught.value).count(str(bad)) >= 1
        assert "start its name with _" in str(caught.value)


def test_folders_without_a_key_have_a_missing_value(tmp_path):
    write(tmp_path / "a.parquet", rows(0))
    write(tmp_path / "year=2024" / "a.parquet", rows(0))
    write(tmp_path / "year=__HIVE_DEFAULT_PARTITION__" / "a.parquet", rows(0))
    with pytest.raises(tb.DataError, match=r"'year': 40 values, first in row 1\b"):
        tb.load(tmp_path)
    assert tb.load(tmp_path, missing="drop").schema["year"].states == ("2024",)


def test_the_name_of_a_folder_goes_before_a_column_of_its_files(tmp_path):
    for year in (2024, 2025):
        write(tmp_path / f"year={year}" / "a.parquet", rows(0).assign(year=1))
    assert tb.load(tmp_path).schema["year"].states == ("2024", "2025")


def test_a_column_that_one_file_does_not_have_is_an_error(tmp_path):
    write(tmp_path / "a.parquet", rows(0))
    write(tmp_path / "b.parquet", rows(0).drop(columns="b"))
    with pytest.raises(tb.DataError, match=r"'b': there is none in \S*b\.parquet"):
        tb.load(tmp_path)


def test_a_folder_of_many_files_keeps_few_open(tmp_path):
    resource = pytest.importorskip("resource")
    for number in range(60):
        write(tmp_path / f"{number:03}.parquet", rows(number))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(list(Path("/proc/self/fd").iterdir())) + 40, hard))
    try:
        assert tb.load(tmp_path).num_rows == 1200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
