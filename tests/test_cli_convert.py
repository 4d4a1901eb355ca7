"""``treebound convert`` with networks: what a file holds is found out, not guessed."""

from __future__ import annotations

import json

import pytest

import treebound as tb
from test_network_files import small


@pytest.fixture
def network(tmp_path):
    tb.save_network(small(), tmp_path / "n.json")
    return tmp_path / "n.json"


def test_a_network_goes_through_every_format_and_back(run, tmp_path, network):
    here = network
    for ending in ("bif", "xmlbif.gz", "net", "xdsl", "uai", "json"):
        there = tmp_path / f"m.{ending}"
        code, out, err = run("convert", here, there)
        assert (code, err) == (0, "")
        assert out == f"{there}: a network of 3 variables with 2 arcs and 9 parameters\n"
        here = there
    assert [t.tolist() for t in tb.load_network(here).tables] == [t.tolist() for t in small().tables]


@pytest.mark.filterwarnings("always:.*json keeps everything:UserWarning")
def test_a_lossy_conversion_is_noted_unless_quiet(run, tmp_path):
    data = tb.load({"x": [0.5 * i for i in range(40)], "y": ["a", "b"] * 20}, discretise="median")
    tb.save_network(tb.fit(tb.Structure.from_parents({"x": [], "y": ["x"]}), data), tmp_path / "n.json")
    words = ("convert", tmp_path / "n.json", tmp_path / "n.bif")
    assert "note: " in run(*words)[2]
    assert run(*words, "--quiet") == (0, "", "")


def test_a_network_can_be_written_as_a_structure(run, tmp_path, network):
    code, out, _ = run("convert", network, tmp_path / "n.dot", "--json")
    assert code == 0
    assert json.loads(out) == {
        "path": str(tmp_path / "n.dot"),
        "kind": "structure",
        "variables": 3,
        "arcs": 2,
    }


def test_a_structure_is_no_network(run, tmp_path):
    tb.save_structure(tb.Structure.from_parents({"a": []}), tmp_path / "s.json")
    code, _, err = run("convert", tmp_path / "s.json", tmp_path / "s.bif")
    assert code == 2
    assert "holds a structure" in " ".join(err.replace("│", " ").split())
    assert run("convert", tmp_path / "s.json", tmp_path / "t.json")[0] == 0
    assert tb.load_structure(tmp_path / "t.json").names == ("a",)


def test_errors_say_where(run, tmp_path, network):
    (tmp_path / "x.bif").write_text("network x {\n}\nvariable\n")
    code, _, err = run("convert", tmp_path / "x.bif", tmp_path / "y.bif")
    assert code == 1
    assert "x.bif: line 3" in err
    assert run("convert", network, tmp_path / "x.txt")[0] == 2
    assert run("convert", tmp_path / "x.bif", tmp_path / "y.bif", "--layout", "pgmpy")[0] == 1


def test_check_takes_a_network(run, network):
    code, out, _ = run("check", network)
    assert (code, "ok: acyclic" in out) == (0, True)
