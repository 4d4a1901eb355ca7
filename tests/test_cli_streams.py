"""Every verb with a standard output that is closed, or that cannot encode what the table holds."""

from __future__ import annotations

import io
import json
import sys

import pytest

import treebound as tb
from treebound.cli import main

pytestmark = pytest.mark.core

COLUMN = "\u00e9\u2192"
LABELS = ("\u00e1", "\u00f1")
VERBS = {
    "inspect": "inspect t.csv",
    "score": "score t.csv -o s.tbc",
    "learn": "learn t.csv -k 1 --steps 5 -o l.json",
    "tune": "tune t.csv -k 1 --folds 2 --steps 2",
    "compare": "compare t.csv -k 1 --time 0.1 --solvers chow-liu,empty -o c",
    "fit": "fit n.json t.csv -o f.json",
    "query": f"query n.json -t {COLUMN}",
    "sample": "sample n.json -n 5 -o -",
    "evaluate": "evaluate n.json t.csv",
    "predict": f"predict n.json t.csv -t {COLUMN} -o p.csv",
    "impute": "impute n.json t.csv -o i.csv",
    "check": "check n.json",
    "diff": "diff n.json n.json",
    "convert": "convert n.json n.bif",
    "generate": "generate g.csv --variables 3 --rows 5",
    "plot": "plot n.json -o n.svg",
    "version": "--version",
    "help": "--help",
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = {COLUMN: [*LABELS, LABELS[0]] * 8, "b": ["x", "y", "y", "x"] * 6}
    lines = [",".join(rows), *map(",".join, zip(*rows.values(), strict=True))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    tb.save_network(tb.fit({COLUMN: [], "b": [COLUMN]}, rows), "n.json")


def run_with(stdout, words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", stdout)
    with pytest.raises(SystemExit) as left:
        main(words)
    return left.value.code or 0, capsys.readouterr().err


@pytest.mark.parametrize("verb", VERBS)
def test_characters_that_cannot_be_encoded_are_escaped(verb, monkeypatch, capsys):
    printed = io.BytesIO()
    stdout = io.TextIOWrapper(printed, encoding="ascii")
    code, err = run_with(stdout, VERBS[verb].split(), monkeypatch, capsys)
    stdout.flush()
    assert (code, err.count("codec")) == (0, 0), err
    out = printed.getvalue()
    if verb == "sample":  # a table, which is UTF-8 wherever it goes
        assert out.decode().startswith(f"{COLUMN},b\n")
    else:
        assert out.isascii()
    if verb == "query":
        assert b"\\xe9\\u2192" in out


@pytest.mark.parametrize("verb", VERBS)
def test_a_result_that_cannot_be_printed_is_an_error(verb, monkeypatch, capsys):
    code, err = run_with(None, VERBS[verb].split(), monkeypatch, capsys)
    assert code == 1
    assert err.splitlines()[-1] == ("treebound: standard output is closed. Redirect it to a file or a pipe.")
    assert "Traceback" not in err


def test_a_verb_that_prints_nothing_needs_no_output(monkeypatch, capsys):
    assert run_with(None, ["check", "n.json", "-q"], monkeypatch, capsys) == (0, "")


def test_notes_do_not_move_to_the_results_where_errors_are_closed(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)
    with pytest.raises(SystemExit):
        main(["query", "n.json", "-t", "b", "--do", f"{COLUMN}={LABELS[0]}", "--json"])
    sys.stderr.close()
    out = capsys.readouterr().out
    assert json.loads(out)["uncertain_arcs"] == [[COLUMN, "b"]]
