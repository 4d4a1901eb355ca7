"""``treebound check`` and ``treebound convert`` as a user meets them."""

from __future__ import annotations

import json

import pytest

from treebound import ParentSetCache, Structure, load_cache, load_structure, save_cache, save_structure

pytestmark = pytest.mark.core


@pytest.fixture
def files(tmp_path):
    cache = ParentSetCache.from_sets({"a": [((), -1.0)], "b": [(["a"], -2.0), ((), -3.0)]})
    save_cache(cache, tmp_path / "c.tbc")
    save_structure(Structure.from_parents([[], [0]], cache=cache, max_treewidth=1), tmp_path / "s.json")
    return tmp_path


def test_a_good_structure_exits_with_zero(run, files):
    code, out, err = run("check", files / "s.json", "--cache", files / "c.tbc", "--max-treewidth", 1)
    assert (code, err) == (0, "")
    assert (
        "s.json: ok: acyclic, treewidth at most 1, within the limit 1, scores agree with the cache\n" in out
    )
    assert "Treewidth at most 1 (limit 1). Largest table over 2 variables" in out


def test_a_refused_one_exits_with_one(run, files):
    code, out, err = run("check", files / "s.json", "-k", 0)
    assert (code, err) == (1, "")
    assert out.endswith(
        "s.json: rejected:\n- treewidth limit exceeded: bag {a, b} has 2 variables, limit 0 allows 1\n"
    )


def test_json_is_one_object(run, files):
    code, out, _ = run("check", files / "s.json", "--cache", files / "c.tbc", "--json")
    assert code == 0
    assert json.loads(out) == {
        "ok": True,
        "faults": [],
        "variables": 2,
        "arcs": 1,
        "treewidth": 1,
        "max_treewidth": 1,
        "score": -3.0,
        "scores_checked": True,
        "compared_with": ["cache"],
        "largest_table_cells": None,
        "total_cells": None,
    }
    code, out, _ = run("check", files / "s.json", "--json", "--max-treewidth", 0)
    assert code == 1
    assert json.loads(out)["faults"] == [
        {
            "kind": "treewidth limit exceeded",
            "message": "bag {a, b} has 2 variables, limit 0 allows 1",
        }
    ]


def test_quiet_prints_nothing(run, files):
    assert run("check", files / "s.json", "-q") == (0, "", "")
    assert run("check", files / "s.json", "-q", "--max-treewidth", 0) == (1, "", "")
    assert run("convert", files / "c.tbc", files / "c.jkl", "-q") == (0, "", "")


@pytest.mark.parametrize("words", [["check", "x.json"], ["check", "x.txt"], ["convert", "x.json", "y.res"]])
def test_a_file_that_cannot_be_read_exits_with_one_and_one_sentence(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert (code, out) == (1, "")
    assert words[1] in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("target", ["d.jkl", "d.jkl.gz", "d.tbc", "d.jaa"])
def test_caches_are_converted(run, files, target):
    code, out, err = run("convert", files / "c.tbc", files / target)
    assert (code, err) == (0, "")
    assert out == f"{files / target}: a cache of 3 parent sets of 2 variables\n"
    assert load_cache(files / target).same_sets_as(load_cache(files / "c.tbc"))


@pytest.mark.parametrize("target", ["t.res", "t.dot", "t.graphml.gz", "t.modelstring", "t.json"])
def test_structures_are_converted(run, files, target):
    code, out, err = run("convert", files / "s.json", files / target, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {"path": str(files / target), "kind": "structure", "variables": 2, "arcs": 1}
    assert load_structure(files / target).parent_indices == ((), (0,))


def test_header_and_plain_reach_the_writers(run, files):
    assert run("convert", files / "c.tbc", files / "h.jkl", "--header")[0] == 0
    assert (files / "h.jkl").read_text().startswith("# Max in-degree: 1\n")
    assert run("convert", files / "s.json", files / "p.res", "--plain")[0] == 0
    assert (files / "p.res").read_text().startswith("0: -1.0 \n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["c.tbc", "x.json"], "holds a cache, which"),
        (["s.json", "x.tbc"], "holds a structure, which"),
        (["s.json", "x.pdf"], "expected a file that ends in"),
        (["c.tbc", "x.jkl", "--plain"], "--plain applies only to .res files"),
        (["s.json", "x.res", "--header"], "--header applies only to .jkl files"),
        (["c.tbc", "x.tbc", "--header"], "--header applies only to .jkl files"),
        (["s.json", "x.dot", "--plain"], "--plain applies only to .res files"),
        (["s.json"], "OUT"),
    ],
)
def test_misuse_exits_with_two(run, files, monkeypatch, words, message):
    monkeypatch.chdir(files)
    before = sorted(files.iterdir())
    code, out, err = run("convert", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert sorted(files.iterdir()) == before
