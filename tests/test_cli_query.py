"""``treebound query``: evidence, interventions and numbers as a user writes them."""

from __future__ import annotations

import json

import pytest

import treebound as tb
from rain import NETWORK

pytestmark = pytest.mark.core


def test_probabilities_are_shown_as_bars(run, rain_files):
    code, out, err = run("query", "net.json", "-t", "rain", "-t", "spray", "-e", "wet=yes")
    assert (code, err) == (0, "")
    p = NETWORK.posterior("rain", {"wet": "yes"})
    assert "rain given wet=yes" in out
    line = next(line for line in out.splitlines() if line.strip().startswith("yes"))
    assert f"{p['yes']:.4f}" in line
    assert line.count("█") == int(24 * p["yes"])
    assert "spray given wet=yes" in out


def test_json_has_everything_that_was_asked(run, rain_files):
    code, out, _ = run("query", "net.json", "-t", "rain", "--mpe", "-e", "wet=yes:0.9,no:0.2", "--json")
    report = json.loads(out)
    soft = {"wet": {"yes": 0.9, "no": 0.2}}
    assert code == 0
    assert report["evidence"] == soft
    assert report["posteriors"]["rain"] == pytest.approx(NETWORK.posterior("rain", soft).to_dict())
    assert report["most_probable"] == NETWORK.most_probable(soft).assignment
    assert report["log_probability"] == pytest.approx(NETWORK.log_probability(soft))


def test_the_most_probable_state_is_listed(run, rain_files):
    code, out, _ = run("query", "net.json", "--mpe", "-e", "wet=no")
    assert code == 0
    cells = [line.strip("│").replace("│", " ").split() for line in out.splitlines() if line.startswith("│")]
    assert cells == [
        ["rain", "no"],
        ["spray", "off"],
        ["wet", "no"],
    ]


def test_labels_with_signs_are_labels_first(run, rain_files):
    tb.save_network(tb.fit({"a": [], "b": ["a"]}, {"a": ["x:1", "y=2"], "b": ["u", "v"]}), "odd.json")
    code, out, _ = run("query", "odd.json", "-t", "b", "-e", "a=x:1", "--json")
    assert (code, json.loads(out)["evidence"]) == (0, {"a": "x:1"})
    assert json.loads(run("query", "odd.json", "-t", "b", "-e", "a=y=2", "--json")[1])["evidence"] == {
        "a": "y=2"
    }


@pytest.mark.parametrize(
    ("typed", "meant"), [("n>=2", "n=2.."), ("n > 2.5", "n=2.5.."), ("n<=2", "n=..2"), ("n<2", "n=..2")]
)
def test_comparisons_are_pointed_to_ranges(run, rain_files, typed, meant):
    data = tb.load({"n": [1.5, 2.5, 3.5], "a": ["x", "y", "y"]}, discretise={"n": 3})
    tb.save_network(tb.fit({"n": [], "a": ["n"]}, data), "binned.json")
    code, _, err = run("query", "binned.json", "-t", "a", "-e", typed)
    assert code == 2
    assert f"'{meant}'" in " ".join(err.replace("\u2502", " ").split())
    assert run("query", "binned.json", "-t", "a", "-e", meant)[0] == 0


def test_unknown_names_are_those_of_a_network(run, rain_files):
    code, _, err = run("query", "net.json", "-t", "rain", "-e", "wett=yes")
    assert (code, err) == (1, "treebound: the network: there is no variable 'wett'; did you mean 'wet'?\n")


def test_a_dropped_column_is_named_with_the_reason(run, rain_files):
    rows = {"key": [f"K{i}" for i in range(60)], "a": ["x", "y"] * 30, "b": ["u", "u", "v"] * 20}
    data = tb.load(rows, auto=True)
    tb.save_network(tb.fit({"a": [], "b": ["a"]}, data), "auto.json")
    for asked in (("-t", "b", "-e", "key=K1"), ("-t", "key")):
        code, _, err = run("query", "auto.json", *asked)
        assert code == 1
        assert "here is no variable 'key'; its column was dropped (all rows differ)" in err


def test_names_and_labels_may_hold_the_signs_of_evidence(run, rain_files):
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


def test_a_query_after_an_intervention(run, rain_files):
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


def test_an_intervention_names_arcs_whose_direction_is_a_guess(run, rain_files):
    words = ("query", "net.json", "-t", "wet", "--do", "spray=on")
    told = json.loads(run(*words, "--json")[1])
    assert told["uncertain_arcs"] == [["rain", "spray"], ["spray", "wet"]]
    assert run(*words)[2].splitlines() == [
        f"note: the arc {arc} could point the other way with the same score; "
        "this result depends on its direction."
        for arc in ("rain -> spray", "spray -> wet")
    ]
    assert run(*words, "--quiet")[2] == run("query", "net.json", "-t", "wet", "-e", "spray=on")[2] == ""


def test_evidence_below_an_intervention_counts_for_its_uncertain_arcs(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = {name: [0, 1, 1] for name in "abcd"}
    tb.save_network(tb.fit({"a": [], "b": ["a"], "d": [], "c": ["b", "d"]}, rows), "net.json")
    words = ("query", "net.json", "-t", "d", "--do", "a=1", "--json")
    assert json.loads(run(*words)[1])["uncertain_arcs"] == []
    assert json.loads(run(*words, "-e", "c=1")[1])["uncertain_arcs"] == [["a", "b"]]


@pytest.fixture
def wages(rain_files):
    rows = "".join(f"{i}000,5;{'no' if i < 50 else 'yes'}\n" for i in range(1, 101))
    (rain_files / "wages.csv").write_text("wage;home\n" + rows)
    data = tb.load(rain_files / "wages.csv", decimal=",", discretise="quantile:4")
    tb.save_network(tb.fit({"wage": [], "home": ["wage"]}, data), rain_files / "wages.json")


def test_evidence_has_the_decimal_comma_of_the_table(run, wages):
    words = ("query", "wages.json", "-t", "home", "-e")
    code, out, err = run(*words, "wage=90000,5")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "home given wage=90000,5 (in >=76000)"
    assert json.loads(run(*words, "wage=90000,5", "--json")[1])["evidence"] == {"wage": "90000.5"}
    code, _, err = run(*words, "wage=50.000")
    assert code == 2
    assert "Write 50000 or 50,000" in " ".join(err.replace("│", " ").split())
    note = "note: wage = 900000 is outside the range of the training data, 1000.5 to 100000.5.\n"
    assert run(*words, "wage=900000")[2] == note


def test_numbers_find_the_intervals_that_a_bif_file_names(run, wages):
    assert run("convert", "wages.json", "wages.bif")[0] == 0
    code, out, _ = run("query", "wages.bif", "-t", "home", "-e", "wage=60000")
    assert (code, out.splitlines()[0]) == (0, "home given wage=60000 (in [51000, 76000))")


def test_evidence_is_explained(run, rain_files):
    words = ("query", "net.json", "-t", "rain", "-e", "wet=yes", "-e", "spray=on", "--explain")
    why = NETWORK.explain("rain", {"wet": "yes", "spray": "on"})
    code, out, _ = run(*words)
    assert code == 0
    assert str(why).splitlines()[0] in out
    assert all(f"{share:+.4f}" in out for share in why.contributions.values())
    report = json.loads(run(*words, "--json")[1])["explanations"]["rain"]
    assert report["state"] == why.most_probable
    assert report["contributions"] == pytest.approx(why.contributions)
    total = report["without_evidence"] + sum(report["contributions"].values())
    assert total == pytest.approx(max(why.posterior))
    for lacking in (words[:4], ("query", "net.json", "--mpe", "-e", "wet=yes")):
        code, _, err = run(*lacking, "--explain")
        assert (code, "--explain needs a variable" in err) == (2, True)


@pytest.mark.parametrize("name", ["RAIN", "Rain ", " rain", "rian"])
def test_a_name_in_another_case_or_with_whitespace_names_the_variable(run, rain_files, name):
    code, _, err = run("query", "net.json", "-t", name)
    assert (code, "did you mean 'rain'?" in err) == (1, True)
