"""The verbs about rows: those that draw, evaluate, predict and fill in."""

from __future__ import annotations

import cProfile
import json
import pstats

import numpy as np
import pandas as pd
import pytest

import treebound as tb
from rain import GRAPH, NETWORK, TABLE, rows_of

pytestmark = pytest.mark.core


def test_marks_of_missing_values_are_named(run, rain_files):
    (rain_files / "marked.csv").write_text("rain,spray,wet\nyes,off,yes\nno,?,yes\nno,on,-\nno,on,no\n")
    marks = ["--na-values", "?", "--na-values", "-"]
    rows = tb.load("marked.csv", schema=NETWORK.schema, missing="keep", na_values=["?", "-"])
    logs = NETWORK.junction_tree.log_likelihood_rows(rows)
    out = run("evaluate", "net.json", "marked.csv", "--json", *marks)[1]
    assert json.loads(out)["log_likelihood"] == pytest.approx(logs.sum())
    out = run("predict", "net.json", "marked.csv", "-t", "wet", "-o", "p.csv", *marks)[1]
    assert "on the 3 rows with a known value" in out
    assert run("impute", "net.json", "marked.csv", "-o", "full.csv", *marks)[1].endswith(
        "2 cells filled in\n"
    )
    assert not {"?", "-", ""} & {cell for row in rows_of("full.csv") for cell in row}
    assert run("fit", "graph.json", "marked.csv", "-o", "n.json", "-q", "--missing", "keep", *marks) == (
        0,
        "",
        "",
    )
    assert tb.load_network("n.json").schema.variables == NETWORK.schema.variables
    for verb in (["learn", "-k", 1, "--steps", 2], ["score", "--steps", 5]):
        code, _, err = run(
            verb[0], "marked.csv", "-o", "x.tbc" if verb[0] == "score" else "x.json", *verb[1:], *marks
        )
        assert code == 1
        assert "missing values" in err


def test_unknown_values_count_as_missing_if_asked(run, rain_files):
    (rain_files / "strange.csv").write_text("rain,wet\nyes,flooded\nno,yes\n")
    logs = NETWORK.score_samples("strange.csv", unseen="missing", on_absent="ignore")
    words = ["net.json", "strange.csv", "--unseen", "missing"]
    assert json.loads(run("evaluate", *words, "--json")[1])["log_likelihood"] == pytest.approx(logs.sum())
    assert run("predict", *words, "-t", "wet", "-o", "p.csv")[0] == 0
    assert run("impute", *words, "-o", "full.csv")[0] == 0
    assert run("evaluate", "net.json", "strange.csv")[0] == 1


def test_rows_are_drawn(run, rain_files):
    assert run("sample", "net.json", "-n", 50, "-o", "rows.csv", "--seed", 3) == (
        0,
        "rows.csv: 50 rows of 3 variables\n",
        "",
    )
    assert tb.load("rows.csv", schema=NETWORK.schema) == NETWORK.sample(50, 3)
    assert run("sample", "net.json", "-n", 50, "-o", "rows.csv", "-e", "rain=yes", "-q") == (0, "", "")
    assert {row[0] for row in rows_of("rows.csv")[1:]} == {"yes"}


@pytest.mark.parametrize("where", [[], ["-o", "-"]])
def test_rows_are_printed(run, rain_files, where):
    assert run("sample", "net.json", "-n", 50, "-o", "rows.csv", "--seed", 3)[0] == 0
    written = (rain_files / "rows.csv").read_text()
    assert run("sample", "net.json", "-n", 50, "--seed", 3, *where) == (0, written, "")
    assert not (rain_files / "-").exists()


def test_printed_rows_hold_numbers_for_bins(run, rain_files):
    data = tb.load({"x": np.arange(40) / 3, "y": ["a", "b"] * 20}, discretise="quantile")
    tb.save_network(tb.fit({"x": [], "y": ["x"]}, data), "bins.json")
    head, *rows = run("sample", "bins.json", "-n", 9)[1].splitlines()
    assert head == "x,y"
    assert all(0 <= float(row.split(",")[0]) <= 13 for row in rows)
    labels = run("sample", "bins.json", "-n", 9, "--labels")[1]
    assert any(state in labels for state in data.schema["x"].states)
    code, _, error = run("sample", "bins.json", "-n", 9, "--json")
    assert code == 2
    assert "--json needs an output file; add --output." in error


def test_tables_are_evaluated(run, rain_files):
    code, out, _ = run("evaluate", "net.json", "cases.csv", "--json", "-o", "logs.csv")
    logs = NETWORK.score_samples("cases.csv", on_absent="ignore")
    report = json.loads(out)
    assert code == 0
    assert report["rows"] == 3
    assert report["impossible_rows"] == 0
    assert report["mean_log_likelihood"] == pytest.approx(logs.mean())
    assert [float(row[0]) for row in rows_of("logs.csv")[1:]] == pytest.approx(logs.tolist())
    assert f"{logs.sum():,.4f}" in run("evaluate", "net.json", "cases.csv")[1]


def test_impossible_rows_are_counted_apart(run, rain_files):
    tb.save_network(tb.fit(GRAPH, TABLE, smoothing=tb.MaximumLikelihood()), "sharp.json")
    (rain_files / "strange.csv").write_text("rain,wet\nyes,no\nyes,yes\n")
    report = json.loads(run("evaluate", "sharp.json", "strange.csv", "--json")[1])
    assert (report["rows"], report["impossible_rows"]) == (2, 1)
    assert report["log_likelihood"] == pytest.approx(np.log(1 / 3))
    assert "impossible rows" in run("evaluate", "sharp.json", "strange.csv")[1]
    code, _, err = run("predict", "sharp.json", "strange.csv", "-t", "spray", "-o", "p.csv")
    assert code == 1
    assert err == (
        "treebound: row 1: the observed values have probability 0 under this network. "
        "Pass impossible='nan' to get NaN or missing values, or fit the network with a prior.\n"
    )
    words = ["sharp.json", "strange.csv", "-o", "p.csv", "--impossible", "nan", "--json"]
    code, out, _ = run("predict", "-t", "spray", *words)
    assert (code, json.loads(out)["impossible_rows"]) == (0, 1)
    assert rows_of("p.csv")[1] == ["", "", ""]
    assert all(rows_of("p.csv")[2])


def test_impossible_rows_keep_their_gaps_if_asked_to(run, rain_files):
    tb.save_network(tb.fit(GRAPH, TABLE, smoothing=tb.MaximumLikelihood()), "sharp.json")
    (rain_files / "strange.csv").write_text("rain,spray,wet\nyes,,no\nyes,,yes\n")
    words = ["impute", "sharp.json", "strange.csv", "-o", "full.csv"]
    assert run(*words)[0] == 1
    assert not (rain_files / "full.csv").exists()
    code, out, _ = run(*words, "--impossible", "nan", "--json")
    assert (code, json.loads(out)["impossible_rows"], json.loads(out)["filled"]) == (0, 1, 1)
    assert [row[1] == "" for row in rows_of("full.csv")[1:]] == [True, False]


def test_columns_are_predicted(run, rain_files):
    code, out, _ = run("predict", "net.json", "cases.csv", "-t", "rain", "-o", "predicted.csv")
    assert (code, out) == (0, "predicted.csv: 3 predictions of rain\n")
    header, *rows = rows_of("predicted.csv")
    assert header == ["rain", "P(no)", "P(yes)"]
    assert [row[0] for row in rows] == NETWORK.predict("cases.csv", "rain").tolist()
    code, out, _ = run("predict", "net.json", "table.csv", "-t", "wet", "-o", "predicted.parquet")
    right = (NETWORK.predict(TABLE, "wet") == np.array(TABLE["wet"])).mean()
    measured = f"accuracy {right:.2%} on the 6 rows with a known value"
    assert out == f"predicted.parquet: 6 predictions of wet, {measured}\n"
    assert pd.read_parquet("predicted.parquet")["wet"].tolist() == NETWORK.predict(TABLE, "wet").tolist()


def test_a_table_to_predict_is_encoded_once(run, rain_files):
    profile = cProfile.Profile()
    profile.runcall(run, "predict", "net.json", "table.csv", "-t", "wet", "-o", "predicted.csv")
    calls = [
        told[0]
        for (path, _, name), told in pstats.Stats(profile).stats.items()
        if name == "encode" and path.endswith("_encode.py")
    ]
    assert calls == [1]


def test_cells_are_filled_in(run, rain_files):
    code, out, _ = run("impute", "net.json", "cases.csv", "-o", "complete.csv")
    assert (code, out) == (0, "complete.csv: 3 rows, 2 cells filled in\n")
    header, *rows = rows_of("complete.csv")
    assert header == ["spray", "wet", "remark"]
    assert rows[0] == ["on", "yes", "a"]
    assert [rows[1][1:], rows[2][0]] == [["no", "b"], "off"]
    assert all(cell for row in rows for cell in row)
    code, out, _ = run("impute", "net.json", "cases.csv", "-o", "drawn.csv", "--strategy", "draw", "--json")
    expected = {"paths": ["drawn.csv"], "rows": 3, "impossible_rows": 0, "filled": 2, "strategy": "draw"}
    assert json.loads(out) == expected


def test_text_files_hold_labels_and_can_be_read_again(run, rain_files):
    (rain_files / "whole.csv").write_text("a,b\n" + "true,1\nfalse,2\n" * 10)
    (rain_files / "lacking.csv").write_text("a,b\n,1\nfalse,\n")
    tb.save_network(tb.fit({"a": [], "b": ["a"]}, rain_files / "whole.csv"), rain_files / "flags.json")
    assert run("impute", "flags.json", "lacking.csv", "-o", "full.csv")[0] == 0
    assert (rain_files / "full.csv").read_text() == "a,b\ntrue,1\nfalse,2\n"
    assert run("impute", "flags.json", "lacking.csv", "-o", "full.parquet")[0] == 0
    assert pd.read_parquet("full.parquet").to_dict("list") == {"a": ["true", "false"], "b": ["1", "2"]}
    assert run("predict", "flags.json", "full.csv", "-t", "a", "-o", "predicted.csv")[0] == 0
    assert [row[0] for row in rows_of("predicted.csv")] == ["a", "true", "false"]
    assert run("predict", "flags.json", "full.csv", "-t", "a", "-o", "predicted.parquet")[0] == 0
    assert pd.read_parquet("predicted.parquet")["a"].tolist() == ["true", "false"]


def test_a_table_that_says_little_is_told(run, rain_files):
    (rain_files / "few.csv").write_text("spray,remark\noff,a\nup,b\n,c\n")
    code, _, err = run("evaluate", "net.json", "few.csv", "--unseen", "missing")
    assert code == 0
    assert err.splitlines() == [
        "note: 2 of 3 columns are absent: 'rain', 'wet'.",
        "note: values that the network does not know, taken for missing: 1.",
    ]
    words = ("net.json", "few.csv", "-t", "rain", "-o", "p.csv", "--unseen", "missing")
    told = json.loads(run("predict", *words, "--json")[1])
    assert (told["absent_columns"], told["unseen_values"]) == (["wet"], 1)
    assert "1 of 3 columns is absent: 'wet'." in run("predict", *words)[2]
    (rain_files / "few.csv").write_text("spray,rain\nup,yes\n,no\n")
    code, _, err = run("predict", *words)
    assert (code, "no cell is known" in err) == (0, True)
