"""The limit on the joint states of a bag as a constraint: no rule for families, but kept and checked."""

from __future__ import annotations

import json
import random

import pytest

from test_constraints_search import KNOWN, ONE, table
from treebound import (
    Budget,
    Constraints,
    Exhaustive,
    check,
    learn,
    load_cache,
    load_structure,
    save_cache,
    score,
)
from treebound.constraints import split_cells, with_cells
from treebound.formats import save_constraints
from treebound.learning import Limits, Wanted
from treebound.resampling import ModelAveraging, arc_strength
from treebound.solvers import Regrow, search
from treebound.structure import explain_constraints

pytestmark = pytest.mark.core
FOUR = Constraints(max_cells=4)
STEPS = Budget(steps=5)


def test_the_limit_is_a_value_like_the_others():
    assert FOUR
    assert not Constraints(max_cells=None)
    assert (FOUR | Constraints(max_cells=3)).max_cells == 3
    assert (Constraints(max_cells=3) | FOUR).max_cells == 3
    assert (FOUR | Constraints()) == (Constraints() | FOUR) == FOUR != Constraints(max_cells=5)
    assert Constraints.from_dict(FOUR.to_dict()) == FOUR
    assert hash(FOUR) != hash(Constraints(max_cells=5))
    both = KNOWN | Constraints(max_cells=10_000)
    assert repr(both).endswith(", max_cells 10,000>")
    assert str(both).splitlines()[-1] == "at most    10,000 cells per bag"


def test_the_limit_alone_leaves_no_rules():
    assert not FOUR.compile(["a", "b"])
    assert not list(FOUR.reasons(["a", "b"]).violations([(), (0,)]))


@pytest.mark.parametrize("constraints", [None, KNOWN])
@pytest.mark.parametrize("max_cells", [None, 7])
def test_the_limit_is_taken_off_and_put_back(constraints, max_cells):
    assert split_cells(with_cells(constraints, max_cells)) == (max_cells, constraints)
    wanted = Wanted(Limits(2, 9), Regrow(), constraints=with_cells(constraints, max_cells))
    assert (wanted.limits, wanted.constraints) == (Limits(2, max_cells or 9), constraints)


def test_a_structure_has_the_limit_and_no_other_constraints():
    result = learn(table(), constraints=FOUR, budget=STEPS, where=ONE)
    assert result.limits == "4 cells per bag"
    assert (result.structure.max_cells, result.structure.constraints) == (4, None)
    assert result.cache.constraints is None
    assert "at most 4 joint states per bag, scores" in str(result.verdict)
    with pytest.raises(ValueError, match="learned without constraints"):
        explain_constraints(result, table())


def test_other_constraints_leave_the_default_limits():
    default = learn(table(), constraints=KNOWN, budget=STEPS, where=ONE)
    assert default.limits == "treewidth 5, 10,000 cells per bag"
    assert default.structure.constraints == KNOWN
    limited = learn(table(), constraints=KNOWN | Constraints(max_cells=16), budget=STEPS, where=ONE)
    assert limited.limits == "16 cells per bag"
    assert limited.structure.constraints == KNOWN
    assert limited.structure.guarantee.largest_cells <= 16
    assert "16 joint states per bag, constraints obeyed" in str(limited.verdict)


def test_a_cache_scored_under_the_limit_is_searched_under_it(tmp_path):
    data = table()
    save_cache(score(data, parent_sets=Exhaustive(2), constraints=FOUR, where=ONE).cache, tmp_path / "c.tbc")
    cache = load_cache(tmp_path / "c.tbc")
    assert cache.constraints == FOUR
    assert cache.same_sets_as(score(data, parent_sets=Exhaustive(2), where=ONE).cache)
    collider = Constraints(required=["x0 -> x2", "x1 -> x2"])
    wide = learn(data, 3, constraints=collider, budget=STEPS, where=ONE).structure
    assert [str(fault.kind) for fault in check(wide, cache, data=data).faults] == ["cell limit exceeded"]
    assert search(cache, budget=STEPS, threads=1).structure.max_cells == 4
    for source, options in ((cache, {}), (data, {"score": cache})):
        found = learn(source, budget=STEPS, where=ONE, **options)
        assert (found.limits, found.structure.constraints) == ("4 cells per bag", None)
        with pytest.raises(ValueError, match=r"^max_cells needs another solver \(.*\), got kg\.$"):
            learn(source, solver="kg", budget=STEPS, where=ONE, **options)
    less = search(cache, constraints=Constraints(max_cells=2), budget=STEPS, threads=1).structure
    assert (less.max_cells, less.num_arcs) == (2, 0)


def test_a_consensus_keeps_the_limit():
    strength = arc_strength(table(), 2, method=ModelAveraging(2), budget=STEPS, constraints=FOUR, threads=1)
    assert all(network.max_cells == 4 for network in strength.networks)
    assert (strength.consensus.max_cells, strength.consensus.guarantee.largest_cells) == (4, 4)
    assert check(strength.consensus)


@pytest.mark.parametrize(("of_file", "option", "smaller"), [(4, 9, 4), (9, 4, 4), (4, None, 4)])
def test_a_file_and_an_option_limit_together(run, tmp_path, of_file, option, smaller):
    source = random.Random(1)
    rows = [[a := source.choice("01"), a, source.choice([a, "0"])] for _ in range(60)]
    (tmp_path / "table.csv").write_text("a,b,c\n" + "\n".join(map(",".join, rows)) + "\n")
    save_constraints(Constraints(max_cells=of_file), tmp_path / "known.toml")
    options = ["--constraints", tmp_path / "known.toml", "--steps", 5, "--json"]
    options += [] if option is None else ["--max-cells", option]
    code, out, err = run("learn", tmp_path / "table.csv", "-o", tmp_path / "n.json", *options)
    assert code == 0, err
    assert "no limit given" not in err
    report = json.loads(out)
    assert (report["max_treewidth"], report["max_cells"]) == (None, smaller)
    assert load_structure(tmp_path / "n.json").max_cells == smaller
