"""``treebound generate`` as a user meets it: files, what is printed, and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import treebound as tb
from reference import graphs
from treebound.cli._app import VERBS


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "parquet"])
def test_the_table_is_that_of_the_library(run, tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    code, out, err = run("generate", path, "--variables", 12, "--rows", 300, "--seed", 5, "--max-parents", 3)
    assert (code, err) == (0, "")
    network = tb.random_network(12, max_parents=3, seed=5)
    assert tb.load(path, schema=network.schema) == network.sample(300, seed=5)
    assert out.startswith(f"{path}: 300 rows of 12 variables with {network.num_arcs} arcs")


def test_all_options_reach_the_network(run, tmp_path):
    options = {
        "min_states": 3,
        "max_states": 5,
        "min_parents": 1,
        "max_parents": 2,
        "concentration": 0.5,
        "seed": 9,
    }
    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
    path = tmp_path / "table.csv"
    assert run("generate", path, "--variables", 15, "--rows", 40, "--width", 2, *words)[0] == 0
    network = tb.random_network(15, max_treewidth=2, **options)
    assert tb.load(path, schema=network.schema) == network.sample(40, seed=9)


def test_json_is_one_object(run, tmp_path):
    path = tmp_path / "table.csv"
    code, out, err = run("generate", path, "--variables", 12, "--rows", 3, "--json")
    network = tb.random_network(12)
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert report.pop("seconds") >= 0
    assert report == {
        "path": str(path),
        "variables": 12,
        "rows": 3,
        "arcs": network.num_arcs,
        "parameters": network.num_parameters,
    }


def test_quiet_prints_nothing(run, tmp_path):
    assert run("generate", tmp_path / "t.csv", "--variables", 3, "--rows", 3, "--quiet") == (0, "", "")


@pytest.mark.parametrize("ending", ["json", "bif.gz"])
def test_the_network_is_saved_with_its_witness(run, tmp_path, ending):
    path = tmp_path / f"truth.{ending}"
    words = ("--variables", 30, "--rows", 2, "--width", 3, "--network", path, "-q")
    assert run("generate", tmp_path / "t.csv", *words)[0] == 0
    saved = tb.load_network(path)
    assert saved == tb.random_network(30, max_treewidth=3)
    assert graphs.elimination_width(graphs.moral_edges(saved.parent_indices), saved.elimination_order) <= 3


def test_inverted_trees(run, tmp_path):
    words = ("--kind", "inverted-tree", "--variables", 9, "--rows", 50, "--width", 2, "--seed", 4, "--json")
    code, out, _ = run("generate", tmp_path / "t.csv", *words)
    network = tb.network.random_inverted_tree(9, 2, seed=4)
    assert code == 0
    assert json.loads(out)["arcs"] == 8
    assert tb.load(tmp_path / "t.csv", schema=network.schema) == network.sample(50, seed=4)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["t.csv", "--rows", "3"], "--variables"),
        (["t.csv", "--variables", "3"], "--rows"),
        (["t.csv", "--variables", "0", "--rows", "3"], "--variables"),
        (["t.csv", "--variables", "3", "--rows", "x"], "--rows"),
        (["t.txt", "--variables", "3", "--rows", "3"], "expected a file that ends in"),
        (["t.csv", "--variables", "3", "--rows", "3", "--min-states", "5"], "got 5 and 4"),
        (["t.csv", "--variables", "3", "--rows", "3", "--seed", "-1"], "seed must be at least 0, got -1"),
        (["t.csv", "--variables", "3", "--rows", "3", "--kind", "tree"], "inverted-tree"),
        (["t.csv", "--variables", "3", "--rows", "3", "--kind", "inverted-tree"], "needs --width"),
        (["t.csv", "--variables", "3", "--rows", "3", "--network", "./t.csv"], "need two files"),
        (
            ["t.csv", "--variables", "3", "--rows", "3", "--kind", "inverted-tree", "--max-states", "4"],
            "--max-states does not apply",
        ),
    ],
)
def test_misuse_exits_with_two(run, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    code, out, err = run("generate", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", [["no/t.csv"], ["t.csv", "--network", "no/n.json"]])
def test_failure_exits_with_one_and_one_sentence(run, tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("generate", *option, "--variables", "3", "--rows", "3")
    assert (code, out) == (1, "")
    assert err == f"treebound: {option[-1]}: there is no folder no.\n"
    assert list(tmp_path.iterdir()) == []


def test_every_verb_has_its_help(run):
    code, listing, _ = run("--help")
    assert code == 0
    for verb, line in VERBS.items():
        assert verb in listing
        assert line[:40] in listing
        code, out, _ = run(verb, "--help")
        assert code == 0
        assert "--help" in out


def test_help_does_not_wait_for_the_verbs():
    program = (
        "import sys; from treebound.cli._app import build_app; build_app(['--help']);"
        "sys.exit('numpy' in sys.modules or 'treebound._core' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_command_runs_as_a_module(tmp_path):
    words = ["generate", str(tmp_path / "t.csv"), "--variables", "2", "--rows", "1"]
    done = subprocess.run([sys.executable, "-m", "treebound", *words], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "t.csv").read_bytes().startswith(b"X0,X1\n")
