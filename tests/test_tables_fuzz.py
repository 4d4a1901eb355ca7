"""Any bytes, as any text format: a Dataset or one clear error, never anything else."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from strategies_data import mutated, written_tables

pytestmark = pytest.mark.core

VALID_CSV = b'name,size,"dose, mg"\r\nx,1,0.5\r\n"y ""z""",2,1.5\nx,1,2\r\n'
VALID_DAT = b"A B C\n2 3 2\n0 2 1\n1 0 1\n0 0 0\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


def load_or_refuse(path, content, **options):
    path.write_bytes(content)
    try:
        data = tb.load(path, **options)
    except tb.DataError as caught:
        error = caught
    else:
        error = None
    if error:
        assert error.problems
        assert str(error).startswith(str(path))
        return
    assert data.num_rows >= 2
    assert tb.load(path, schema=data.schema, **{k: v for k, v in options.items() if k == "encoding"}) == data


@given(
    content=st.binary(max_size=200), ending=st.sampled_from([".csv", ".tsv", ".dat", ".csv.gz", ".dat.gz"])
)
def test_random_bytes(folder, content, ending):
    load_or_refuse(folder / f"t{ending}", content, discretise="quantile")


@given(content=mutated(VALID_CSV), rule=st.sampled_from([None, "median", "width"]))
def test_mutated_csv(folder, content, rule):
    load_or_refuse(folder / "t.csv", content, discretise=rule)


@given(content=mutated(VALID_DAT))
def test_mutated_dat(folder, content):
    load_or_refuse(folder / "t.dat", content)


@given(content=mutated(gzip.compress(VALID_CSV, mtime=0)))
def test_mutated_gzip(folder, content):
    load_or_refuse(folder / "t.csv.gz", content, discretise="quantile")


@given(written=written_tables())
def test_written_csv(folder, written):
    load_or_refuse(folder / "t.csv", written[3].encode(), discretise="quantile")


@given(
    content=st.binary(max_size=60),
    encoding=st.sampled_from(["utf-16", "utf-7", "cp1252", "shift_jis", "hex", "idna"]),
)
def test_other_encodings(folder, content, encoding):
    load_or_refuse(folder / "t.csv", content, encoding=encoding)
