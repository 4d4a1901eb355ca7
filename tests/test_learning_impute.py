"""Imputation in one call: strategies, several tables, and the command without a network."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treebound as tb
from treebound.learning import impute, refitted

STEPS = tb.Budget(steps=20)
TRUTH = tb.random_network(6, min_states=2, max_states=3, max_treewidth=2, seed=3)
COMPLETE = TRUTH.sample(400, 1).to_frame()
HOLES = np.random.default_rng(2).random(COMPLETE.shape) < 0.2
TABLE = COMPLETE.mask(HOLES)


def test_one_call_fills_in_every_cell_and_changes_no_other() -> None:
    filled = impute(TABLE, 2, budget=STEPS)
    assert isinstance(filled, pd.DataFrame)
    assert not filled.isna().any().any()
    assert (filled.to_numpy() == COMPLETE.to_numpy())[~HOLES].all()
    mode = TABLE.fillna(TABLE.mode().iloc[0]).to_numpy()
    right = (filled.to_numpy() == COMPLETE.to_numpy())[HOLES].mean()
    assert right >= (mode == COMPLETE.to_numpy())[HOLES].mean()


def test_it_is_what_learning_and_imputing_give() -> None:
    network = tb.learn(tb.load(TABLE, auto=True, missing="keep"), 2, budget=STEPS, missing="em").network
    pd.testing.assert_frame_equal(impute(TABLE, 2, budget=STEPS), network.impute(TABLE))
    drawn = impute(TABLE, 2, budget=STEPS, strategy="draw")
    pd.testing.assert_frame_equal(drawn, network.impute(TABLE, strategy="draw"))


def test_several_tables_differ_where_cells_are_missing_only() -> None:
    tables = impute(TABLE, 2, budget=STEPS, strategy="multiple", copies=3)
    assert len(tables) == 3
    cells = np.array([table.to_numpy() for table in tables])
    assert (cells == COMPLETE.to_numpy())[:, ~HOLES].all()
    assert (cells[0] != cells[1])[HOLES].any()
    again = impute(TABLE, 2, budget=STEPS, strategy="multiple", copies=3)
    assert all(one.equals(other) for one, other in zip(tables, again, strict=True))


def test_networks_of_several_tables_vary_as_rows_drawn_again_do() -> None:
    data = tb.load(TABLE, missing="keep")
    network = tb.fit(TRUTH.structure.parents, data, missing="em")
    drawn = np.array([one.flat_tables.tables for one in refitted(network, data, 12, seed=1)])
    spread = drawn.std(axis=0)
    root = next(v for v, parents in enumerate(network.parent_indices) if not parents)
    start = network.flat_tables.table_offsets[root]
    share = network.tables[root][0]
    expected = np.sqrt(share * (1 - share) / len(TABLE))
    assert 0.4 * expected < spread[start] < 2.5 * expected


def test_a_network_makes_several_tables_too() -> None:
    network = tb.fit(TRUTH.structure.parents, TABLE, missing="em")
    tables = network.impute(TABLE, strategy="multiple", copies=2, seed=4)
    assert tables[0].equals(network.impute(TABLE, strategy="draw", seed=4))
    assert tables[1].equals(network.impute(TABLE, strategy="draw", seed=5))
    case = network.impute({"X0": None, "X1": TRUTH.schema["X1"].states[0]}, strategy="multiple", copies=2)
    assert [set(one) for one in case] == [{"X0", "X1"}] * 2


def test_other_tables_and_bad_arguments() -> None:
    table = {"rain": ["no", "yes", None, "yes"] * 9, "wet": ["no", "yes", "yes", "yes"] * 9}
    assert impute(tb.load(table, missing="keep"), budget=STEPS)["rain"][2] == "yes"
    assert impute({"a": ["x", "y"] * 9, "b": ["u", "v"] * 9}, budget=STEPS)["a"][0] == "x"
    for wrong, message in (
        ({"strategy": "mean"}, "'most_probable', 'draw' or 'multiple', got 'mean'"),
        ({"strategy": "multiple", "copies": 0}, "copies"),
        ({"seed": -1}, "seed"),
    ):
        with pytest.raises(ValueError, match=message):
            impute(table, budget=STEPS, **wrong)


def test_the_imputer_returns_one_table() -> None:
    sklearn = pytest.importorskip("treebound.sklearn")
    with pytest.raises(ValueError, match="A transformer returns one table"):
        sklearn.TreeboundImputer(strategy="multiple", steps=5).fit(TABLE)


def test_the_command_learns_where_no_network_is_given(run, tmp_path: Path) -> None:
    source, output = tmp_path / "survey.csv", tmp_path / "complete.csv"
    TABLE.to_csv(source, index=False)
    code, out, err = run("impute", source, "-o", output, "-k", 2, "--steps", 20, "--json")
    assert code == 0, err
    assert json.loads(out)["filled"] == HOLES.sum()
    filled = pd.read_csv(output, dtype=str)
    assert not filled.isna().any().any()
    assert filled.equals(impute(source, 2, budget=STEPS).astype(str))
    several = ("--strategy", "multiple", "--copies", 2, "--steps", 20, "-k", 2)
    code, _, err = run("impute", source, "-o", output, *several)
    assert code == 0, err
    names = ["complete-1.csv", "complete-2.csv"]
    one, two = (pd.read_csv(tmp_path / name) for name in names)
    assert not one.equals(two)
    assert not two.isna().any().any()


def test_the_command_rejects_what_does_not_go_together(run, tmp_path: Path) -> None:
    network, source = tmp_path / "network.json", tmp_path / "survey.csv"
    tb.save_network(TRUTH, network)
    TABLE.to_csv(source, index=False)
    code, _, err = run("impute", network, source, "-o", tmp_path / "out.csv", "--time", 3)
    assert code == 2
    assert "apply without a network" in err
    code, _, err = run("impute", "-", "-o", tmp_path / "out.csv")
    assert code == 2
    assert "Standard input cannot be read twice" in err
    code, _, err = run("impute", network, source, "-o", tmp_path / "out.csv", "--strategy", "multiple")
    assert code == 0, err
    assert len(list(tmp_path.glob("out-*.csv"))) == 5
