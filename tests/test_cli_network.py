"""The verb that fits networks, and what all verbs about networks refuse, as a user meets them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import treebound as tb
from rain import GRAPH, NETWORK, TABLE

pytestmark = pytest.mark.core


def test_a_structure_is_fitted(run, rain_files):
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
def test_priors_are_named_and_weighed(run, rain_files, options, smoothing):
    assert run("fit", "graph.json", "table.csv", "-o", "new.json", "-q", *options) == (0, "", "")
    assert tb.load_network("new.json") == tb.fit(GRAPH, TABLE, smoothing=smoothing)


def test_rows_that_lack_values_are_left_out_only_if_asked(run, rain_files):
    (rain_files / "holes.csv").write_text("rain,spray,wet\nyes,off,yes\nno,,yes\nno,on,no\n")
    code, _, err = run("fit", "graph.json", "holes.csv", "-o", "new.json")
    assert code == 1
    assert "1 of 3 rows has missing values, e.g. column 'spray'" in err
    assert run("fit", "graph.json", "holes.csv", "-o", "new.json", "--missing", "keep", "-q")[0] == 0


def test_only_formats_that_can_be_written_are_offered(run, rain_files):
    for verb in ("fit", "learn"):
        out = run(verb, "--help")[1]
        assert ".xdsl" in out
        assert ".dsc" not in out
    with pytest.raises(tb.NetworkFileError, match=r"expected a file that ends in .*\.xdsl\.$"):
        tb.save_network(NETWORK, "x.foo")


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
def test_bad_questions_exit_with_one_and_a_sentence(run, rain_files, words, message):
    (rain_files / "other.csv").write_text("rane\nyes\n")
    (rain_files / "bad.csv").write_text("wet\nyess\n")
    (rain_files / "list.json").write_text("[1, 2]")
    code, out, err = run(*words)
    assert (code, out) == (1, "")
    assert message in err
    assert not (rain_files / "x.csv").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["query", "net.json", "-t", "rain", "-e", "wet"], "evidence must read NAME=STATE, got 'wet'."),
        (["query", "net.json", "-t", "rain", "-e", "wet=yes:x"], "STATE:NUMBER,STATE:NUMBER, got 'yes:x'."),
        (["query", "net.json", "-t", "rain", "-e", "wet=yes:1,"], "STATE:NUMBER,STATE:NUMBER, got 'yes:1,'."),
        (["query", "net.json", "-t", "rain", "-e", "wet=yes", "-e", "wet=no"],
         "--evidence must set 'wet' once, got it again in 'wet=no'."),
        (["learn", "table.csv", "-k", "1", "-o", "a.json", "--bins", "foo"],
         "must be one of quantile, median, width, mdl, supervised, edges, got 'foo'."),
        (["fit", "graph.json", "table.csv", "-o", "x.dsc"], "files of this kind are read only."),
        (["query", "net.json"], "Name a variable with --target, or pass --mpe."),
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
def test_misuse_is_told_before_any_work(run, rain_files, words, message):
    code, _, err = run(*words)
    assert code == (1 if "no folder" in message else 2)
    assert message in " ".join(err.replace("│", " ").split())
