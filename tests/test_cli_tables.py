"""Tables on the command line: the same options for every verb, and errors that name what helps there."""

import json

import pytest

import treebound as tb
from treebound.cli._table_options import _rules
from treebound.data import Discretise

pytestmark = pytest.mark.core

ROWS = "".join(f"{i},{20 + i % 30},{i / 7:.2f},{'?' if i % 10 == 0 else 'ab'[i % 2]}\n" for i in range(60))


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("id,age,dose,group\n" + ROWS)
    (tmp_path / "g.csv").write_text("age,group\n" + "".join(f"{i % 3},{'ab'[i % 2]}\n" for i in range(60)))
    return tmp_path


def test_learn_tells_what_was_done_and_later_verbs_do_the_same(run, here):
    words = ("learn", "t.csv", "-k", 1, "-o", "n.json", "--steps", 2, "--auto")
    code, _, err = run(*words)
    assert code == 0, err
    assert "counts the rows" in err
    assert "5 bins by quantile" in err
    assert "6 of 60 rows have missing values and are used by EM." in err
    schema = tb.load_network("n.json").schema
    assert schema.names == ("age", "dose", "group")
    assert schema.preparation == tb.load("t.csv", auto=True, missing="keep").schema.preparation
    assert tb.load_structure("n.json").schema.preparation == schema.preparation
    # The marker ? is known from then on, and the rows are those that were learned from.
    assert run("predict", "n.json", "t.csv", "-t", "group", "-o", "p.csv")[0] == 0
    assert run("check", "n.json", "--table", "t.csv")[0] == 0
    assert run("fit", "n.json", "t.csv", "-o", "m.json", "--missing", "keep")[0] == 0
    code, out, _ = run(*words, "--json")
    assert json.loads(out)["compared_with"] == ["observed cells", "EM"]
    assert run(*words, "--missing", "drop", "--json")[0] == 0
    assert tb.load_structure("n.json").schema.preparation.rows_dropped == 6


def test_bins_by_column(run, here):
    options = (
        "--bins",
        "median",
        "--bins",
        "age=3",
        "--bins",
        "dose=width:4",
        "--drop",
        "id",
        "--na-values",
        "-",
    )
    code, _, err = run("learn", "t.csv", "-k", 1, "-o", "s.json", "--steps", 1, *options)
    assert code == 0, err
    schema = tb.load_structure("s.json").schema
    assert schema.cardinalities == (3, 4, 3)
    rules = {"age": 3, "dose": "width:4", None: "median"}
    assert schema == tb.load("t.csv", discretise=rules, drop=["id"], na_values=["-"]).schema
    for wrong, words in (
        (("--bins", "=3"), "--bins must read RULE or NAME=RULE, got '=3'."),
        (("--bins", "3", "--bins", "4"), "--bins must be given once for all columns"),
        (("--bins", "age=x"), "discretise must be one of quantile"),
    ):
        code, _, err = run("score", "t.csv", "-o", "c.tbc", *wrong)
        assert code == 2
        assert words in " ".join(err.replace("│", " ").split())


def test_max_states_is_an_option(run, here):
    (here / "wide.csv").write_text("a,b\n" + "".join(f"{i % 300},{i % 2}\n" for i in range(600)))
    code, _, err = run("learn", "wide.csv", "-k", 1, "-o", "s.json", "--steps", 1)
    assert code == 1
    assert "'a': 300 distinct values, more than 256" in err
    assert "--max-states N" in err
    words = ("learn", "wide.csv", "-k", 1, "-o", "s.json", "--steps", 1, "--max-states", 300)
    assert run(*words)[0] == 0
    assert tb.load_structure("s.json").schema["a"].cardinality == 300


def test_errors_recommend_only_what_the_verb_can_do(run, here):
    learn = run("learn", "t.csv", "-k", 1, "-o", "s.json")[2]
    assert "bin them with --bins quantile, or take every distinct number as a state" in learn
    assert "load(" not in learn
    (here / "s.modelstring").write_text("[age][group][dose|age][id]")
    fit = run("fit", "s.modelstring", "t.csv", "-o", "n.json")[2]
    assert "non-integer numbers:\n  'dose': holds 0.14, first in row 2 (line 3)" in fit
    assert "--bins" not in fit
    (here / "gap.csv").write_text("age,group\n1,\n,b\n")
    run("learn", "g.csv", "-k", 1, "-o", "n.json", "--steps", 1)
    assert "--missing", "keep" in run("fit", "n.json", "gap.csv", "-o", "n2.json")[2]
    (here / "new.csv").write_text("age,group\n1,zz\n")
    assert "take them for missing with --unseen missing" in run("evaluate", "n.json", "new.csv")[2]
    assert "--unseen" not in run("fit", "n.json", "new.csv", "-o", "n2.json")[2]
    (here / "latin.csv").write_bytes("name,b\ncafé,1\nthé,2\n".encode("latin-1"))
    for verb in (
        ("inspect", "latin.csv"),
        ("score", "latin.csv", "-o", "c.tbc"),
        ("evaluate", "n.json", "latin.csv"),
    ):
        told = run(*verb)[2]
        assert "byte 0xe9 in line 2, column 4 is not utf-8" in told
        assert "--encoding latin-1" in told
    assert run("inspect", "latin.csv", "--encoding", "latin-1")[0] == 0


def test_reading_options(run, here):
    (here / "odd.csv").write_text("1,5|x \n2,5| y\n1,5|x\n2,5|x\n")
    options = ("--no-header", "--delimiter", "|", "--decimal", ",", "--strip", "--bins", "median")
    code, out, _ = run("inspect", "odd.csv", *options, "--json")
    assert code == 0
    found = json.loads(out)
    assert [column["name"] for column in found["columns"]] == ["v0", "v1"]
    assert [column["num_states"] for column in found["columns"]] == [2, 2]
    code, _, err = run("inspect", "odd.csv", "--decimal", ";")
    assert code == 1
    assert "decimal must be '.' or ','" in err


def test_inspect_shows_and_advises(run, here):
    code, out, _ = run("inspect", "t.csv")
    assert code == 0
    assert "group: '?' may stand for a missing value; --na-values '?'" in out
    assert "dose: non-integer numbers; --bins dose=quantile" in out
    assert "add the options above, or try --auto" in out
    code, out, _ = run("inspect", "t.csv", "--auto")
    assert "cannot be used as it is" not in out
    assert "note: kept 6 rows with missing values, of 60; missing: 'group' in 6." in out
    assert "treebound learn uses rows with missing values by EM." in out
    code, out, _ = run("inspect", "t.csv", "--auto", "--missing", "drop")
    assert "note: dropped 6 rows with missing values, of 60; missing: 'group' in 6." in out
    assert "EM" not in out
    code, out, _ = run("inspect", "t.csv", "--auto", "--missing-state", "group")
    assert "rows with missing values" not in out
    found = json.loads(run("inspect", "t.csv", "--json")[1])
    assert found["usable"] is False
    assert found["rows"] == 60


def test_networks_in_other_encodings_and_names_with_blanks(run, here):
    text = (
        "network n {}\nvariable Größe { type discrete [ 2 ] { a, b }; }\n"
        "probability ( Größe ) { table 0.5, 0.5; }\n"
    )
    (here / "n.bif").write_bytes(text.encode("latin-1"))
    code, _, err = run("query", "n.bif", "-t", "Größe")
    assert code == 1
    assert "line 2: expected text in UTF-8, got the byte 0xf6" in err
    assert "treebound convert --encoding latin-1" in err
    assert run("convert", "n.bif", "n.json", "--encoding", "latin-1")[0] == 0
    assert tb.load_network("n.json").schema.names == ("Größe",)
    assert tb.load_network("n.bif", encoding="latin-1").schema.names == ("Größe",)
    blank = "network n {}\nvariable My Name {\n type discrete [ 2 ] { a, b };\n}\n"
    (here / "b.bif").write_text(blank)
    with pytest.raises(
        tb.NetworkFileError, match=r"line 2: .*which needs quotes around whitespace, got 'Name'"
    ):
        tb.load_network("b.bif")
    (here / "b.bif").write_text(blank.replace("My Name", "N").replace("a, b", "a, very bad"))
    with pytest.raises(
        tb.NetworkFileError, match=r"line 3: expected 2 states, got 3; a state with whitespace"
    ):
        tb.load_network("b.bif")


def test_rows_that_are_rounded_are_rescaled_everywhere():
    schema = tb.Schema((tb.Variable("x", ("a", "b")),))
    network = tb.BayesianNetwork.from_indices(schema, ((),), ([0.3333, 0.6666],))
    assert network.tables[0].sum() == pytest.approx(1, abs=1e-12)
    assert network.tables[0][0] == pytest.approx(0.3333 / 0.9999)
    with pytest.raises(ValueError, match=r"must sum to 1 .*, got 0.97"):
        tb.BayesianNetwork.from_indices(schema, ((),), ([0.3, 0.67],))


@pytest.mark.parametrize(
    ("word", "name", "rule"),
    [
        ("supervised:a=b", None, Discretise("supervised", target="a=b")),
        ("n=supervised:a=b", "n", Discretise("supervised", target="a=b")),
        ("n=supervised:a=5", "n", Discretise("supervised", target="a=5")),
        ("x=y=supervised:a", "x=y", Discretise("supervised", target="a")),
        ("x=y=quantile:4", "x=y", Discretise("quantile", 4)),
        ("age=edges:18,30.5", "age", Discretise("edges", edges=(18, 30.5))),
        ("unsupervised:=3", "unsupervised:", Discretise("quantile", 3)),
    ],
)
def test_names_and_targets_of_bins_may_hold_the_equals_sign(word, name, rule):
    assert _rules([word]) == {name: rule}


@pytest.mark.parametrize("options", [[], ["--auto"], ["--auto", "--missing", "drop"], ["--missing", "em"]])
def test_inspect_reports_the_rows_that_learn_uses(run, here, options):
    rows = [
        "a,b,c",
        *(f"{'xy'[i % 2]},{'uvw'[i % 3]},{'?' if i % 3 == 1 else 's'}" for i in range(30)),
        "x,u,t",
    ]
    (here / "holes.csv").write_text("\n".join(rows) + "\n")
    marked = ["holes.csv", "--na-values", "?", *options]
    found = json.loads(run("inspect", *marked, "--json")[1])
    code, _, err = run("learn", *marked, "-k", 1, "--steps", 3, "-o", "n.json")
    assert found["usable"] == (code == 0)
    assert (f"{found['incomplete']} of 31 rows have missing values and are used by EM" in err) == bool(
        found["incomplete"]
    )
    assert bool(found["incomplete"]) == (options in (["--auto"], ["--missing", "em"]))
