"""The command line as scripts see it: files, JSON, exit codes, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import treebound
from treebound.tables.files.save import save_table

ROWS = "rain,wet,slip\n" + "no,no,no\nyes,yes,yes\nyes,yes,no\nno,no,no\n" * 25


def run(*words, cwd, **options):
    return subprocess.run(
        [sys.executable, "-m", "treebound", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "table.csv").write_text(ROWS)
    return tmp_path


@pytest.mark.parametrize("cache", ["cache.tbc", "cache.jkl", "cache.jkl.gz"])
def test_score_writes_the_cache_that_its_ending_names(folder, cache):
    done = run("score", "table.csv", "-o", cache, "--json", "--time", "5", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    for key in ("variables", "rows", "sets_scored", "sets_kept", "pruned", "seconds", "sets_per_second"):
        assert key in report
    assert report["peak_memory_mb"] > 1
    assert report["variables"] == 3
    assert report["rows"] == 100
    found = treebound.load_cache(folder / cache)
    assert found.num_sets == report["sets_kept"]
    assert found.best(1).parent_indices == (0,)


def test_score_takes_methods_scores_and_rules(folder):
    plain = ("score", "table.csv", "--parent-sets", "exhaustive", "--max-parents", "2", "--json", "--quiet")
    everything = json.loads(run(*plain, "-o", "a.jkl", "--no-pruning", cwd=folder).stdout)
    assert everything["sets_kept"] == 3 * 4
    assert everything["pruned"] == {}
    one_less = json.loads(run(*plain, "-o", "b.jkl", "--without", "dominated", cwd=folder).stdout)
    assert "dominated" not in one_less["pruned"]
    bdeu = json.loads(run(*plain, "-o", "c.jkl", "--score", "bdeu", "--ess", "2", cwd=folder).stdout)
    assert set(bdeu["pruned"]) == {"configurations", "dominated"}


def test_quiet_prints_nothing_and_the_table_is_for_people(folder):
    assert run("score", "table.csv", "-o", "c.tbc", "--quiet", "--steps", "9", cwd=folder).stdout == ""
    assert "parent sets kept" in run("score", "table.csv", "-o", "c.tbc", "--steps", "9", cwd=folder).stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("score", "tables.csv", "-o", "c.tbc"), 1, "table.csv"),
        (("score", "table.csv", "-o", "c.txt"), 2, ".jkl"),
        (("score", "table.csv", "-o", "nowhere/c.tbc"), 1, "nowhere"),
        (("score", "table.csv", "-o", "c.tbc", "--without", "magic"), 2, "magic"),
        (("score", "table.csv", "-o", "c.jkl", "--resume"), 2, ".tbc"),
        (("score", "table.csv", "-o", "c.tbc", "--resume"), 1, "c.tbc"),
        (("learn", "table.csv", "-k", "2", "-o", "n.txt"), 2, ".json"),
        (("learn", "table.csv", "-k", "-1", "-o", "n.json"), 2, "treewidth"),
        (("learn", "table.csv", "-o", "n.json", "--max-cells", "8", "--solver", "kg"), 2, "regrow"),
        (("learn", "table.csv", "-o", "n.json", "--max-cells", "1", "--steps", "1"), 1, "at least 2"),
    ],
)
def test_a_wish_that_cannot_be_met_gets_one_clear_word(folder, words, code, said):
    done = run(*words, cwd=folder)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_bad_cells_are_named(folder):
    (folder / "bad.csv").write_text("a,b\n1,\n,2\n0,1\n")
    done = run("score", "bad.csv", "-o", "c.tbc", cwd=folder)
    assert done.returncode == 1
    assert "'a'" in done.stderr
    assert "'b'" in done.stderr
    assert not (folder / "c.tbc").exists()


@pytest.mark.parametrize("solver", ["regrow", "kg", "ka", "kmax"])
def test_learn_reports_what_it_found_and_the_checker_agrees(folder, solver):
    words = ("--max-treewidth", 1, "--steps", 5, "--seed", 2, "--solver", solver, "--json")
    done = run("learn", "table.csv", *words, "-o", "net.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    for key in (
        "score",
        "treewidth",
        "variables",
        "solver",
        "seconds",
        "steps",
        "statistics",
        "checked",
        "trace",
    ):
        assert key in report
    assert report["checked"] is True
    assert report["solver"] == solver
    assert report["treewidth"] <= 1
    assert report["trace"][-1]["score"] == report["score"]
    assert run("check", "net.json", "--max-treewidth", 1, cwd=folder).returncode == 0


def test_paper_runs_a_method_as_printed(folder):
    words = ("learn", "table.csv", "-k", 1, "--steps", 3, "--paper", "-o", "net.json", "--json")
    # With more threads, an order may be proved after the step that ends the search.
    report = json.loads(run(*words, "--solver", "ka", "--threads", 1, cwd=folder).stdout)
    assert report["statistics"]["num_proved"] == report["steps"]
    assert report["statistics"]["num_skipped"] == 0
    done = run(*words, "--solver", "kmax", cwd=folder)
    assert done.returncode == 2
    assert "the paper has kg, ka, s2, s2plus" in done.stderr


def test_learn_searches_a_cache_and_goes_on_from_its_result(folder):
    run("score", "table.csv", "-o", "cache.jkl.gz", "--steps", 50, cwd=folder)
    words = ("learn", "cache.jkl.gz", "-k", 2, "--steps", 3, "--json", "-o", "net.json")
    first = json.loads(run(*words, cwd=folder).stdout)
    again = json.loads(run(*words, "--resume", cwd=folder).stdout)
    assert again["score"] >= first["score"]
    other = "a,b\n" + "0,1\n1,0\n" * 9
    (folder / "other.csv").write_text(other)
    done = run("learn", "other.csv", "-k", 2, "--steps", 3, "--resume", "-o", "net.json", cwd=folder)
    assert done.returncode == 1
    assert "other variables" in done.stderr


def test_learn_bounds_the_states_of_bags(folder):
    words = ("--max-cells", 4, "--steps", 3, "--json", "-o", "net.json")
    done = run("learn", "table.csv", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["max_cells"], report["max_treewidth"], report["treewidth"]) == (4, None, 1)
    assert "at most 4 joint states per bag" in report["verdict"]
    found = treebound.load_structure(folder / "net.json")
    assert found.max_cells == 4
    assert treebound.check(found, data=treebound.load(folder / "table.csv")).max_cells == 4


def test_learn_goes_on_with_families_that_its_cache_lacks(folder):
    """As after a long run: the structure holds families that were scored while searching."""
    table = treebound.random_network(12, max_treewidth=2, max_states=3, seed=3).sample(300, 3)
    save_table(table, folder / "wide.csv")
    run("score", "wide.csv", "-o", "c.tbc", "--parent-sets", "exhaustive", "--max-parents", 1, cwd=folder)
    words = ("learn", "wide.csv", "-k", 3, "--cache", "c.tbc", "--resume", "--json", "-o", "net.json")
    first = json.loads(run(*words, "--steps", 4, cwd=folder).stdout)
    found, cache = treebound.load_structure(folder / "net.json"), treebound.load_cache(folder / "c.tbc")
    assert cache.max_parents == 1
    assert max(map(len, found.parent_indices)) > 1
    done = run(*words, "--steps", 4, "--seed", 1, cwd=folder)
    assert done.returncode == 0, done.stderr
    again = json.loads(done.stdout)
    assert again["score"] >= first["score"] - 1e-9
    assert again["checked"]
    assert again["sets_scored"] == 0
    assert "scores recounted from the table, and the cache agrees with it" in again["verdict"]


def test_learn_says_when_the_bound_is_none(folder):
    done = run("learn", "table.csv", "-k", 9, "--steps", 3, "-o", "net.json", cwd=folder)
    assert done.returncode == 0
    assert "the limit has no effect" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("verb", ["score", "learn"])
def test_a_signal_leaves_a_valid_file_and_exit_code_130(tmp_path, verb, number):
    began = time.monotonic()
    run("generate", "wide.csv", "--variables", 40, "--rows", 2000, cwd=tmp_path)
    start_up = time.monotonic() - began  # long on a crowded machine
    out = "out.tbc" if verb == "score" else "out.json"
    words = [verb, "wide.csv", "-o", out, "--time", "100", *(["-k", "3"] if verb == "learn" else [])]
    process = subprocess.Popen(
        [sys.executable, "-m", "treebound", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(2 + 4 * start_up)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr.decode()
    if verb == "score":
        cache = treebound.load_cache(tmp_path / out)
        assert cache.variables_without_empty_set == ()
        resumed = run("score", "wide.csv", "-o", out, "--time", "1", "--resume", "--json", cwd=tmp_path)
        assert resumed.returncode == 0, resumed.stderr
        assert json.loads(resumed.stdout)["sum_of_best"] >= cache.sum_of_best
    else:
        assert treebound.check(treebound.load_structure(tmp_path / out), max_treewidth=3)


def test_a_killed_learn_run_leaves_its_best_structure(tmp_path):
    run("generate", "wide.csv", "--variables", 60, "--rows", 1000, cwd=tmp_path)
    run("score", "wide.csv", "-o", "c.tbc", "--time", 1, "--max-parents", 3, cwd=tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "treebound", "learn", "c.tbc", "-k", "3", "-o", "net.json", "--time", "100"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 30
    while not (tmp_path / "net.json").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    found = treebound.load_structure(tmp_path / "net.json")
    assert treebound.check(found, treebound.load_cache(tmp_path / "c.tbc"), 3)


def test_help_of_every_verb_teaches(folder):
    for verb in ("score", "learn", "check", "convert", "generate"):
        done = run(verb, "--help", cwd=folder)
        assert done.returncode == 0
        assert "Examples" in done.stdout


def test_learn_tells_the_seconds_of_every_phase_and_the_peak_memory(folder):
    done = run("learn", "table.csv", "-k", 1, "--steps", 2, "-o", "net.json", "--json", cwd=folder)
    report = json.loads(done.stdout)
    phases = ("reading", "scoring", "searching", "checking", "writing")
    assert min(report[f"{phase}_seconds"] for phase in phases) > 0
    assert report["seconds"] == pytest.approx(sum(report[f"{phase}_seconds"] for phase in phases))
    assert report["peak_memory_mb"] > 10


def test_warnings_are_notes(tmp_path):
    cache = treebound.ParentSetCache.from_sets({f"x{v}": [((), -1.0)] for v in range(101)})
    treebound.save_cache(cache, tmp_path / "c.tbc")
    words = ("learn", "c.tbc", "-k", 1, "--solver", "s2plus", "--steps", 1, "-o", "net.json")
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.count("note: The solver s2plus is slow for more than 100 variables") == 1
    assert run(*words, "--quiet", cwd=tmp_path).stderr == ""


def test_learn_tells_the_bound_and_ends_at_the_optimum(folder):
    words = ("learn", "table.csv", "-k", 1, "--time", 600, "--patience", 0, "-o", "net.json")
    report = json.loads(run(*words, "--json", cwd=folder).stdout)
    assert (report["is_optimal"], report["stopped"], report["bound_source"]) == (True, "optimal", "rows")
    assert report["bound"] == pytest.approx(report["score"], rel=1e-9)
    assert report["gap"] <= 1e-9
    shown = run(*words, cwd=folder).stdout
    assert "upper bound (rows)" in shown
    assert "none: optimal" in shown
    assert run(*words[:-4], "--patience", 2, "-o", "net.json", cwd=folder).returncode == 2


@pytest.mark.parametrize(
    ("word", "meant"), [("--seconds", "--time"), ("--timeout=3", "--time"), ("--sep", "--delimiter")]
)
def test_options_of_other_programs_are_known(run, word, meant):
    code, _, err = run("learn", "table.csv", word, "3")
    assert code == 2
    assert f"Did you mean {meant}?" in err


def test_auto_uses_rows_with_missing_values_and_its_errors_do_not_name_auto(run, tmp_path):
    words = ("learn", str(tmp_path / "gaps.csv"), "-k", "1", "-o", str(tmp_path / "net.json"))
    (tmp_path / "gaps.csv").write_text("a,b\n" + "x,\n,y\ny,x\n,x\nx,\n,y\n")
    assert "--auto applies" in run(*words)[2]
    code, _, err = run(*words, "--auto", "--steps", "5")
    assert (code, "5 of 6 rows have missing values and are used by EM" in err) == (0, True)
    (tmp_path / "gaps.csv").write_text("a,b\n,\n,\n")
    code, _, err = run(*words, "--auto")
    assert code == 1
    assert "no column is left" in err
    assert "--auto" not in err
