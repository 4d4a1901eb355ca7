"""A cache of other rows or of another score is refused before the search, and no file is touched."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

import treebound
from treebound import (
    Bdeu,
    Bic,
    Budget,
    CacheError,
    Observer,
    Structure,
    check,
    learn,
    load,
    load_cache,
    save_cache,
)
from treebound.formats.jkl import format_jkl
from treebound.scoring import Exhaustive
from treebound.solvers import KGreedy, search
from treebound.structure import FaultKind

pytestmark = pytest.mark.core

DEPENDENT = "a,b\n" + "0,0\n1,1\n" * 50
INDEPENDENT = "a,b\n" + "0,0\n0,1\n1,0\n1,1\n" * 25
STEPS = Budget(steps=3)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(DEPENDENT)
    return tmp_path


@pytest.fixture(scope="module")
def table():
    return treebound.random_network(12, max_treewidth=2, max_states=3, seed=3).sample(300, 3)


@pytest.fixture(scope="module")
def cache(table):
    return treebound.score(table, parent_sets=Exhaustive(1)).cache


LEARN = ("learn", "x.csv", "--cache", "x.tbc", "--resume", "-k", 1, "--steps", 3, "-o", "net.json")


@pytest.mark.parametrize("start", ["keep", "remove"])
@pytest.mark.parametrize("solver", ["regrow", "kg"])
def test_rows_that_changed_are_noticed_by_the_command(run, folder, start, solver):
    assert run(*LEARN, "--solver", solver)[0] == 0
    assert treebound.load_structure("net.json").num_arcs == 1
    if start == "remove":
        (folder / "net.json").unlink()
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "x.csv"}
    (folder / "x.csv").write_text(INDEPENDENT)
    code, out, err = run(*LEARN, "--solver", solver)
    assert (code, out) == (1, "")
    assert "The cache was made of 100 other rows than those of the table; score the table again." in err
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "x.csv"} == before


def test_another_score_is_noticed_by_the_command(run, folder):
    assert run(*LEARN)[0] == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, out, err = run(*LEARN, "--score", "bdeu")
    assert (code, out) == (1, "")
    assert "The cache holds the score Bic(), and Bdeu(equivalent_sample_size=1.0) is requested" in err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_cache_without_a_fingerprint_is_compared_with_the_rows(run, folder):
    words = [str(word).replace(".tbc", ".jkl") for word in LEARN]
    assert run(*words)[0] == 0
    code, out, _ = run(*words, "--json")
    assert code == 0
    assert json.loads(out)["compared_with"] == ["table", "cache"]
    before = (folder / "net.json").read_bytes()
    for text, extra in ((INDEPENDENT, ()), (DEPENDENT, ("--score", "bdeu"))):
        (folder / "x.csv").write_text(text)
        code, out, err = run(*words, *extra)
        assert (code, out) == (1, "")
        assert "The cache does not match this table and the score B" in err
        assert (folder / "net.json").read_bytes() == before


def test_the_same_rows_are_taken_again(run, folder):
    assert run(*LEARN)[0] == 0
    code, out, _ = run(*LEARN, "--json")
    assert code == 0
    report = json.loads(out)
    assert report["sets_scored"] == 0
    assert report["verdict"].endswith("scores recounted from the table, and the cache agrees with it")


def with_one_column_turned(codes):
    return np.vstack([codes[:1], np.roll(codes[1:2], 1), codes[2:]])


@pytest.mark.parametrize("solver", [treebound.solvers.Regrow(), KGreedy()], ids=lambda solver: solver.name)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda codes: codes[:, :-1], "made of 300 rows, and the table has 299; score the table again"),
        (lambda codes: codes[:, ::-1], "made of 300 other rows than those of the table"),
        (with_one_column_turned, "made of 300 other rows than those of the table"),
    ],
)
def test_learn_refuses_a_cache_of_other_rows(table, cache, solver, change, words):
    changed = treebound.Dataset(table.schema, change(table.codes))
    with pytest.raises(CacheError, match=words):
        learn(changed, 1, score=cache, solver=solver, budget=STEPS)


def test_search_refuses_rows_that_the_cache_was_not_made_of(table, cache):
    changed = treebound.Dataset(table.schema, with_one_column_turned(table.codes))
    with pytest.raises(CacheError, match="made of 300 other rows"):
        search(cache, 1, data=changed, budget=STEPS)
    with pytest.raises(CacheError, match="does not match this table"):
        search(dataclasses.replace(cache, fingerprint=None), 1, data=changed, budget=STEPS)


def test_other_labels_are_another_table():
    first = load({"a": ["x", "y"] * 9, "b": ["x", "y"] * 9})
    second = load({"a": ["x", "z"] * 9, "b": ["x", "y"] * 9})
    assert first.fingerprint != second.fingerprint
    with pytest.raises(CacheError, match="a table in which 'a' has other states than in the one given"):
        learn(second, 1, score=treebound.score(first).cache, budget=STEPS)
    with pytest.raises(CacheError, match="number 1 is 'b' in the cache and 'c' in the table"):
        learn({"a": ["x", "y"] * 9, "c": ["x", "y"] * 9}, 1, score=treebound.score(first).cache)
    with pytest.raises(CacheError, match="the cache has 2 of them, the table 1"):
        learn({"a": ["x", "y"] * 9}, 1, score=treebound.score(first).cache)


def test_equal_tables_have_equal_fingerprints(folder, table):
    again = treebound.Dataset(table.schema, table.codes.copy())
    assert again.fingerprint == table.fingerprint
    assert load("x.csv").fingerprint == load("x.csv").fingerprint
    assert load("x.csv").fingerprint.num_rows == 100


def test_the_fingerprint_comes_back_from_the_file(folder, cache, table):
    save_cache(cache, "c.tbc")
    again = load_cache("c.tbc")
    assert again.fingerprint == table.fingerprint
    assert (again.schema, again.score) == (table.schema, Bic())
    assert learn(table, 2, score=again, budget=STEPS).verdict


def test_the_check_recounts_what_the_cache_says(table, cache):
    """A cache that is wrong in one family, with the fingerprint of the table: the rows have the last word."""
    parents = [[] for _ in range(12)]
    honest = Structure.from_parents(parents, cache=cache)
    assert str(check(honest, cache, data=table)).endswith("the table, and the cache agrees with it")
    scores = cache.scores.copy()
    last = int(cache.set_offsets[5]) - 1
    assert cache.sizes[last] == 0
    scores[last] -= 1.5
    wrong = dataclasses.replace(cache, scores=scores)
    claimed = Structure.from_parents(parents, cache=wrong)
    verdict = check(claimed, wrong, data=table)
    assert {fault.kind for fault in verdict.faults} == {FaultKind.SCORES}
    name = table.schema.names[4]
    assert f"wrong scores: {name} scores " in str(verdict)
    assert "in the cache, but -160.9" in str(verdict)
    with pytest.raises(CacheError, match="Bdeu"):
        check(honest, cache, data=table, score=Bdeu())


@pytest.mark.parametrize(
    ("with_cache", "with_table", "words"),
    [
        (False, False, "scores add up (not compared with a table or a cache)"),
        (True, False, "scores agree with the cache"),
        (False, True, "scores recounted from the table"),
        (True, True, "scores recounted from the table, and the cache agrees with it"),
    ],
)
def test_the_verdict_says_what_was_compared_with_what(table, cache, with_cache, with_table, words):
    structure = Structure.from_parents([[] for _ in range(12)], cache=cache)
    verdict = check(structure, cache if with_cache else None, data=table if with_table else None)
    assert str(verdict).endswith(f", {words}")
    names = {"table": with_table, "cache": with_cache}
    assert verdict.compared_with == tuple(name for name, given in names.items() if given)


def test_a_cache_that_is_wrong_where_nobody_looked_never_reaches_the_callback(folder):
    """Without a fingerprint a few sets are compared at first, the others before they are handed on."""
    data = treebound.random_network(120, max_treewidth=1, max_states=2, seed=1).sample(60, 1)
    cache = treebound.score(data, parent_sets=Exhaustive(1)).cache
    scores = cache.scores.copy()
    scores[cache.set_offsets[1:-1][0] : cache.set_offsets[2]] += 0.5  # variable 1 is not among those compared
    wrong = dataclasses.replace(cache, scores=scores, fingerprint=None)
    seen = []
    result = learn(data, 1, score=wrong, budget=STEPS, progress=Observer(checkpoint=seen.append))
    assert not result.verdict
    assert seen == []


def test_rounded_scores_of_a_file_are_those_of_the_table(folder, table, cache):
    """Other programs round; within that, their cache is one of the table."""
    lines = b"".join(format_jkl(cache)).decode().splitlines()
    rounded = []
    for line in lines:
        words = line.split(" ")
        if words[0].startswith("-"):
            words[0] = f"{float(words[0]):.2f}"
        rounded.append(" ".join(words))
    (folder / "c.jkl").write_text("\n".join(rounded) + "\n")
    loaded = load_cache("c.jkl")
    assert loaded.score_rounding == 0.005
    result = learn(table, 2, score=loaded, budget=STEPS)
    assert result.verdict
    assert result.verdict.compared_with == ("table", "cache")
    assert result.cache.score == Bic()
    with pytest.raises(CacheError, match="does not match this table"):
        learn(table, 2, score=dataclasses.replace(loaded, score=Bdeu()), budget=STEPS)


def test_a_refused_structure_is_not_written(run, folder, monkeypatch):
    from treebound.learning import _here

    assert run(*LEARN)[0] == 0
    before = (folder / "net.json").read_bytes()
    honest = _here.check

    def refuse(*arguments, **options):
        verdict = honest(*arguments, **options)
        fault = treebound.structure.Fault(FaultKind.SCORES, "made up")
        return dataclasses.replace(verdict, faults=(fault,))

    monkeypatch.setattr(_here, "check", refuse)
    code, out, err = run(*LEARN)
    assert (code, out) == (1, "")
    assert "the checker rejected the structure, and it was not saved" in err
    assert (folder / "net.json").read_bytes() == before


def test_the_check_command_counts_again(run, folder):
    assert run(*LEARN)[0] == 0
    code, out, _ = run("check", "net.json", "--table", "x.csv")
    assert code == 0
    assert "scores recounted from the table\n" in out
    (folder / "x.csv").write_text(INDEPENDENT)
    code, out, _ = run("check", "net.json", "--table", "x.csv")
    assert code == 1
    assert "wrong scores: " in out
    assert run("check", "net.json", "--score", "bdeu")[0] == 2
