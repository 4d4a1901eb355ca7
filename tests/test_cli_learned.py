"""What ``learn`` leaves in OUT: the ending decides, and ``.json`` is one file for every verb."""

from __future__ import annotations

import json

import pytest

import treebound as tb
import treebound.cli._learn_output as learned_module
from treebound.cli._app import VERBS, build_app, options_of

pytestmark = pytest.mark.core
ROWS = "rain,wet,slip,number\n" + "no,no,no,1\nyes,yes,no,2\nyes,yes,yes,2\nno,no,no,1\nno,yes,no,1\n" * 8
LEARN = ("learn", "t.csv", "-k", 2, "--steps", 20, "-q")


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text(ROWS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_file_serves_every_verb(here, run):
    assert run(*LEARN, "-o", "n.json") == (0, "", "")
    network = tb.load_network("n.json")
    structure = tb.load_structure("n.json")
    result = tb.learn("t.csv", 2, budget=tb.Budget(steps=20))
    assert structure == result.structure
    assert network == tb.fit(result, "t.csv")
    assert network.structure == structure
    assert run("score", "t.csv", "-o", "c.tbc", "-q")[0] == 0
    for words in (
        ("query", "n.json", "-t", "rain", "-e", "wet=yes"),
        ("check", "n.json", "--table", "t.csv", "--cache", "c.tbc"),
        ("fit", "n.json", "t.csv", "-o", "m.json"),
        ("convert", "n.json", "n.res"),
        (*LEARN, "-o", "n.json", "--resume"),
        ("query", "n.json", "-t", "rain"),
    ):
        code, _, err = run(*words)
        assert code == 0, (words, err)
    assert tb.load_network("m.json").structure == structure
    assert tb.load_structure("n.json").steps >= structure.steps


@pytest.mark.parametrize("name", ["n.bif", "n.json.gz", "n.xmlbif", "n.uai", "n.net", "n.xdsl", "n.BIF.gz"])
def test_endings_of_networks_get_the_tables(here, run, name):
    assert run(*LEARN, "-o", name)[0] == 0
    full = tb.fit(tb.learn("t.csv", 2, budget=tb.Budget(steps=20)), "t.csv")
    found = tb.load_network(name)
    assert found.arcs == full.arcs
    assert found.posterior("rain", {"wet": "yes"})["yes"] == pytest.approx(
        full.posterior("rain", {"wet": "yes"})["yes"]
    )
    assert run(*LEARN, "-o", name, "--resume")[0] == 0


@pytest.mark.parametrize("name", ["n.res", "n.dot", "n.graphml", "n.modelstring"])
def test_other_endings_get_the_structure(here, run, name):
    assert run(*LEARN, "-o", name)[0] == 0
    assert set(tb.load_structure(name).arcs) == set(
        tb.learn("t.csv", 2, budget=tb.Budget(steps=20)).structure.arcs
    )


def test_a_cache_gives_a_structure_which_says_how_to_fit_it(here, run):
    assert run("score", "t.csv", "-o", "c.tbc", "-q")[0] == 0
    assert run("learn", "c.tbc", "-k", 2, "--steps", 5, "-o", "s.json", "-q")[0] == 0
    for words in (("query", "s.json", "-t", "rain"), ("sample", "s.json", "-n", 3, "-o", "r.csv")):
        code, _, err = run(*words)
        assert code == 1
        assert "s.json: holds a structure without probability tables; `treebound fit" in err
    assert run("fit", "s.json", "t.csv", "-o", "n.json", "-q")[0] == 0
    assert run("query", "n.json", "-t", "rain")[0] == 0
    assert "becomes a network by `treebound fit" in run("query", "n.res", "-t", "rain")[2]


def test_checkpoints_are_structures_and_the_network_comes_last(here, run, monkeypatch):
    kinds = []
    honest = learned_module.save_structure

    def save(structure, path, **options):
        honest(structure, path, **options)
        kinds.append(json.loads((here / path).read_text())["format"])

    monkeypatch.setattr(learned_module, "save_structure", save)
    assert run(*LEARN, "-o", "n.json")[0] == 0
    assert kinds
    assert set(kinds) == {"treebound structure"}
    assert json.loads((here / "n.json").read_text())["format"] == "treebound network"


@pytest.mark.parametrize(("name", "kept"), [("n.json", True), ("n.bif", False)])
@pytest.mark.parametrize("error", [ValueError("too many cells."), MemoryError(), KeyboardInterrupt()])
def test_tables_that_cannot_be_fitted_lose_nothing(here, run, monkeypatch, name, kept, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("treebound.learning._here.fit", fail)
    code, _, err = run(*LEARN, "-o", name)
    assert code == (130 if isinstance(error, KeyboardInterrupt) else 1)
    if code == 1:
        assert f"{name} {'holds the structure alone' if kept else 'is not written'}" in err
    assert (here / name).exists() == kept
    if kept:
        assert tb.load_structure(name) == tb.learn("t.csv", 2, budget=tb.Budget(steps=20)).structure


def test_json_tells_the_file_and_its_parameters(here, run):
    code, out, _ = run(*LEARN[:-1], "-o", "n.json", "--json")
    told = json.loads(out)
    assert (code, told["path"]) == (0, "n.json")
    assert told["parameters"] == tb.load_network("n.json").num_parameters
    assert json.loads(run(*LEARN[:-1], "-o", "n.res", "--json")[1])["parameters"] is None


def test_the_file_of_a_network_refuses_a_damaged_structure(here, run):
    run(*LEARN, "-o", "n.json")
    fields = json.loads((here / "n.json").read_text())
    for claims in (5, {}, {**fields["structure"], "witness": 3}, {**fields["structure"], "score": "high"}):
        (here / "bad.json").write_text(json.dumps({**fields, "structure": claims}))
        for load, refusal in ((tb.load_network, tb.NetworkFileError), (tb.load_structure, tb.StructureError)):
            with pytest.raises(refusal, match=r"^bad\.json: "):
                load("bad.json")


def test_networks_keep_only_the_structure_that_is_theirs(here):
    result = tb.learn("t.csv", 2, budget=tb.Budget(steps=20))
    network = tb.fit(result, "t.csv")
    assert network.update("t.csv").structure == result.structure
    assert network.do({"wet": "yes"}).structure.score is None
    assert tb.fit(network, "t.csv").structure == result.structure


def test_the_version(run):
    assert run("--version") == (0, f"treebound {tb.__version__}\n", "")


def test_samples_hold_numbers_unless_labels_are_asked_for(here, run):
    (here / "x.csv").write_text("x,y\n" + "".join(f"{i / 7:.3f},{'ab'[i % 2]}\n" for i in range(60)))
    assert run("learn", "x.csv", "-k", 1, "--steps", 5, "--bins", "3", "-o", "x.json", "-q")[0] == 0
    for name, options in (("a.csv", ()), ("a.parquet", ("--threads", 1))):
        assert run("sample", "x.json", "-n", 20, "-o", name, "-q", *options)[0] == 0
        rows = tb.load(name, discretise={"x": 2})
        assert rows.schema["x"].kind == "binned"
    assert run("sample", "x.json", "-n", 20, "-o", "b.csv", "--labels", "-q")[0] == 0
    assert set(tb.load("b.csv").schema["x"].states) <= set(tb.load_network("x.json").schema["x"].states)


def test_threads_do_not_change_answers(here, run):
    network = tb.fit(tb.learn("t.csv", 2, budget=tb.Budget(steps=20)), "t.csv")
    assert (network.score_samples("t.csv", threads=1) == network.score_samples("t.csv", threads=2)).all()
    assert (network.predict("t.csv", "wet", threads=1) == network.predict("t.csv", "wet", threads=2)).all()
    gaps = {"rain": ["no", None], "wet": [None, "yes"], "slip": ["no", "no"], "number": [1, 2]}
    for strategy in ("most_probable", "draw"):
        one, two = (network.impute(gaps, strategy=strategy, seed=1, threads=t) for t in (1, 2))
        assert one == two
    with pytest.raises(ValueError, match="threads must be"):
        network.predict("t.csv", "wet", threads=0)


def test_every_verb_has_the_options_that_the_readme_promises():
    for verb in VERBS:
        options = options_of(build_app([verb]), [verb])
        assert ("--json" in options) == (verb != "demo"), verb
        assert ("--quiet" in options) == (verb not in ("demo", "inspect")), verb
