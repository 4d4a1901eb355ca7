"""Constraints in files and on the command line."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strategies_constraints import names_of, random_constraints
from treebound import Constraints, load_cache, load_structure
from treebound.constraints import Tiers
from treebound.formats import ConstraintFileError, load_constraints, save_constraints

KNOWN = Constraints(
    required=["a -> b"], forbidden=[("c", "a")], tiers=Tiers([["a", "c"], ["b", "d"]], within=[True, False])
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), ending=st.sampled_from(["toml", "json", "json.gz"]))
def test_our_own_files_keep_everything(seed, ending, tmp_path):
    value = Constraints.from_dict(random_constraints(random.Random(seed), 5))
    path = tmp_path / f"knowledge.{ending}"
    save_constraints(value, path)
    assert load_constraints(path) == value


def test_tetrad_knowledge_is_written_and_read(tmp_path):
    path = tmp_path / "knowledge.txt"
    save_constraints(KNOWN, path)
    assert path.read_text() == (
        "/knowledge\naddtemporal\n1 a c\n2* b d\n\nforbiddirect\nc a\n\nrequiredirect\na b\n"
    )
    assert load_constraints(path) == KNOWN


def test_tetrad_knowledge_of_others_is_read(tmp_path):
    path = tmp_path / "college.prior"
    path.write_text(
        "/knowledge\naddtemporal\n\n1 spending fac_salary\n4*- grad_rate\n\nrequiredirect\nx1\tx2\n"
    )
    read = load_constraints(path)
    assert read.tiers == (Tiers([["spending", "fac_salary"], ["grad_rate"]], within=[True, False]),)
    assert read.required == ((("x1",), ("x2",)),)


def test_benchpress_is_written_and_read(tmp_path):
    path = tmp_path / "edges.json"
    known = Constraints(required=["a->b"], forbidden=["c->a"], tiers=Tiers([["a"], ["b"]], within=False))
    save_constraints(known, path, format="benchpress")
    assert json.loads(path.read_text())["tier_settings"] == {
        "forbid_within_tiers": True,
        "can_only_cause_next_tier": False,
    }
    assert load_constraints(path) == known
    path.write_text(
        json.dumps({"forbidden_groups": [{"cause": ["1"], "effect": ["3", "4"]}], "source_nodes": ["2"]})
    )
    assert load_constraints(path) == Constraints(forbidden=[("1", ["3", "4"])], roots=["2"])


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("ending", ["txt", "json"])
def test_files_of_others_allow_the_same_arcs(seed, ending, tmp_path):
    names = names_of(5)
    knowledge = random_constraints(random.Random(seed), 5)
    for kind in ("required", "adjacent", "max_parents"):
        knowledge.pop(kind, None)
    value = Constraints.from_dict(knowledge)
    path = tmp_path / f"knowledge.{ending}"
    how = {"format": "benchpress"} if ending == "json" else {}
    try:
        rules = value.compile(names)
        save_constraints(value, path, names=names, **how)
    except ValueError as error:
        assert "order" in str(error) or "one rule for arcs inside" in str(error)  # noqa: PT017
        return
    read = load_constraints(path).compile(names)
    assert all(read.forbids(v, p) == rules.forbids(v, p) for v in range(5) for p in range(5) if v != p)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.toml", "required = 3", "x.toml.*expected constraints"),
        ("x.toml", "a = [", "x.toml"),
        ("x.json", "[1]", "expected an object"),
        ("x.json", '{"require": []}', "did you mean 'required'"),
        ("x.json", '{"required_edges": [], "context": []}', "got 'context'"),
        ("x.txt", "hello", "line 1: expected addtemporal"),
        ("x.txt", "forbiddirect\na b c", "line 2: expected two variables, got 3"),
        ("x.txt", "addtemporal\none a", "line 2: expected the number of a tier"),
        ("x.yaml", "", "a file that ends in .toml"),
    ],
)
def test_a_bad_file_is_rejected_with_its_name(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ConstraintFileError, match=message):
        load_constraints(path)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (Constraints(adjacent=["a-b"]), "has no required adjacencies"),
        (Constraints(max_parents=2), "has no largest numbers of parents"),
        (Constraints(max_cells=2), "has no limit on cells"),
        (Constraints(forbidden=["a*->b"]), "stands for several variables"),
        (Constraints(roots=["a"]), "pass the names of all variables"),
        (Constraints(required=["a b->c"]), "separates names by whitespace"),
    ],
)
def test_what_a_format_cannot_express_is_rejected(tmp_path, known, message):
    with pytest.raises(ValueError, match=message):
        save_constraints(known, tmp_path / "knowledge.txt")


@pytest.fixture
def table(tmp_path):
    source = random.Random(1)
    rows = []
    for _ in range(200):
        age = source.choice("ab")
        bmi = age if source.random() < 0.8 else source.choice("ab")
        rows.append([age, bmi, bmi if source.random() < 0.8 else source.choice("ab")])
    path = tmp_path / "table.csv"
    path.write_text("age,bmi,pain_score\n" + "\n".join(map(",".join, rows)) + "\n")
    return path


def test_options_of_the_command_hold_together(run, table, tmp_path):
    save_constraints(Constraints(forbidden=["bmi -> pain_score"]), tmp_path / "known.toml")
    options = ["--constraints", tmp_path / "known.toml", "--require", "age->pain_score", "--steps", 10]
    options += ["--tier", "age", "--tier", "bmi", "--tier", "*_score"]
    code, out, err = run("learn", table, "-k", 2, "-o", tmp_path / "network.json", *options, "--json")
    assert code == 0, err
    report = json.loads(out)
    assert "constraints obeyed" in report["verdict"]
    assert report["constraints"]["required"] == [["age", "pain_score"]]
    structure = load_structure(tmp_path / "network.json")
    assert ("age", "pain_score") in structure.arcs
    assert ("bmi", "pain_score") not in structure.arcs
    assert run("check", tmp_path / "network.json", "--table", table)[0] == 0
    code, out, _ = run("check", tmp_path / "network.json", "--forbid", "age->pain_score")
    assert code == 1
    assert "constraint violated: age -> pain_score" in out


def test_scoring_and_tuning_take_constraints(run, table, tmp_path):
    options = ["--forbid", "age->*", "--steps", 50]
    assert run("score", table, "-o", tmp_path / "cache.tbc", *options, "-q")[0] == 0
    assert load_cache(tmp_path / "cache.tbc").constraints == Constraints(forbidden=["age->*"])
    assert run("tune", table, "-k", "1,2", "--folds", 2, *options, "--json")[0] == 0


def test_a_contradiction_on_the_command_line_is_an_error(run, table, tmp_path):
    tiers = ["--tier", "bmi", "--tier", "age"]
    code, _, err = run("learn", table, "-o", tmp_path / "n.json", "--require", "age->bmi", *tiers)
    assert code == 1
    assert "'age' -> 'bmi' is required, and tier 2 comes after tier 1" in err
    _, _, err = run("learn", table, "-o", tmp_path / "n.json", "--require", "aeg->bmi")
    assert "did you mean 'age'" in err
