"""The paper's experiments as a whole, tiny: run, taken up again, recorded and reported, on generated rows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.paper.__main__ import command_of, main, parser
from benchmarks.paper._data import instances
from benchmarks.paper._definitions import Experiment, load_experiment
from benchmarks.paper._measure import Measurement, measure_all
from benchmarks.paper._plan import Settings, specs_of
from benchmarks.paper._record import load_record, save_record
from benchmarks.paper._report import write_report
from benchmarks.paper._run import Outcome, run_experiment

from treebound import Exhaustive, random_network, save_cache, score
from treebound.experiments import RunRecord, RunStatus

pytest.importorskip("matplotlib")
pytest.importorskip("pyscipopt")

ABOUT = 'title = "Tiny"\npaper = "none"\nquestion = "Does it run?"\nexpected = "Yes."\n'
SCORING = "[scoring]\nmax_parents = 2\nseconds_per_variable = 0.01\nleast_seconds = 0.05\n"
DEFINITIONS = {
    "variants": """kind = "variants"
        seconds = 5
        max_parents = 2
        [[sources]]
        name = "a"
        variants = ["a"]
        printed = -100""",
    "small": f"""kind = "search"
        seconds = 60.0
        seeds = 2
        treewidths = [2]
        curves = ["a"]
        methods = ["gobnilp", "s2", "s2plus", "kg", "ka", "regrow", "hc-et", "exact-ilp"]
        {SCORING}
        [[sources]]
        name = "a"
        file = "a"
        printed = {{ gobnilp = -99, s2 = -100, s2plus = -100, kg = -100, ka = -100 }}""",
    "inverted": f"""kind = "search"
        seconds = 60.0
        treewidths = [2]
        methods = ["gobnilp", "s2", "kg", "regrow"]
        {SCORING}
        [[sources]]
        name = "inverted k=2 n=7"
        inverted_tree = {{ variables = 7, parents = 2, rows = 100 }}
        copies = 2
        treewidths = [2]""",
    "very_large": f"""kind = "search"
        seconds = 60.0
        treewidths = [2, 3]
        curves = ["R"]
        methods = ["order", "s2", "kg", "regrow"]
        victories = {{ "kg > s2" = [1, 1] }}
        {SCORING}
        [[sources]]
        name = "R"
        random_network = {{ variables = 8, rows = 99 }}""",
    "slim": """kind = "search"
        seconds = 60.0
        treewidths = [2]
        methods = ["regrow"]
        [[sources]]
        name = "a"
        cache = "a"
        treewidths = [2]
        printed = { bn-slim = -400 }""",
    "large": f"""kind = "search"
        seconds = 60.0
        treewidths = [2]
        methods = ["gobnilp", "s2", "kg", "regrow"]
        victories = {{ "kg > s2" = [3] }}
        {SCORING}
        [[sources]]
        name = "a"
        parts = "a"
        splits = 3""",
    "candidates": """kind = "candidates"
        seconds = 5
        [[sources]]
        name = "a"
        file = "a"
        treewidth = 2
        max_parents = 2
        methods = ["s2", "kg"]
        printed = { s2 = [1, -2, -3], kg = [1, -2, -3] }""",
    "bounds": """kind = "pruning"
        rules = ["in_degree", "theorem1", "de_campos_ji", "entropy"]
        [[sources]]
        name = "a"
        file = "a"
        max_parents = 2
        [[sources]]
        name = "absent"
        file = "b"
        max_parents = 2""",
    "published": f"""kind = "search"
        then = "density"
        seconds = 60.0
        treewidths = [2]
        methods = ["regrow"]
        {SCORING}
        [[sources]]
        name = "a"
        file = "a.train"
        held_out = ["a.valid", "a.test"]
        printed = {{ hc-et = [-400], kmax = [-400], kg = [-400] }}
        density = {{ strudel = -4.0 }}""",
    "inference": f"""kind = "search"
        then = "inference"
        seconds = 60.0
        treewidths = [2]
        methods = ["gobnilp", "regrow"]
        {SCORING}
        [[sources]]
        name = "a"
        file = "a" """,
}


@pytest.fixture
def experiments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Experiment]:
    """Tiny definitions under the names of the real ones, and rows for them in a folder of data."""
    data = tmp_path / "data"
    data.mkdir()
    network = random_network(7, max_states=2, max_parents=2, seed=5)
    for number, name in enumerate(("a", "a.train", "a.valid", "a.test")):
        network.sample(120, seed=number).to_frame("pandas").to_csv(data / f"{name}.csv.gz", index=False)
    (data / "jkl").mkdir()
    rows = network.sample(120, seed=0)
    save_cache(score(rows, parent_sets=Exhaustive(2), budget=None).cache, data / "jkl" / "a.jkl.gz")
    monkeypatch.setenv("TREEBOUND_DATA", str(data))
    for name, text in DEFINITIONS.items():
        (tmp_path / f"{name}.toml").write_text(ABOUT + text)
    return [load_experiment(tmp_path / f"{name}.toml") for name in DEFINITIONS]


def test_everything_runs_once_and_is_reported(experiments: list[Experiment], tmp_path: Path):
    settings = Settings(0.001, tmp_path / "out", repeats=2)
    said: list[str] = []
    outcomes = [run_experiment(experiment, settings, said.append) for experiment in experiments]
    assert "skipped: absent: b.csv.gz not in TREEBOUND_DATA." in said
    assert all(outcome.is_complete for outcome in outcomes)
    assert all(run.is_ok for outcome in outcomes for run in outcome.runs)
    assert all(row["status"] == "ok" for outcome in outcomes for row in outcome.rows)
    # The same command again does nothing but read.
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.json")}
    again = [run_experiment(experiment, settings, said.append) for experiment in experiments]
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.json")} == files
    assert [outcome.rows for outcome in again] == [outcome.rows for outcome in outcomes]

    path = save_record(outcomes, settings, "a command", tmp_path / "record.json")
    record = load_record(path)
    assert {name: len(runs) for name, runs in record.runs.items()} == {
        outcome.experiment.name: len(outcome.runs) for outcome in outcomes
    }
    large = next(outcome for outcome in outcomes if outcome.experiment.name == "large")
    assert record.runs["large"][0]["score"] == pytest.approx(large.runs[0].score, abs=1e-3)
    maker = record.about["made_by"][record.runs["large"][0]["made_by"]]
    assert {"commit", "cores", "python", "treebound"} <= set(maker)

    docs, html = tmp_path / "docs", tmp_path / "page.html"
    assert write_report(record, path, docs, html) == [docs / "benchmarks" / "paper.md", html]
    page = (docs / "benchmarks" / "paper.md").read_text()
    assert "## Claims of the paper" in page
    assert "| Only k-G and S2 cope with very large data | 4.4 | **not tested** |" in page
    figures = [line.split("(")[1][:-1] for line in page.splitlines() if line.startswith("![")]
    assert figures
    assert all((docs / "benchmarks" / figure).stat().st_size > 1000 for figure in figures)
    assert 'src="data:image/png;base64,' in html.read_text()


def test_a_failure_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TREEBOUND_DATA", str(tmp_path))
    asked = Measurement("x", "density", {"structure": "absent.json", "row": {"source": "x"}}, 60, 2048)
    (row,) = measure_all([asked], tmp_path)
    assert (row["source"], row["status"]) == ("x", "failed")
    assert "absent.json" in row["message"]


def test_a_report_tells_every_failure(experiments: list[Experiment], tmp_path: Path):
    settings = Settings(0.001, tmp_path / "out", repeats=1)
    told = f"Traceback:\nOSError: {tmp_path}/out/a.npy: no rows"
    row = {"name": "a", "status": "failed", "message": told, "commit": ""}
    lost = []
    for experiment in experiments:
        sources = experiment.sources if experiment.kind == "search" else ()
        specs = specs_of(experiment, [one for source in sources for one in instances(source, 1)], settings)
        runs = tuple(RunRecord(spec, RunStatus.MEMORY, "too large") for spec in specs)
        lost.append(Outcome(experiment, runs=runs, rows=(row,)))
    path = save_record(lost, settings, "a command", tmp_path / "record.json")
    write_report(load_record(path), path, tmp_path / "docs", tmp_path / "page.html")
    page = (tmp_path / "docs" / "benchmarks" / "paper.md").read_text()
    assert "- a #1, kg, k = 2: memory, too large" in page
    assert page.count("- a: failed, OSError: a.npy: no rows") == len(experiments)
    count = sum(len(outcome.runs) for outcome in lost)
    assert f"{count} searches, of which {count} failed" in page


def test_a_killed_parent_takes_its_measurements_along(tmp_path: Path):
    part = tmp_path / "a.part"
    source = {"name": "a", "random_network": {"variables": 400, "rows": 9999}, "max_parents": 3}
    asked = Measurement("a", "pruning", {"source": source, "rules": []}, 600, 4096)
    words = [sys.executable, "-m", "benchmarks.paper._child", json.dumps(asked.to_json()), str(part)]
    child = subprocess.Popen(words, stdin=subprocess.PIPE)
    assert child.poll() is None
    assert child.stdin is not None
    child.stdin.close()  # as the system does when the parent is gone
    assert child.wait(60) == 1


def test_the_plan_tells_runs_and_seconds(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("TREEBOUND_DATA", raising=False)
    assert (
        main(["plan", "--only", "inverted,bounds", "--scale", "0.01", "--repeats", "2", "--jobs", "1"]) == 0
    )
    head, inverted, bounds, every, minutes = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["experiment", "runs", "searching"]
    # Ten sizes, two trees each: seven methods of 6 seconds, and GOBNILP with as many.
    assert inverted.split()[:3] == ["inverted", "160", "960"]
    assert bounds.split()[:2] == ["bounds", "1"]
    assert every.split()[:3] == ["all", "161", "960"]
    assert minutes.startswith("about")


def test_the_command_of_a_record_names_no_folder():
    words = "run --only small,large --scale 0.002 --repeats 3 --out /somewhere --record /else --retry"
    told = command_of(parser().parse_args(words.split()))
    assert told == "python -m benchmarks.paper run --scale 0.002 --share 1 --only small,large --repeats 3"


def test_a_file_that_is_no_record_is_refused(tmp_path: Path):
    path = tmp_path / "other.json"
    path.write_text(json.dumps({"rows": []}))
    with pytest.raises(ValueError, match=r"other\.json: expected a record"):
        load_record(path)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("run --only nothing", "expected some of variants,small"),
        ("run --scale 0", "above 0"),
        ("run --repeats 0", "from 1 on"),
    ],
)
def test_words_that_make_no_sense_are_refused(words: str, told: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="2"):
        main(words.split())
    assert told in capsys.readouterr().err


def test_the_experiments_are_listed(capsys: pytest.CaptureFixture[str]):
    assert main(["list"]) == 0
    assert "very_large: Very large data sets (section 4.4, box plots)" in capsys.readouterr().out
