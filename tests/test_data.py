"""From a table to a Dataset and back."""

import gzip
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treebound as tb

COLUMNS = {
    "size": [1, 10, 2, 10],
    "colour": ["red", "blue", "red", "green"],
    "is_old": [True, False, True, True],
    "dose": [1.0, 3.0, 2.0, 2.0],
}
STATES = {
    "size": ("1", "2", "10"),
    "colour": ("blue", "green", "red"),
    "is_old": ("False", "True"),
    "dose": ("1", "2", "3"),
}


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_of_every_library_give_the_same_dataset(make):
    data = tb.load(make(COLUMNS))
    assert {variable.name: variable.states for variable in data.schema} == STATES
    assert [variable.kind for variable in data.schema] == ["integer", "text", "boolean", "float"]
    assert data.codes.tolist() == [[0, 2, 1, 2], [2, 0, 2, 1], [1, 0, 1, 1], [0, 2, 1, 1]]
    assert {name: column.tolist() for name, column in data.to_dict().items()} == COLUMNS


@pytest.mark.core
@pytest.mark.parametrize(
    ("ending", "delimiter"), [(".csv", ","), (".csv", ";"), (".csv", "\t"), (".tsv", "\t")]
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_text_files_give_the_same_dataset_as_frames(tmp_path, ending, delimiter, pack):
    path = tmp_path / f"table{ending}{'.gz' if pack is gzip.compress else ''}"
    path.write_bytes(pack(pd.DataFrame(COLUMNS).to_csv(index=False, sep=delimiter).encode()))
    data = tb.load(path)
    assert np.array_equal(data.codes, tb.load(COLUMNS).codes)
    assert data.schema["dose"].states == ("1.0", "2.0", "3.0")
    assert {name: column.tolist() for name, column in data.to_dict().items()} == COLUMNS


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_values_come_back_and_encode_to_the_same_codes(backend):
    data = tb.load(COLUMNS)
    assert tb.load(data.to_frame(backend), schema=data.schema) == data


def test_schema_survives_json_and_pickling():
    data = tb.load(COLUMNS)
    assert tb.Schema.from_json(data.schema.to_json()) == data.schema
    copy = pickle.loads(pickle.dumps(data))
    assert copy == data
    assert not copy.codes.flags.writeable


def test_codes_are_contiguous_read_only_and_narrow():
    data = tb.load({"few": list(range(256)) * 2, "more": list(range(256)) * 2})
    assert data.codes.dtype == np.uint8
    assert data.codes.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        data.codes[0, 0] = 1
    wide = tb.load({"few": list(range(257)) * 2, "more": [1, 2] * 257}, max_states=300)
    assert wide.codes.dtype == np.uint16
    assert wide.to_dict()["few"].tolist() == list(range(257)) * 2


def test_import_of_the_package_stays_light():
    code = "import sys, treebound; print([m for m in ('numpy', 'narwhals') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_rows_are_taken_by_position_or_by_mask():
    data = tb.load(COLUMNS)
    assert data.take(np.array([3, 0])).codes.tolist() == data.codes[:, [3, 0]].tolist()
    assert data.take(np.array([True, False, False, True])) == data.take(np.array([0, 3]))
    assert data.take(np.array([])).num_rows == 0
    for wrong in (np.uint64(2**64 - 1), [1.5], ["x"], [[0]]):
        with pytest.raises(TypeError, match="positions or a mask"):
            data.take(wrong)
    for wrong in ([4], [-1], [2**63]):
        with pytest.raises(ValueError, match="positions from 0 to 3"):
            data.take(wrong)
    with pytest.raises(ValueError, match="must have 4 entries"):
        data.take(np.array([True]))
