"""Schemas and variables: looked up by name, and used again for later rows."""

import logging
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import treebound as tb

TABLE = {"age": [30, 40, 30], "colour": ["red", "blue", "red"], "is_old": [False, True, True]}


@pytest.fixture
def schema():
    return tb.load(TABLE).schema


def test_lookup_by_name_and_position(schema):
    assert schema.names == ("age", "colour", "is_old")
    assert schema.cardinalities == (2, 2, 2)
    assert len(schema) == 3
    assert schema["colour"] is schema[1]
    assert "colour" in schema
    assert "color" not in schema
    assert hash(schema) == hash(tb.Schema.from_json(schema.to_json()))
    with pytest.raises(tb.DataError, match="no variable 'color'; did you mean 'colour'"):
        schema["color"]


def test_schemas_are_checked_when_made():
    variable = tb.Variable("x", ("a", "b"))
    with pytest.raises(ValueError, match=r"more than once: \['x'\]"):
        tb.Schema((variable, variable))
    with pytest.raises(ValueError, match="at least one variable"):
        tb.Schema(())


@pytest.mark.parametrize(("fields", "message"), [
    ({"name": ""}, "name must not be empty"),
    ({"states": ()}, "expected 1 to 65536 states, got 0"),
    ({"states": ("a", "a")}, "states must differ"),
    ({"kind": "number"}, "kind must be one of text, integer"),
    ({"kind": "integer"}, "must read as different values"),
    ({"kind": "float", "states": ("1", "1.0")}, "must read as different values"),
    ({"kind": "integer", "states": ("1", "2.0")}, "must be written as integers"),
    ({"kind": "float", "states": ("1", "inf")}, "must be finite"),
    ({"kind": "boolean", "states": ("true", "no")}, "must read as different values"),
    ({"edges": (0, 1, 2)}, "edges belong to binned"),
    ({"kind": "binned"}, "edges belong to binned"),
    ({"kind": "binned", "edges": (0, 1)}, "2 bins need 3 ascending edges"),
    ({"kind": "binned", "edges": (0, 2, 1)}, "2 bins need 3 ascending edges"),
    ({"kind": "binned", "edges": (0, 0, 1)}, "2 bins need 3 ascending edges"),
    ({"kind": "binned", "edges": (0, 1, np.inf)}, "2 bins need 3 ascending edges"),
])  # fmt: skip
def test_variables_are_checked_when_made(fields, message):
    with pytest.raises(ValueError, match=message):
        tb.Variable(**({"name": "x", "states": ("a", "b")} | fields))


@pytest.mark.parametrize(("variable", "values", "codes"), [
    (tb.Variable("x", ("a", "1")), ["a", "1", 1, 1.0], [0, 1, 1, 1]),
    (tb.Variable("x", ("1", "3"), "integer"), [1, 3.0, "3", "3.0"], [0, 1, 1, 1]),
    (tb.Variable("x", ("1.0", "2.50"), "float"), [1, 2.5, "2.5", "2.50"], [0, 1, 1, 1]),
    (tb.Variable("x", ("false", "true"), "boolean"), [True, False, "True", "false"], [1, 0, 1, 0]),
    (tb.Variable("x", ("<2", ">=2"), "binned", edges=(0, 2, 4)), [1.5, 2, "1.5", ">=2"], [0, 1, 0, 1]),
])  # fmt: skip
def test_values_find_their_states_wherever_they_come_from(variable, values, codes):
    assert [variable.code(value) for value in values] == codes
    assert variable.find_all(values).tolist() == codes


@pytest.mark.parametrize(("variable", "value"), [
    (tb.Variable("x", ("01", "02")), "1"),
    (tb.Variable("x", ("1", "2"), "integer"), True),
    (tb.Variable("x", ("0", "1"), "integer"), 0.5),
    (tb.Variable("x", ("0", "1"), "integer"), " 1"),
    (tb.Variable("x", ("False", "True"), "boolean"), 1),
    (tb.Variable("x", ("<2", ">=2"), "binned", edges=(0, 2, 4)), "low"),
    (tb.Variable("x", ("<2", ">=2"), "binned", edges=(0, 2, 4)), True),
    (tb.Variable("x", ("<2", ">=2"), "binned", edges=(0, 2, 4)), np.inf),
])  # fmt: skip
def test_other_values_find_none(variable, value):
    assert variable.find_all([value]).tolist() == [-1]
    with pytest.raises(tb.DataError, match="is not one of its states"):
        variable.code(value)


def test_codes_of_unknown_labels_name_the_nearest():
    with pytest.raises(
        tb.DataError, match="'bleu' is not one of its states 'blue', 'red'; did you mean 'blue'"
    ):
        tb.Variable("x", ("blue", "red")).code("bleu")


def test_bins_belong_to_binned_variables():
    variable = tb.Variable("x", ("a", "b"))
    with pytest.raises(ValueError, match="'x' is not binned"):
        variable.bin([1.0])
    with pytest.raises(ValueError, match="'x' is not binned"):
        variable.draw_inside(np.array([0]), np.random.default_rng(0))


def test_later_rows_may_have_other_orders_types_and_columns(schema, caplog):
    later = pl.DataFrame({"more": [1], "is_old": [True], "colour": ["blue"], "age": [40.0]})
    with caplog.at_level(logging.INFO):
        data = tb.load(later, schema=schema)
    assert data.codes.tolist() == [[1], [0], [1]]
    assert data.schema is schema
    assert "are ignored: 'more'" in caplog.text


def test_unseen_values_come_in_one_error(schema):
    later = {"age": [30, 50, 60, 50], "colour": ["red", "red", "red", "pink"], "is_old": [True] * 4}
    with pytest.raises(tb.DataError) as caught:
        tb.load(later, schema=schema)
    assert [(problem.kind, problem.column) for problem in caught.value.problems] == [
        ("unseen", "age"),
        ("unseen", "colour"),
    ]
    assert "'age': 50 in row 2, 60 in row 3; the state nearest to 50 is '40'\n" in str(caught.value)
    assert "'colour': 'pink' in row 4" in str(caught.value)


def test_many_unseen_values_are_cut_short(schema):
    later = {**TABLE, "colour": ["a", "b", "c"], "age": [30, 30, 30]}
    with pytest.raises(tb.DataError, match=r"'a' in row 1, 'b' in row 2, 'c' in row 3$"):
        tb.load(later, schema=schema)
    long = {"age": [30] * 5, "colour": list("abcde"), "is_old": [True] * 5}
    with pytest.raises(tb.DataError, match="'c' in row 3 and 2 more"):
        tb.load(long, schema=schema)


def test_absent_columns_and_missing_values_come_in_one_error(schema):
    with pytest.raises(tb.DataError) as caught:
        tb.load({"ages": [30], "colour": [None]}, schema=schema)
    assert {(problem.kind, problem.column) for problem in caught.value.problems} == {
        ("absent", "age"),
        ("absent", "is_old"),
        ("missing", "colour"),
    }
    assert "'age': there is none; did you mean 'ages'?" in str(caught.value)


@pytest.mark.core
def test_a_file_and_a_frame_of_it_meet(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("size,dose,flag,zip\n1,1.0,true,01\n2,2.50,false,02\n2,1.0,true,01\n")
    data = tb.load(path, discretise={"dose": None})
    assert tb.load(path, schema=data.schema) == data
    frame = pd.read_csv(path, dtype={"zip": str})
    assert tb.load(frame, schema=data.schema) == data
    assert (
        tb.load(path, schema=tb.load(frame, discretise={"dose": None}).schema).codes.tolist()
        == data.codes.tolist()
    )


def test_datasets_are_checked_when_made(schema):
    with pytest.raises(ValueError, match="one row for each of the 3 variables"):
        tb.Dataset(schema, np.zeros((2, 5), dtype=np.uint8))
    with pytest.raises(ValueError, match="one row for each of the 3 variables"):
        tb.Dataset(schema, np.zeros((3, 5)))
    with pytest.raises(ValueError, match=r"'colour' must lie in 0 to 1 .*, got 0 to 2"):
        tb.Dataset(schema, np.array([[0, 1], [0, 2], [0, 1]], dtype=np.uint8))
    with pytest.raises(ValueError, match=r"'age' must lie in 0 to 1 .*, got -2 to 1"):
        tb.Dataset(schema, np.array([[-2, 1], [0, 1], [0, 1]]))


def test_datasets_do_not_change_with_the_array_they_were_made_from(schema):
    codes = np.zeros((3, 4), dtype=np.int64, order="F")
    data = tb.Dataset(schema, codes)
    codes[:] = 1
    assert data.codes.sum() == 0
    assert data.codes.flags.c_contiguous
    assert data.codes.dtype == np.uint8
    assert not data.codes.flags.writeable


def test_datasets_say_what_they_hold():
    data = tb.load({"x": [1, 2, 3], "y": ["a", "a", "a"]})
    assert repr(data) == "<Dataset: 3 rows, 2 variables of 1 to 3 states, 1 constant>"
    one = tb.Dataset(data.schema, data.codes[:, :1])
    assert repr(one).startswith("<Dataset: 1 row, 2 variables of 1 to 3 states")
    one = tb.load({"y": ["a", "a"]})
    assert repr(one) == "<Dataset: 2 rows, 1 variable of 1 state, 1 constant>"
    assert repr(replace(data, drawn_with=1)).endswith("1 constant; to_frame() gives the rows>")
    assert (data.num_rows, data.num_variables) == (3, 2)
    assert data.column("x").tolist() == [0, 1, 2]
    assert data != tb.load({"x": [1, 3, 2], "y": ["a", "a", "a"]})
    assert data != 3


def test_frames_need_no_other_library(monkeypatch):
    for module in ("pandas", "polars", "pyarrow"):
        monkeypatch.setitem(sys.modules, module, None)
    assert tb.load(TABLE, schema=tb.load(TABLE).schema).num_rows == 3


def test_numbers_are_found_among_labels_that_are_intervals():
    wage = tb.Variable("wage", ("<2", "[2, 5.5)", ">=5.5"))
    assert wage.find_all(["1", 2, 5.4, "5.5", "[2, 5.5)", "x", True]).tolist() == [0, 1, 1, 2, 1, -1, -1]
    for states in (("<2", "[3, 5)", ">=5"), ("<2", ">=1"), ("<b", ">=b"), ("<2", "other", ">=2")):
        assert tb.Variable("wage", states).find_all(["1", 2]).tolist() == [-1, -1]
