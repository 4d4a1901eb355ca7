"""Comparisons as a whole: what is run, kept, told and done again; runs are processes, so there are few."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

import treebound
from strategies_search import random_cache
from treebound import Budget, ParentSetCache
from treebound.experiments import (
    ChangedSettings,
    RunRecord,
    RunSpec,
    RunStatus,
    Scoring,
    Source,
    compare,
    plan_runs,
    run_all,
)
from treebound.experiments import _execute as execution
from treebound.solvers import SOLVERS, Needs

CACHE = random_cache(8, 6, seed=1)
STEPS = Budget(steps=3)
WORDS = ["cache.tbc", "-k", "2", "--solvers", "empty,kg", "--steps", "3", "--runs", "2", "--jobs", "1"]


def table_of(folder: Path) -> list[tuple[object, ...]]:
    """What must not depend on how often a comparison was interrupted."""
    return [
        (*row[:9], row.treewidth, row.steps) for row in treebound.experiments.load_comparison(folder).table()
    ]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed")
    result = compare({"cache": CACHE}, 2, solvers=["empty", "kg"], budget=STEPS, runs=2, folder=folder)
    treebound.experiments.save_comparison(result, folder, figures=False)
    return folder


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    treebound.save_cache(CACHE, folder / "cache.tbc")
    command = [sys.executable, "-m", "treebound", "compare", *words, "-o", "out", "--no-figures"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_a_record(child: subprocess.Popen[str], folder: Path) -> list[Path]:
    while not (found := list((folder / "out" / "runs").rglob("*.json"))):
        assert child.poll() is None, child.communicate()
        time.sleep(0.005)
    return found


def test_all_runs_are_done_checked_and_kept(undisturbed):
    result = treebound.experiments.load_comparison(undisturbed)
    assert [run.spec.name for run in result.runs] == [
        "cache/empty/k2-seed0",
        "cache/kg/k2-seed0",
        "cache/empty/k2-seed1",
        "cache/kg/k2-seed1",
    ]
    assert all(run.is_ok and run.trace and run.made_by["treebound"] for run in result.runs)
    for run in result.runs:
        structure = treebound.load_structure(undisturbed / "structures" / f"{run.spec.name}.json.gz")
        assert structure.score == run.score
        assert treebound.check(structure, CACHE, 2)
    alone = treebound.search(CACHE, 2, solver=SOLVERS["kg"].solver, budget=STEPS, seed=1)
    assert result.runs[3].score == alone.score
    assert result.runs[3].steps == 3


def test_a_kill_in_the_middle_changes_nothing(tmp_path, undisturbed):
    child = start(tmp_path, *WORDS)
    done = wait_for_a_record(child, tmp_path)
    child.kill()
    child.communicate()
    assert len(done) < 4
    before = {path: path.stat().st_mtime_ns for path in done}
    again = start(tmp_path, *WORDS, "--json")
    told, errors = again.communicate(timeout=120)
    assert (again.returncode, errors) == (0, "")
    assert json.loads(told)["runs"] == 4
    assert table_of(tmp_path / "out") == table_of(undisturbed)
    assert {path: path.stat().st_mtime_ns for path in done} == before
    assert not list((tmp_path / "out").rglob("*.part"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_finished(tmp_path, number):
    endless = ["cache.tbc", "-k", "2", "--solvers", "empty,kg", "--steps", str(2**62), "--jobs", "1"]
    child = start(tmp_path, *endless)
    wait_for_a_record(child, tmp_path)
    child.send_signal(number)
    told, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (130, "")
    assert "1 runs, 0 failed" in told
    result = treebound.experiments.load_comparison(tmp_path / "out")
    assert result.was_interrupted
    assert [run.spec.label for run in result.runs] == ["empty"]


def test_a_run_ends_with_the_process_that_started_it(undisturbed):
    spec = RunSpec("cache", "endless", SOLVERS["kg"].solver, 2, 0, Budget(steps=2**62))
    store = treebound.experiments._store.Store(undisturbed)
    child = execution._Child(spec, store, 4096)
    child._process.stdin.close()  # what the death of the parent does
    assert child._process.wait(timeout=60) == 1
    assert child.has_ended()
    assert store.record_of(spec).status is RunStatus.FAILED
    store.record_path(spec).unlink()


def test_a_rerun_does_only_what_is_missing(undisturbed, monkeypatch):
    asked = []
    monkeypatch.setattr(execution, "_Child", lambda spec, *rest: asked.append(spec))
    common = {"solvers": ["empty", "kg"], "budget": STEPS, "folder": undisturbed}
    seen = []
    result = compare({"cache": CACHE}, 2, runs=2, progress=seen.append, **common)
    assert (len(result.runs), result.was_interrupted, asked) == (4, False, [])
    fewer = compare({"cache": CACHE}, 2, **common)
    assert fewer.notes == (f"{undisturbed} holds 2 more runs, not requested now: skipped.",)
    with pytest.raises(AttributeError):  # the stand-in is no child
        compare({"cache": CACHE}, [2, 3], runs=2, **common)
    assert [spec.max_treewidth for spec in asked] == [3] * len(asked)
    assert asked


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"budget": Budget(steps=4)}, "the run cache/empty/k2-seed0 .*steps 3 before, 4 now"),
        ({"sources": {"cache": random_cache(8, 6, seed=2)}}, "the source cache .*digest"),
        (
            {"solvers": {"kg": SOLVERS["kmax"].solver}},
            "the run cache/kg/k2-seed0 .*solver 'kg' before, 'kmax' now",
        ),
    ],
)
def test_changed_settings_are_told(undisturbed, changes, words):
    asked = {"sources": {"cache": CACHE}, "solvers": ["empty", "kg"], "budget": STEPS, **changes}
    with pytest.raises(ChangedSettings, match=words) as caught:
        compare(asked.pop("sources"), 2, folder=undisturbed, **asked)
    assert "before" in str(caught.value)
    assert "another folder" in str(caught.value)


def test_two_at_once_do_not_work_in_one_folder(tmp_path):
    store = treebound.experiments._store.Store(tmp_path)
    with store.locked(), pytest.raises(BlockingIOError, match="another comparison is at work"):
        compare({"cache": CACHE}, 2, solvers=["empty"], budget=STEPS, folder=tmp_path)


def test_failures_are_recorded_told_and_tried_again(tmp_path, run):
    no_empty_set = ParentSetCache.from_sets({"a": [((), -1.0)], "b": [(("a",), -1.0)]})
    treebound.save_cache(no_empty_set, tmp_path / "bad.tbc")
    (tmp_path / "worse.csv").write_text("a,b\n1,2\n3\n")
    words = [
        "compare",
        tmp_path / "bad.tbc",
        tmp_path / "worse.csv",
        "-k",
        1,
        "--solvers",
        "kg",
        "--steps",
        2,
    ]
    code, out, err = run(*words, "-o", tmp_path / "out")
    assert code == 0
    assert "2 runs, 2 failed" in out
    assert "note: failed: bad/kg/k1-seed0: ValueError: Every variable needs the empty parent set" in err
    assert "note: failed: worse/kg/k1-seed0: the source cannot be used" in err
    (tmp_path / "worse.csv").write_text("a,b\n1,2\n3,4\n")
    code, out, err = run(*words, "-o", tmp_path / "out", "--quiet")
    assert (code, out, err) == (0, "", "")
    code, out, err = run(*words, "-o", tmp_path / "out", "--retry", "--json")
    assert (json.loads(out)["failed"], err) == (1, "")
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {
        "runs.csv",
        "table.csv",
        "victories.csv",
        "w_scores.csv",
        "comparison.json",
        "curves-worse.png",
    }


def test_a_run_beyond_its_memory_is_recorded(tmp_path):
    # Too large for what an interpreter holds in reserve.
    cache = random_cache(3_000, 100, seed=1)
    result = compare({"cache": cache}, 2, solvers=["kg"], budget=STEPS, memory_mb=1, folder=tmp_path)
    assert [run.status for run in result.runs] == [RunStatus.MEMORY], result.runs[0].message
    assert result.runs[0].message
    assert (result.table()[0].num_failed, result.table()[0].score) == (1, None)


@pytest.mark.parametrize(
    ("script", "budget", "status", "words"),
    [
        ("echo it broke >&2; exit 3", STEPS, RunStatus.FAILED, "ended with exit code 3: it broke"),
        ("kill -SEGV $$", STEPS, RunStatus.FAILED, "ended by SIGSEGV"),
        ("kill -KILL $$", STEPS, RunStatus.MEMORY, "ended by SIGKILL, as the system does"),
        ("exec sleep 1000", Budget(seconds=0), RunStatus.OVERTIME, "still at work"),
        ("exit 0", STEPS, RunStatus.FAILED, "ended with exit code 0"),
    ],
)
def test_whatever_ends_a_run_is_its_record(tmp_path, monkeypatch, script, budget, status, words):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(execution.sys, "executable", str(program))
    monkeypatch.setattr(execution, "_PATIENCE_SECONDS", 0.0)
    result = compare({"cache": CACHE}, 2, solvers=["kg"], budget=budget)
    assert [run.status for run in result.runs] == [status]
    assert result.runs[0].message.startswith(words)


def test_a_record_outlives_the_end_by_force_of_its_process(tmp_path, monkeypatch):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\nexec sleep 1000\n")
    program.chmod(0o755)
    monkeypatch.setattr(execution.sys, "executable", str(program))
    monkeypatch.setattr(execution, "_PATIENCE_SECONDS", 0.0)
    spec = RunSpec("cache", "kg", SOLVERS["kg"].solver, 2, 0, Budget(seconds=0))
    store = treebound.experiments._store.Store(tmp_path)
    child = execution._Child(spec, store, 4096)
    store.keep(RunRecord(spec, RunStatus.OK, score=-1.0))
    assert child.has_ended()
    assert store.record_of(spec).status is RunStatus.OK


def test_a_table_is_scored_once_and_its_rows_go_to_those_that_take_them(tmp_path, monkeypatch):
    monkeypatch.setenv("TREEBOUND_COMMIT", "0123abc")
    data = treebound.random_network(6, max_treewidth=2, max_states=2, seed=1).sample(200, seed=1)
    seen = []
    result = compare(
        {"table": data},
        2,
        solvers=["regrow", "kg"],
        budget=STEPS,
        folder=tmp_path,
        scoring=Scoring(budget=Budget(steps=8)),
        unbounded_scores={"table": -400.0},
        progress=seen.append,
    )
    cache = treebound.load_cache(tmp_path / "sources" / "table.tbc")
    assert cache.fingerprint == data.fingerprint
    told = json.loads((tmp_path / "scoring" / "table.json").read_text())
    assert told["sets_kept"] == cache.num_sets
    assert told["seconds"] > 0
    assert {run.made_by["commit"] for run in result.runs} == {"0123abc"}
    scores = {run.spec.label: run.score for run in result.runs}
    for label, rows in (("regrow", data), ("kg", None)):
        alone = treebound.search(cache, 2, data=rows, solver=SOLVERS[label].solver, budget=STEPS)
        assert scores[label] == alone.score
    assert [row.w_score > 0 for row in result.w_scores()] == [True, True]
    assert {now.phase for now in seen} == {"scoring", "runs"}
    assert (seen[-1].finished, seen[-1].total) == (2, 2)


def test_a_run_without_a_bound_gives_the_score_to_compare_with():
    result = compare({"cache": CACHE}, solvers=["empty"], budget=STEPS)
    assert [run.spec.name for run in result.runs] == ["cache/empty/unbounded-seed0"]
    assert result.unbounded_scores == {"cache": result.runs[0].score}
    assert (result.max_treewidths, result.w_scores(), result.victories()) == ((None,), (), ())
    assert [row.max_treewidth for row in result.table()] == [None]


def test_the_plan_has_each_combination_once(monkeypatch):
    monkeypatch.setitem(SOLVERS, "kmax", replace(SOLVERS["kmax"], is_bounded=False, needs=()))
    monkeypatch.setitem(SOLVERS, "ka", replace(SOLVERS["ka"], needs=(Needs.ROWS, Needs.BOUND)))
    solvers = {name: SOLVERS[name].solver for name in ("kg", "ka", "kmax")}
    plan = plan_runs({"rows": True, "bare": False}, solvers, [2, 5], seeds=[7, 8], budget=STEPS)
    names = [spec.name for spec in plan.runs]
    first = [
        "rows/kmax/unbounded-seed7",
        *("rows/kg/k2-seed7", "rows/ka/k2-seed7", "rows/kg/k5-seed7", "rows/ka/k5-seed7"),
        *("bare/kmax/unbounded-seed7", "bare/kg/k2-seed7", "bare/kg/k5-seed7"),
    ]
    assert names == first + [name.replace("seed7", "seed8") for name in first]
    assert plan.skipped == ("ka needs rows, and bare is a cache: skipped there.",)
    assert [RunSpec.from_json(json.loads(json.dumps(spec.to_json()))) for spec in plan.runs] == list(
        plan.runs
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"sources": {}}, "sources must name at least one"),
        ({"sources": [CACHE]}, "needs a name"),
        ({"sources": {"a/b": CACHE}}, "part of a path, got 'a/b'"),
        ({"solvers": []}, "solvers must name at least one"),
        ({"solvers": ["kg", "kg"]}, "different names, got 'kg' twice"),
        ({"solvers": ["best"]}, "a solver must be one of regrow.*, got 'best'"),
        ({"max_treewidths": ()}, "at least one bound for kg, got none"),
        ({"max_treewidths": -1}, "max_treewidth must be at least 0, got -1"),
        ({"runs": 0}, "runs must be at least 1, got 0"),
        ({"threads": 1000}, "at most the number of cores"),
        ({"jobs": 1000}, "at most the number of cores"),
        ({"unbounded_scores": {"other": -1.0}}, "unbounded_scores are for cache, got one for 'other'"),
        ({"unbounded_scores": {"cache": 0.0}}, "unbounded score of cache must be positive"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(tmp_path, arguments, words):
    asked = {
        "sources": {"cache": CACHE},
        "max_treewidths": 2,
        "solvers": ["kg"],
        "budget": STEPS,
        **arguments,
    }
    with pytest.raises(ValueError, match=words):
        compare(**asked, folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_runs_need_their_source_and_are_listed_once(tmp_path):
    spec = RunSpec("cache", "kg", SOLVERS["kg"].solver, 2, 0, STEPS)
    with pytest.raises(ValueError, match="needs a source 'cache'"):
        run_all([spec], [], tmp_path)
    with pytest.raises(ValueError, match="listed once"):
        run_all([spec, spec], [Source.of(CACHE, "cache")], tmp_path)
    assert run_all([], [], tmp_path) == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.b.csv", "a.b"), ("x.csv.gz", "x"), ("x.dat.gz", "x"), ("x-5.jkl.gz", "x-5"), ("X.TBC", "X"),
        ("x.parquet", "x"),
    ],
)  # fmt: skip
def test_a_source_is_called_as_its_file(path, name):
    assert treebound.experiments._sources.name_of(Path(path)) == name


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-k", "two"], "comma-separated integers, got 'two'"),
        (["-k", "2", "--unbounded", "x"], "must read NAME=SCORE, got 'x'"),
        (["-k", "2", "--ess", "2"], "add --score bdeu"),
    ],
)
def test_words_that_make_no_sense_are_refused(tmp_path, run, words, told):
    treebound.save_cache(CACHE, tmp_path / "cache.tbc")
    code, _, err = run("compare", tmp_path / "cache.tbc", "--solvers", "kg", "-o", tmp_path / "out", *words)
    assert code == 2
    assert told in " ".join(err.replace("│", " ").split())
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_not_there_is_named(tmp_path, run):
    code, _, err = run("compare", tmp_path / "no.tbc", "--solvers", "kg", "-k", 2, "-o", tmp_path / "out")
    assert (code, "there is no file" in err, os.path.exists(tmp_path / "out")) == (1, True, False)


def test_comparisons_print_as_tables(undisturbed):
    result = treebound.experiments.load_comparison(undisturbed)
    lines = str(result).splitlines()
    assert lines[0] == "4 runs of 2 solvers on 1 source: median scores"
    assert lines[1].split() == ["source", "solver", "treewidth", "2"]
    assert [line.split() for line in lines[2:]] == [
        ["cache", label, f"{result.score_of('cache', label, 2):,.2f}"] for label in ("empty", "kg")
    ]
    assert repr(result) == "<ComparisonResult: 4 runs of 2 solvers on 1 source>"
    cells = [cell.text for cell in ElementTree.fromstring(result._repr_html_()).iter("td")]
    assert cells == [word for line in lines[2:] for word in line.split()]
    hostile = replace(
        result,
        runs=tuple(
            replace(run, score=None, status=RunStatus.MEMORY, spec=replace(run.spec, source="a&b"))
            for run in result.runs
        ),
        notes=("<i>\x1b",),
        was_interrupted=True,
    )
    assert "1 source, 4 failed, interrupted: median scores" in str(hostile)
    assert "none" in str(hostile)
    for shown in (str(hostile), repr(hostile), hostile._repr_html_()):
        assert "\x1b" not in shown
    assert "a&amp;b" in hostile._repr_html_()
    assert "note: <i>\\x1b" in str(hostile)
