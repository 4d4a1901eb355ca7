"""The verbs that make networks and ask them, as a user meets them."""

from __future__ import annotations

import cProfile
import csv
import json
import pstats

import numpy as np
import pandas as pd
import pytest

import treebound as tb

pytestmark = pytest.mark.core


@pytest.fixture(autouse=True)
def _in_an_empty_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("TERMINAL_WIDTH", "200")
    monkeypatch.chdir(tmp_path)


GRAPH = {"rain": [], "spray": ["rain"], "wet": ["rain", "spray"]}
TABLE = {
    "rain": ["yes", "yes", "no", "no", "no", "no"],
    "spray": ["off", "off", "on", "off", "off", "on"],
    "wet": ["yes", "yes", "yes", "no", "no", "no"],
}
NETWORK = tb.fit(GRAPH, TABLE)
CASES = "spray,wet,remark\non,yes,a\n,no,b\noff,,c\n"


@pytest.fixture
def files(run, tmp_path):
    tb.save_structure(tb.Structure.from_parents(GRAPH), tmp_path / "graph.json")
    tb.save_network(NETWORK, tmp_path / "net.json")
    pd.DataFrame(TABLE).to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "cases.csv").write_text(CASES)
    return tmp_path


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def test_a_structure_is_fitted(run, files):
    assert run("fit", "graph.json", "table.csv", "-o", "new.json") == (
        0,
        "new.json: 3 variables, 3 arcs, 7 parameters\n",
        "",
    )
    assert tb.load_network("new.json") == NETWORK
    code, out, _ = run("fit", "graph.json", "table.csv", "-o", "new.bif", "--smoothing", "none", "--json")
    assert (code, json.loads(out)["parameters"]) == (0, 7)
    exact = tb.fit(GRAPH, TABLE, smoothing=tb.MaximumLikelihood())
    for mine, theirs in zip(tb.load_network("new.bif").tables, exact.tables, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "smoothing"),
    [
        (["--smoothing", "pseudo-count"], tb.PseudoCount()),
        (["--smoothing", "bdeu", "--weight", 5], tb.BdeuPrior(5)),
        (["--smoothing", "backoff", "--weight", 2], tb.BackoffPrior(2)),
        (["--weight", 3], tb.PseudoCount(3)),
    ],
)
def test_priors_are_named_and_weighed(run, files, options, smoothing):
    assert run("fit", "graph.json", "table.csv", "-o", "new.json", "-q", *options) == (0, "", "")
    assert tb.load_network("new.json") == tb.fit(GRAPH, TABLE, smoothing=smoothing)


def test_rows_that_lack_values_are_left_out_only_if_asked(run, files):
    (files / "holes.csv").write_text("rain,spray,wet\nyes,off,yes\nno,,yes\nno,on,no\n")
    code, _, err = run("fit", "graph.json", "holes.csv", "-o", "new.json")
    assert code == 1
    assert "'spray': 1 of 3 rows" in err
    assert run("fit", "graph.json", "holes.csv", "-o", "new.json", "--skip-missing", "-q")[0] == 0


def test_probabilities_are_shown_as_bars(run, files):
    code, out, err = run("query", "net.json", "-t", "rain", "-t", "spray", "-e", "wet=yes")
    assert (code, err) == (0, "")
    p = NETWORK.posterior("rain", {"wet": "yes"})
    assert "rain given wet=yes" in out
    line = next(line for line in out.splitlines() if line.strip().startswith("yes"))
    assert f"{p['yes']:.4f}" in line
    assert line.count("█") == round(40 * p["yes"])
    assert "spray given wet=yes" in out


def test_json_has_everything_that_was_asked(run, files):
    code, out, _ = run("query", "net.json", "-t", "rain", "--mpe", "-e", "wet=yes:0.9,no:0.2", "--json")
    report = json.loads(out)
    soft = {"wet": {"yes": 0.9, "no": 0.2}}
    assert code == 0
    assert report["evidence"] == soft
    assert report["posteriors"]["rain"] == pytest.approx(NETWORK.posterior("rain", soft).to_dict())
    assert report["most_probable"] == NETWORK.most_probable(soft).assignment
    assert report["log_probability"] == pytest.approx(NETWORK.log_probability(soft))


def test_the_most_probable_state_is_listed(run, files):
    code, out, _ = run("query", "net.json", "--mpe", "-e", "wet=no")
    assert code == 0
    assert [line.split() for line in out.splitlines()[1:]] == [
        ["rain", "no"],
        ["spray", "off"],
        ["wet", "no"],
    ]


def test_labels_with_signs_are_labels_first(run, files):
    tb.save_network(tb.fit({"a": [], "b": ["a"]}, {"a": ["x:1", "y=2"], "b": ["u", "v"]}), "odd.json")
    code, out, _ = run("query", "odd.json", "-t", "b", "-e", "a=x:1", "--json")
    assert (code, json.loads(out)["evidence"]) == (0, {"a": "x:1"})
    assert json.loads(run("query", "odd.json", "-t", "b", "-e", "a=y=2", "--json")[1])["evidence"] == {
        "a": "y=2"
    }


def test_names_and_labels_may_hold_the_signs_of_evidence(run, files):
    rows = {"a=b": ["x", "y", "y"], "a": ["0", "1", "1"], "n": [1.5, 2.5, 3.5]}
    data = tb.load(rows, discretise={"n": 3})
    low, middle, _ = data.schema["n"].states
    tb.save_network(tb.fit({"a=b": [], "a": ["a=b"], "n": ["a"]}, data), "odd.json")
    words = ["-e", "a=b=y", "-e", "a=1", "-e", f"n={middle}:1,{low}:0.5"]
    assert json.loads(run("query", "odd.json", "-t", "a", "--json", *words)[1])["evidence"] == {
        "a=b": "y",
        "a": "1",
        "n": {middle: 1.0, low: 0.5},
    }


def test_marks_of_missing_values_are_named(run, files):
    (files / "marked.csv").write_text("rain,spray,wet\nyes,off,yes\nno,?,yes\nno,on,-\nno,on,no\n")
    marks = ["--na-values", "?", "--na-values", "-"]
    codes = tb.encode_rows("marked.csv", NETWORK.schema, na_values=["?", "-"])
    logs = NETWORK.junction_tree.log_likelihood_rows(codes)
    out = run("evaluate", "net.json", "marked.csv", "--json", *marks)[1]
    assert json.loads(out)["log_likelihood"] == pytest.approx(logs.sum())
    out = run("predict", "net.json", "marked.csv", "-t", "wet", "-o", "p.csv", *marks)[1]
    assert "right of the 3 rows that have one" in out
    assert run("impute", "net.json", "marked.csv", "-o", "full.csv", *marks)[1].endswith(
        "2 cells filled in\n"
    )
    assert not {"?", "-", ""} & {cell for row in rows_of("full.csv") for cell in row}
    assert run("fit", "graph.json", "marked.csv", "-o", "n.json", "-q", "--skip-missing", *marks) == (
        0,
        "",
        "",
    )
    assert tb.load_network("n.json").schema == NETWORK.schema
    for verb in (["learn", "-k", 1, "--steps", 2], ["score", "--steps", 5]):
        code, _, err = run(
            verb[0], "marked.csv", "-o", "x.tbc" if verb[0] == "score" else "x.json", *verb[1:], *marks
        )
        assert code == 1
        assert "missing values" in err


def test_unknown_values_count_as_missing_if_asked(run, files):
    (files / "strange.csv").write_text("rain,wet\nyes,flooded\nno,yes\n")
    logs = NETWORK.score_samples("strange.csv", unseen="missing")
    words = ["net.json", "strange.csv", "--unseen", "missing"]
    assert json.loads(run("evaluate", *words, "--json")[1])["log_likelihood"] == pytest.approx(logs.sum())
    assert run("predict", *words, "-t", "wet", "-o", "p.csv")[0] == 0
    assert run("impute", *words, "-o", "full.csv")[0] == 0
    assert run("evaluate", "net.json", "strange.csv")[0] == 1


def test_only_formats_that_can_be_written_are_offered(run, files):
    for verb in ("fit", "learn"):
        out = run(verb, "--help")[1]
        assert ".xdsl" in out
        assert ".dsc" not in out
    with pytest.raises(tb.NetworkFileError, match=r"expected a file that ends in .*\.xdsl\.$"):
        tb.save_network(NETWORK, "x.foo")


def test_rows_are_drawn(run, files):
    assert run("sample", "net.json", "-n", 50, "-o", "rows.csv", "--seed", 3) == (
        0,
        "rows.csv: 50 rows of 3 variables\n",
        "",
    )
    assert NETWORK.schema.encode("rows.csv") == NETWORK.sample(50, 3)
    assert run("sample", "net.json", "-n", 50, "-o", "rows.csv", "-e", "rain=yes", "-q") == (0, "", "")
    assert {row[0] for row in rows_of("rows.csv")[1:]} == {"yes"}


@pytest.mark.parametrize("where", [[], ["-o", "-"]])
def test_rows_are_printed(run, files, where):
    assert run("sample", "net.json", "-n", 50, "-o", "rows.csv", "--seed", 3)[0] == 0
    written = (files / "rows.csv").read_text()
    assert run("sample", "net.json", "-n", 50, "--seed", 3, *where) == (0, written, "")
    assert not (files / "-").exists()


def test_printed_rows_hold_numbers_for_bins(run, files):
    data = tb.load({"x": np.arange(40) / 3, "y": ["a", "b"] * 20}, discretise="quantile")
    tb.save_network(tb.fit({"x": [], "y": ["x"]}, data), "bins.json")
    head, *rows = run("sample", "bins.json", "-n", 9)[1].splitlines()
    assert head == "x,y"
    assert all(0 <= float(row.split(",")[0]) <= 13 for row in rows)
    labels = run("sample", "bins.json", "-n", 9, "--labels")[1]
    assert any(state in labels for state in data.schema["x"].states)
    code, _, error = run("sample", "bins.json", "-n", 9, "--json")
    assert code == 2
    assert "--json tells about a file; name one with --output." in error


def test_tables_are_evaluated(run, files):
    code, out, _ = run("evaluate", "net.json", "cases.csv", "--json", "-o", "logs.csv")
    logs = NETWORK.score_samples("cases.csv")
    report = json.loads(out)
    assert code == 0
    assert report["rows"] == 3
    assert report["impossible_rows"] == 0
    assert report["mean_log_likelihood"] == pytest.approx(logs.mean())
    assert [float(row[0]) for row in rows_of("logs.csv")[1:]] == pytest.approx(logs.tolist())
    assert f"{logs.sum():,.4f}" in run("evaluate", "net.json", "cases.csv")[1]


def test_impossible_rows_are_counted_apart(run, files):
    tb.save_network(tb.fit(GRAPH, TABLE, smoothing=tb.MaximumLikelihood()), "sharp.json")
    (files / "strange.csv").write_text("rain,wet\nyes,no\nyes,yes\n")
    report = json.loads(run("evaluate", "sharp.json", "strange.csv", "--json")[1])
    assert (report["rows"], report["impossible_rows"]) == (2, 1)
    assert report["log_likelihood"] == pytest.approx(np.log(1 / 3))
    assert "impossible rows" in run("evaluate", "sharp.json", "strange.csv")[1]
    code, _, err = run("predict", "sharp.json", "strange.csv", "-t", "spray", "-o", "p.csv")
    assert code == 1
    assert err == (
        "treebound: row 1: the known cells have probability zero together, so nothing follows from them. "
        "impossible='nan' leaves such rows without an answer; a smoothed network has one.\n"
    )
    words = ["sharp.json", "strange.csv", "-o", "p.csv", "--impossible", "nan", "--json"]
    code, out, _ = run("predict", "-t", "spray", *words)
    assert (code, json.loads(out)["impossible_rows"]) == (0, 1)
    assert rows_of("p.csv")[1] == ["", "", ""]
    assert all(rows_of("p.csv")[2])


def test_impossible_rows_keep_their_gaps_if_asked_to(run, files):
    tb.save_network(tb.fit(GRAPH, TABLE, smoothing=tb.MaximumLikelihood()), "sharp.json")
    (files / "strange.csv").write_text("rain,spray,wet\nyes,,no\nyes,,yes\n")
    words = ["impute", "sharp.json", "strange.csv", "-o", "full.csv"]
    assert run(*words)[0] == 1
    assert not (files / "full.csv").exists()
    code, out, _ = run(*words, "--impossible", "nan", "--json")
    assert (code, json.loads(out)["impossible_rows"], json.loads(out)["filled"]) == (0, 1, 1)
    assert [row[1] == "" for row in rows_of("full.csv")[1:]] == [True, False]


def test_columns_are_predicted(run, files):
    code, out, _ = run("predict", "net.json", "cases.csv", "-t", "rain", "-o", "predicted.csv")
    assert (code, out) == (0, "predicted.csv: 3 predictions of rain\n")
    header, *rows = rows_of("predicted.csv")
    assert header == ["rain", "P(no)", "P(yes)"]
    assert [row[0] for row in rows] == NETWORK.predict("cases.csv", "rain").tolist()
    code, out, _ = run("predict", "net.json", "table.csv", "-t", "wet", "-o", "predicted.parquet")
    right = (NETWORK.predict(TABLE, "wet") == np.array(TABLE["wet"])).mean()
    assert out == f"predicted.parquet: 6 predictions of wet, {right:.2%} right of the 6 rows that have one\n"
    assert pd.read_parquet("predicted.parquet")["wet"].tolist() == NETWORK.predict(TABLE, "wet").tolist()


def test_a_table_to_predict_is_encoded_once(run, files):
    profile = cProfile.Profile()
    profile.runcall(run, "predict", "net.json", "table.csv", "-t", "wet", "-o", "predicted.csv")
    calls = [told[0] for (_, _, name), told in pstats.Stats(profile).stats.items() if name == "encode_opened"]
    assert calls == [1]


def test_cells_are_filled_in(run, files):
    code, out, _ = run("impute", "net.json", "cases.csv", "-o", "complete.csv")
    assert (code, out) == (0, "complete.csv: 3 rows, 2 cells filled in\n")
    header, *rows = rows_of("complete.csv")
    assert header == ["spray", "wet", "remark"]
    assert rows[0] == ["on", "yes", "a"]
    assert [rows[1][1:], rows[2][0]] == [["no", "b"], "off"]
    assert all(cell for row in rows for cell in row)
    code, out, _ = run("impute", "net.json", "cases.csv", "-o", "drawn.csv", "--strategy", "draw", "--json")
    expected = {"path": "drawn.csv", "rows": 3, "impossible_rows": 0, "filled": 2, "strategy": "draw"}
    assert json.loads(out) == expected


def test_text_files_hold_labels_and_can_be_read_again(run, files):
    (files / "whole.csv").write_text("a,b\n" + "true,1\nfalse,2\n" * 10)
    (files / "lacking.csv").write_text("a,b\n,1\nfalse,\n")
    tb.save_network(tb.fit({"a": [], "b": ["a"]}, files / "whole.csv"), files / "flags.json")
    assert run("impute", "flags.json", "lacking.csv", "-o", "full.csv")[0] == 0
    assert (files / "full.csv").read_text() == "a,b\ntrue,1\nfalse,2\n"
    assert run("impute", "flags.json", "lacking.csv", "-o", "full.parquet")[0] == 0
    assert pd.read_parquet("full.parquet").to_dict("list") == {"a": ["true", "false"], "b": ["1", "2"]}
    assert run("predict", "flags.json", "full.csv", "-t", "a", "-o", "predicted.csv")[0] == 0
    assert [row[0] for row in rows_of("predicted.csv")] == ["a", "true", "false"]
    assert run("predict", "flags.json", "full.csv", "-t", "a", "-o", "predicted.parquet")[0] == 0
    assert pd.read_parquet("predicted.parquet")["a"].tolist() == [True, False]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["query", "net.json", "-t", "rane"], "treebound: There is no variable 'rane'; did you mean 'rain'?"),
        (["query", "net.json", "-t", "rain", "-e", "wett=yes"], "no variable 'wett'; did you mean 'wet'?"),
        (["query", "net.json", "-t", "rain", "-e", "wet=yess"],
         "'yess' is not one of its states 'no', 'yes'; did you mean"),
        (["query", "nett.json", "-t", "rain"], "no file nett.json. Files with similar names: net.json"),
        (["fit", "grape.json", "table.csv", "-o", "x.json"],
         "no file grape.json. Files with similar names: graph.json"),
        (["query", "list.json", "-t", "rain"], "list.json: expected a JSON object, got [1, 2]."),
        (["evaluate", "net.json", "none.csv"], "there is no file none.csv"),
        (["evaluate", "net.json", "other.csv"],
         "other.csv: none of its columns is a known variable, got 'rane'"),
        (["predict", "net.json", "cases.csv", "-t", "rane", "-o", "x.csv"],
         "no variable 'rane'; did you mean"),
        (["impute", "net.json", "bad.csv", "-o", "x.csv"], "'yess' in row 1 (line 2); did you mean 'yes'?"),
    ],
)  # fmt: skip
def test_bad_questions_exit_with_one_and_a_sentence(run, files, words, message):
    (files / "other.csv").write_text("rane\nyes\n")
    (files / "bad.csv").write_text("wet\nyess\n")
    (files / "list.json").write_text("[1, 2]")
    code, out, err = run(*words)
    assert (code, out) == (1, "")
    assert message in err
    assert not (files / "x.csv").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["query", "net.json", "-t", "rain", "-e", "wet"], "evidence must read NAME=STATE, got 'wet'."),
        (["query", "net.json", "-t", "rain", "-e", "wet=yes:x"], "STATE:NUMBER, got 'yes:x' in 'wet=yes:x'."),
        (["query", "net.json", "-t", "rain", "-e", "wet=yes:1,"], "got 'yes:1,' in 'wet=yes:1,'."),
        (["query", "net.json", "-t", "rain", "-e", "wet=yes", "-e", "wet=no"],
         "must be given once, got it again in 'wet=no'."),
        (["learn", "table.csv", "-k", "1", "-o", "a.json", "--bins", "foo"],
         "must be one of quantile, median, width, mdl, supervised, got 'foo'."),
        (["fit", "graph.json", "table.csv", "-o", "x.dsc"], "files of this kind are read only."),
        (["query", "net.json"], "name a variable with --target, or ask for --mpe."),
        (["fit", "graph.json", "table.csv", "-o", "x.txt"], "expected a file that ends in"),
        (["fit", "graph.json", "table.csv", "-o", "x.json", "--smoothing", "none", "--weight", "2"],
         "--weight does not apply to --smoothing none."),
        (["fit", "graph.json", "table.csv", "-o", "x.json", "--weight", "-1"], "alpha must be positive"),
        (["sample", "net.json", "-n", "5", "-o", "x.txt"], "expected a file that ends in"),
        (["predict", "net.json", "cases.csv", "-t", "wet", "-o", "nowhere/x.csv"], "no folder nowhere"),
        (["learn", "scores.jkl", "-k", "1", "-o", "a.bif"], "a cache has no rows to fit tables to"),
        (["learn", "table.csv", "-k", "1", "-o", "a.dsc"], "expected a file that ends in .json, .bif"),
    ],
)  # fmt: skip
def test_misuse_is_told_before_any_work(run, files, words, message):
    code, _, err = run(*words)
    assert code == (1 if "no folder" in message else 2)
    assert message in " ".join(err.replace("│", " ").split())


def test_a_query_after_an_intervention(run, files):
    code, out, _ = run("query", "net.json", "-t", "rain", "--do", "spray=on", "-e", "wet=yes", "--json")
    told = json.loads(out)
    assert (code, told["do"]) == (0, {"spray": "on"})
    expected = NETWORK.do({"spray": "on"}).posterior("rain", {"wet": "yes"})
    assert told["posteriors"]["rain"] == pytest.approx(expected.to_dict())
    assert (
        "rain given do(spray=on), wet=yes"
        in run("query", "net.json", "-t", "rain", "--do", "spray=on", "-e", "wet=yes")[1]
    )
    assert run("query", "net.json", "-t", "rain", "--do", "spray")[0] == 2
    assert "once" in run("query", "net.json", "-t", "rain", "--do", "spray=on", "--do", "spray=off")[2]
    assert run("query", "net.json", "-t", "rain", "--do", "spray=maybe")[0] == 1


def test_an_intervention_names_arcs_whose_direction_is_a_guess(run, files):
    words = ("query", "net.json", "-t", "wet", "--do", "spray=on")
    told = json.loads(run(*words, "--json")[1])
    assert told["uncertain_arcs"] == [["rain", "spray"], ["spray", "wet"]]
    assert run(*words)[2].splitlines() == [
        f"note: the arc {arc} could point the other way with the same score; "
        "this answer depends on its direction."
        for arc in ("rain -> spray", "spray -> wet")
    ]
    assert run(*words, "--quiet")[2] == run("query", "net.json", "-t", "wet", "-e", "spray=on")[2] == ""


def test_a_table_that_says_little_is_told(run, files):
    (files / "few.csv").write_text("spray,remark\noff,a\nup,b\n,c\n")
    code, _, err = run("evaluate", "net.json", "few.csv", "--unseen", "missing")
    assert code == 0
    assert err.splitlines() == [
        "note: 2 of 3 columns are absent: rain, wet.",
        "note: values that the network does not know, taken for missing: 1.",
    ]
    words = ("net.json", "few.csv", "-t", "rain", "-o", "p.csv", "--unseen", "missing")
    told = json.loads(run("predict", *words, "--json")[1])
    assert (told["absent_columns"], told["unseen_values"]) == (["wet"], 1)
    assert "1 of 3 columns are absent: wet." in run("predict", *words)[2]
    (files / "few.csv").write_text("spray,rain\nup,yes\n,no\n")
    code, _, err = run("predict", *words)
    assert (code, "none of its cells is known" in err) == (1, True)


@pytest.fixture
def wages(run, tmp_path):
    rows = "".join(f"{i}000,5;{'no' if i < 50 else 'yes'}\n" for i in range(1, 101))
    (tmp_path / "wages.csv").write_text("wage;home\n" + rows)
    data = tb.load(tmp_path / "wages.csv", decimal=",", discretise="quantile:4")
    tb.save_network(tb.fit({"wage": [], "home": ["wage"]}, data), tmp_path / "wages.json")


def test_evidence_has_the_decimal_comma_of_the_table(run, wages):
    words = ("query", "wages.json", "-t", "home", "-e")
    code, out, err = run(*words, "wage=90000,5")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "home given wage=90000,5 (in >=76000)"
    assert json.loads(run(*words, "wage=90000,5", "--json")[1])["evidence"] == {"wage": "90000.5"}
    code, _, err = run(*words, "wage=50.000")
    assert code == 2
    assert "write 50000 or 50,000" in " ".join(err.replace("│", " ").split())
    note = "note: wage = 900000 is beyond the numbers seen, 1000.5 to 100000.5.\n"
    assert run(*words, "wage=900000")[2] == note


def test_numbers_find_the_intervals_that_a_bif_file_names(run, wages):
    assert run("convert", "wages.json", "wages.bif")[0] == 0
    code, out, _ = run("query", "wages.bif", "-t", "home", "-e", "wage=60000")
    assert (code, out.splitlines()[0]) == (0, "home given wage=60000 (in [51000, 76000))")
