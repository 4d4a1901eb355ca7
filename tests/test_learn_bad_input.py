"""Tables that EM cannot use: one clear sentence for each."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import treebound as tb

STEPS = tb.Budget(steps=5)
CHAIN = {"a": [], "b": ["a"]}
SCHEMA = tb.Schema([tb.Variable("a", ("x", "y")), tb.Variable("b", ("u", "v"))])
NOTHING = tb.Dataset(SCHEMA, [[0, 1], [-1, -1]])


def test_a_column_without_any_value_is_named_with_the_way_out() -> None:
    table = {"a": ["x", "y"] * 5, "b": [None] * 10}
    for act in (lambda: tb.learn(table, 1, missing="em"), lambda: tb.fit(CHAIN, table, missing="em")):
        with pytest.raises(tb.DataError, match=r"(?s)hidden=.*'b': all of its 10 rows are missing"):
            act()


def test_a_dataset_without_any_value_in_a_column_is_rejected_too() -> None:
    with pytest.raises(tb.DataError, match=r"(?s)hidden=.*'b': all of its 2 rows are missing"):
        tb.learn(NOTHING, 1, missing="em", budget=STEPS)


def test_rows_without_any_value_are_skipped_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    table = {"a": ["x", "y", None, "x", "y"] * 4, "b": ["u", "v", None, None, "v"] * 4}
    with caplog.at_level(logging.WARNING):
        result = tb.learn(table, 1, missing="em", budget=STEPS)
    assert result.network.num_rows == 16
    assert "4 of 20 rows have no observed value and are skipped" in caplog.text
    with caplog.at_level(logging.WARNING):
        hidden = tb.learn(table, 1, missing="em", budget=STEPS, hidden={"H": 2})
    assert hidden.network.num_rows == 16


def test_only_empty_rows_are_an_error() -> None:
    empty = tb.Dataset(SCHEMA, np.full((2, 3), -1))
    with pytest.raises(tb.DataError, match="all of its 3 rows are missing"):
        tb.learn(empty, 1, missing="em", budget=STEPS)


def test_no_rows_are_an_error() -> None:
    none = tb.Dataset(SCHEMA, np.zeros((2, 0), dtype=int))
    for act in (
        lambda: tb.learn(none, 1, missing="em", budget=STEPS),
        lambda: tb.learn(none, 1, hidden={"H": 2}, budget=STEPS),
        lambda: tb.fit(tb.Structure.from_parents(CHAIN, schema=SCHEMA), none, missing="em"),
    ):
        with pytest.raises(tb.DataError, match="at least one row is needed, got none"):
            act()


def test_no_rows_left_are_an_error() -> None:
    table = {"a": ["x", None] * 5, "b": [None, "u"] * 5}
    with pytest.raises(tb.DataError, match="only 0 of 10 rows have all values"):
        tb.learn(table, 1, missing="drop", budget=STEPS)


def test_rows_that_are_impossible_under_a_network_are_named() -> None:
    network = tb.BayesianNetwork.from_tables(
        {"a": {"x": 1.0, "y": 0.0}, "b": {"x": {"u": 0.5, "v": 0.5}, "y": {"u": 0.0, "v": 1.0}}},
        parents={"b": ["a"]},
    )
    with pytest.raises(tb.ImpossibleEvidence, match="row 2"):
        network.impute({"a": ["x", "y"], "b": [None, "v"]})
