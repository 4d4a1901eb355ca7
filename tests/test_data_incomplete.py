"""Datasets with missing cells and weights: one value, one type of codes, one message."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb

TABLE = {"a": ["x", None, "y", "x"], "n": [1, 2, None, 2]}
DATA = tb.load(TABLE, missing="keep")


def test_missing_cells_are_minus_one():
    assert DATA.codes.tolist() == [[0, -1, 1, 0], [0, 1, -1, 1]]
    assert DATA.codes.dtype == np.int32
    assert not DATA.codes.flags.writeable
    assert not DATA.is_complete
    assert "2 missing cells" in repr(DATA)
    assert "weights" not in repr(DATA)


def test_complete_rows_have_compact_codes():
    complete = DATA.complete()
    assert complete.is_complete
    assert complete.codes.tolist() == [[0, 0], [0, 1]]
    assert complete.codes.dtype == np.uint8
    assert complete.complete() is complete
    assert complete.codes.tolist() == tb.load(TABLE, missing="drop").codes.tolist()


@given(
    cells=st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 2)), min_size=1, max_size=12),
    weighted=st.booleans(),
)
def test_laws_of_rows(cells, weighted):
    schema = tb.Schema([tb.Variable("a", ("0", "1")), tb.Variable("b", ("0", "1", "2"))])
    codes = np.array(cells).T
    weights = np.arange(1, len(cells) + 1) / 2 if weighted else None
    data = tb.Dataset(schema, codes, weights)
    is_known = (codes >= 0).all(axis=0)
    assert data.is_complete == bool(is_known.all())
    assert data.codes.tolist() == codes.tolist()
    assert data.total_weight == (len(cells) if weights is None else weights.sum())
    assert pickle.loads(pickle.dumps(data)) == data
    complete = data.complete()
    assert complete.codes.tolist() == codes[:, is_known].tolist()
    assert complete.total_weight == (is_known.sum() if weights is None else weights[is_known].sum())
    again = tb.load(data.to_frame("polars"), schema=schema, missing="keep", weights=weights)
    assert again == data
    assert (data == tb.Dataset(schema, codes)) == (not weighted)


def test_values_of_missing_cells():
    frame = DATA.to_frame()
    assert frame["a"].tolist()[0::2] == ["x", "y"]
    assert frame["a"].isna().tolist() == [False, True, False, False]
    np.testing.assert_array_equal(DATA.to_dict()["n"], [1, 2, np.nan, 2])


def test_weights_follow_the_rows():
    data = tb.load(TABLE, missing="drop", weights=[1.0, 2.0, 3.0, 4.5])
    assert data.weights.tolist() == [1.0, 4.5]
    assert not data.weights.flags.writeable
    assert tb.load(data, schema=data.schema).weights is data.weights
    assert tb.load(data, schema=tb.Schema(data.schema.variables[:1])).weights.tolist() == [
        1,
        4.5,
    ]
    assert "total weight 5.5" in repr(data)


def test_hidden_variables_are_columns_without_any_value():
    hidden = tb.Variable("class", ("one", "two"))
    schema = tb.Schema((*DATA.schema, hidden))
    with pytest.raises(tb.DataError, match="'class': there is none"):
        tb.load(TABLE, schema=schema, missing="keep")
    data = tb.load(TABLE, schema=schema, missing="keep", on_absent="ignore")
    assert data.codes[2].tolist() == [-1] * 4
    with pytest.warns(tb.tables.AbsentColumnWarning, match="'class'"):
        assert tb.load(TABLE, schema=schema, missing="keep", on_absent="warn") == data


NEEDS = "needs complete rows; 2 of 4 rows have missing values, e.g. column 'a'"


@pytest.mark.parametrize(
    "count",
    [
        lambda data: tb.score(data),
        lambda data: tb.learn(data, 1, budget=tb.Budget(steps=1)),
        lambda data: tb.fit({"a": [], "n": []}, data),
        lambda data: tb.structure.score_structure({"a": [], "n": []}, data),
        lambda data: tb.check(tb.Structure.from_parents({"a": [], "n": []}), data=data),
        lambda data: tb.resampling.arc_strength(data, 1),
    ],
    ids=["score", "learn", "fit", "score_structure", "check", "arc_strength"],
)
def test_stages_that_need_complete_rows_say_so_in_one_way(count):
    with pytest.raises(tb.DataError, match=NEEDS) as caught:
        count(DATA)
    assert "drop the rows that have some with missing='drop'" in str(caught.value)


@pytest.mark.parametrize("count", [lambda data: tb.score(data), lambda data: tb.learn(data, 1)])
def test_scores_count_each_row_once(count):
    with pytest.raises(
        ValueError, match=r"counts each row once, but the rows have weights. Drop the weights."
    ):
        count(tb.load({"a": ["x", "y"]}, weights=[1.0, 2.0]))


def test_how_a_table_was_read_is_part_of_its_schema():
    dropped, plain = tb.load(TABLE, missing="drop"), tb.load({"a": ["x", "x"], "n": [1, 2]})
    assert dropped.schema.preparation.reading.missing == "drop"
    assert dropped.schema != DATA.schema
    assert dropped.schema.variables == DATA.schema.variables
    assert tb.load(TABLE, schema=dropped.schema) == dropped
    with pytest.raises(tb.DataError, match="missing values"):
        tb.load({"a": ["x", None], "n": [1, 2]}, schema=plain.schema)
    assert tb.Schema.from_json(dropped.schema.to_json()) == dropped.schema


def test_queries_of_a_dataset_with_missing_cells_are_those_of_the_table():
    network = tb.fit({"a": [], "n": ["a"]}, DATA, missing="drop")
    np.testing.assert_array_equal(network.score_samples(DATA), network.score_samples(pd.DataFrame(TABLE)))
    filled = network.most_probable_rows(DATA)
    assert filled.is_complete
    assert filled.codes[DATA.codes >= 0].tolist() == DATA.codes[DATA.codes >= 0].tolist()
