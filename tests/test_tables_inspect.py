"""``inspect``: the facts about each column, what looks odd, and that it foretells what ``load`` does."""

import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from reference import data as reference
from strategies_data import typed_tables


@given(table=typed_tables(), rule=st.sampled_from([None, "quantile:3"]), auto=st.booleans())
def test_inspection_foretells_what_load_does(table, rule, auto):
    found = tb.inspect(table, discretise=rule, auto=auto)
    assert [column.name for column in found.columns] == list(table)
    for column in found.columns:
        values = table[column.name]
        if not auto:  # which may read some of the values as missing
            assert column.entropy == pytest.approx(reference.entropy(values), abs=1e-9)
            assert column.num_values == len(set(values))
    json.dumps(found.to_dict(), allow_nan=False)
    if all(column.becomes == "dropped" for column in found.columns):
        return
    if not found.is_usable:
        with pytest.raises(tb.DataError):
            tb.load(table, discretise=rule, auto=auto)
        return
    schema = tb.load(table, discretise=rule, auto=auto).schema
    used = {column.name: column for column in found.columns if column.becomes != "dropped"}
    assert tuple(used) == schema.names
    for variable in schema:
        assert used[variable.name].num_states == variable.cardinality
        assert (used[variable.name].becomes == "binned") == (variable.kind == "binned")


@given(
    one=st.lists(st.sampled_from("abc"), min_size=3, max_size=8),
    other=st.lists(st.integers(0, 3), min_size=8, max_size=8),
)
def test_columns_that_tell_each_other_are_copies(one, other):
    other = other[: len(one)]
    found = tb.inspect({"x": one, "y": other})
    is_copy = any(suspect.kind == "copy" for suspect in found["y"].suspects)
    all_differ = len(set(one)) == len(one)
    expected = reference.same_up_to_names(one, other) and len(set(one)) > 1 and not all_differ
    assert is_copy == expected


def test_numbers_that_all_differ_are_no_copies():
    found = tb.inspect({"x": [i + 0.5 for i in range(30)], "y": [30.5 - i * i for i in range(30)]})
    assert not found["y"].suspects or found["y"].suspects[0].kind != "copy"


def suspects(table, name, **options):
    return {suspect.kind: suspect for suspect in tb.inspect(table, **options)[name].suspects}


def test_what_is_odd_is_named_with_what_mends_it():
    n = 40
    table = {
        "key": [f"k{i}" for i in range(n)],
        "my id": [i * i for i in range(n)],
        "ages": [20 + i % 30 for i in range(n)],
        "marked": ["a", "b", "N/A", "?"] * 10,
        "numbers": ["1", "2", "5", "more"] * 10,
        "text": ["1", "20", "3", "4.5"] * 10,
        "blank": [" a", "b"] * 20,
        "comma": ["1,5", "2,25", "3", "4"] * 10,
        "real": [i / 7 for i in range(n)],
        "gap": [None, 1, 2, 2] * 10,
    }
    assert suspects(table, "key")["identifier"].option == "--drop key"
    assert suspects(table, "my id")["identifier"].option == "--drop 'my id'"
    assert suspects(table, "ages")["many numbers"].option == "--bins ages=quantile"
    assert suspects(table, "marked")["marks"].python == "na_values=['?', 'N/A']"
    assert suspects(table, "marked")["marks"].option == "--na-values '?' --na-values N/A"
    assert suspects(table, "numbers")["one text"].message == "numbers except 'more'"
    assert suspects(table, "text")["text"].python == "discretise={'text': 'quantile'}"
    assert suspects(table, "blank")["blanks"].option == "--strip"
    assert suspects(table, "comma")["decimal"].option == "--decimal ,"
    assert suspects(table, "real")["float"].option == "--bins real=quantile"
    assert suspects(table, "gap")["missing"].option == "--missing drop"
    # What is advised mends what it is advised for.
    assert "ages" in tb.load(table, discretise={"ages": "quantile"}, only=["ages"]).schema
    assert not suspects(table, "comma", decimal=",").get("decimal")
    assert not suspects(table, "blank", strip=True)
    assert not suspects(table, "marked", na_values=["?", "N/A"], missing="drop").get("marks")


def test_the_table_reads_well():
    frame = pd.DataFrame({"name": ["a", "b", "a"], "dose": [0.5, 1.5, None]})
    text = str(tb.inspect(frame))
    assert text.splitlines() == [
        "the table: 3 rows",
        "column  kind   values  missing  entropy (bits)  becomes",
        "name    text        2                     0.92  kept: 2 states",
        "dose    float       2        1            1.00  rejected: missing values; non-integer numbers",
        "column  what is odd          fix",
        "dose    missing values       load(..., missing='drop')",
        "dose    non-integer numbers  load(..., discretise={'dose': 'quantile'})",
    ]
    assert not tb.inspect(frame).is_usable
    assert tb.inspect(frame, discretise="median", missing="drop").is_usable
    with pytest.raises(KeyError):
        tb.inspect(frame)["nobody"]


@pytest.mark.core
def test_a_first_line_that_looks_like_a_row_is_suspected(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("5.1,3\n4.9,3\n4.9,2\n")
    (suspect,) = tb.inspect(path, discretise="median").suspects
    assert (suspect.python, suspect.option) == ("header=False", "--no-header")
    words = "(first line)  columns of numbers are called by numbers  load(..., header=False)"
    assert words in str(tb.inspect(path))
    assert not tb.inspect(path, header=False).suspects
    path.write_text("0,1\n4.9,3\n4.9,2\n")
    assert not tb.inspect(path).suspects


def test_a_decimal_comma_is_seen_beside_marks_of_missing_values():
    table = {"wage": [f"{i},5" for i in range(300)] + ["?"] * 3}
    found = suspects(table, "wage")
    assert set(found) >= {"marks", "decimal"}
    assert "identifier" not in found
    done = tb.load(table | {"job": ["a", "b", "c"] * 101}, auto=True).schema.preparation
    assert done.reading.decimal == ","


def test_advice_names_the_call_that_can_follow_it():
    found = tb.inspect({"key": [f"k{i}" for i in range(300)]})
    assert "load(..., drop=['key'])" in str(found)
    with pytest.raises(TypeError, match="no option 'sep'; did you mean 'delimiter'"):
        tb.load("any.csv", sep=";")


def test_numbers_that_are_written_as_text_are_not_to_be_dropped():
    numbers = [1000 + 7 * i for i in range(300)]
    table = {
        "price": [f"{number:,}" for number in numbers],
        "marked": ["?", *map(str, numbers[1:])],
        "both": ["?", *(f"{number:,}" for number in numbers[1:])],
        "name": [f"N{number}" for number in numbers],
    }
    for name in ("price", "marked", "both"):
        assert "identifier" not in suspects(table, name), name
    assert suspects(table, "name")["identifier"].option == "--drop name"
    data = tb.load(table, auto=True)
    assert {variable.kind for variable in data.schema} == {"binned"}
