"""Constraints in scoring, search, the checker and learning, against brute force over all structures."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attack import constraints as attack
from reference import constraints as twin
from strategies_constraints import names_of, random_constraints
from strategies_scoring import small_datasets
from test_distributed_counts import counted_search
from treebound import (
    Bdeu,
    Bic,
    Budget,
    CacheError,
    Constraints,
    Dataset,
    Exhaustive,
    Independence,
    Local,
    ParentSetCache,
    Schema,
    Structure,
    Variable,
    check,
    learn,
    load_cache,
    load_structure,
    save_cache,
    save_structure,
    score,
)
from treebound.constraints import ContradictionError
from treebound.scoring import resolve_rules, rules_in_core
from treebound.solvers import SOLVERS, search
from treebound.structure import FaultKind, cpdag

pytestmark = pytest.mark.core
seeds = st.integers(0, 2**32)
FAST = ["regrow", "kg", "order", "exact-dp", "chow-liu", "hc-et", "empty"]
ONE = Local(threads=1)


@settings(max_examples=25)
@given(seed=seeds)
def test_every_solver_obeys_and_exact_ones_reach_the_optimum(seed):
    attack.check(attack.make(random.Random(seed)))


def renamed(data):
    variables = [replace(v, name=f"x{i}") for i, v in enumerate(data.schema)]
    return Dataset(Schema(tuple(variables)), data.codes)


def consistent(seed, n):
    """Random constraints that some structure obeys."""
    source = random.Random(seed)
    while True:
        knowledge = random_constraints(source, n)
        if twin.is_possible(knowledge, names_of(n), n):
            return knowledge


@settings(max_examples=40)
@given(data=small_datasets(max_variables=4), seed=seeds, local=st.sampled_from([Bic(), Bdeu()]))
def test_only_allowed_sets_are_scored_and_the_empty_one(data, seed, local):
    data = renamed(data)
    names, n = data.schema.names, data.num_variables
    knowledge = consistent(seed, n)
    constraints = Constraints.from_dict(knowledge)
    every = score(data, parent_sets=Exhaustive(n), score=local, pruning=None, where=ONE).cache
    sets = [[(s.score, s.parent_indices) for s in every[v]] for v in range(n)]
    expected = twin.allowed_sets(decided(constraints, knowledge, names), names, sets)
    for method in (Exhaustive(n), Independence(n)):
        cache = score(
            data,
            parent_sets=method,
            score=local,
            pruning=None,
            constraints=constraints,
            where=ONE,
            budget=None,
        ).cache
        assert cache.constraints == (constraints or None)
        for v in range(n):
            found = {s.parent_indices for s in cache[v]}
            assert found == {parents for _, parents in expected[v]} | {()}


def decided(constraints, knowledge, names):
    """What scoring knows: adjacencies that have one direction only are required arcs."""
    rules = constraints.compile(names)
    required = [[names[p], names[v]] for v, parents in rules.required.items() for p in parents]
    return twin.without(knowledge, "adjacent") | {"required": required}


@settings(max_examples=40)
@given(data=small_datasets(max_variables=4), seed=seeds, local=st.sampled_from([Bic(), Bdeu()]))
def test_pruning_under_constraints_keeps_an_optimal_structure(data, seed, local):
    data = renamed(data)
    names, n = data.schema.names, data.num_variables
    knowledge = consistent(seed, n)
    constraints = Constraints.from_dict(knowledge)
    for method in (Exhaustive(n), Independence(n)):
        whole, pruned = (
            score(
                data,
                parent_sets=method,
                score=local,
                pruning=rules,
                constraints=constraints,
                where=ONE,
                budget=None,
            ).cache
            for rules in (None, "all")
        )
        best = [
            twin.best_score(
                knowledge, names, [[(s.score, s.parent_indices) for s in cache[v]] for v in range(n)], 2
            )
            for cache in (whole, pruned)
        ]
        assert best[1] == pytest.approx(best[0], abs=1e-9)
        assert pruned.num_sets <= whole.num_sets


@settings(max_examples=30)
@given(data=small_datasets(max_variables=4), seed=seeds)
def test_families_counted_elsewhere_are_those_counted_here(data, seed):
    data = renamed(data)
    n = data.num_variables
    constraints = Constraints.from_dict(consistent(seed, n))
    here = score(data, parent_sets=Exhaustive(3), constraints=constraints, where=ONE, budget=None).cache
    rules = rules_in_core(resolve_rules("all", Bic()))
    families = constraints.compile(data.schema.names).in_core()
    arrays = counted_search(data, 3, rules, 2**62, families)
    np.testing.assert_array_equal(arrays["set_offsets"], here.set_offsets)
    np.testing.assert_array_equal(arrays["parents"], here.parents)
    np.testing.assert_allclose(arrays["scores"], here.scores)


def table(n=6, rows=400, seed=1):
    source = np.random.default_rng(seed)
    codes = np.zeros((n, rows), dtype=np.int16)
    codes[0] = source.integers(0, 2, rows)
    for v in range(1, n):
        codes[v] = np.where(source.random(rows) < 0.8, codes[v - 1], source.integers(0, 2, rows))
    return Dataset(Schema(tuple(Variable(f"x{v}", ("a", "b")) for v in range(n))), codes)


KNOWN = Constraints(
    required=["x5 -> x0"], forbidden=["x0 -> x1"], tiers=[["x5", "x4"], ["x[0-3]"]], max_parents={"x3": 1}
)


@pytest.mark.parametrize("solver", FAST)
def test_learning_obeys_and_the_verdict_has_a_line_for_it(solver):
    limit = 2 if SOLVERS[solver].is_bounded else None
    result = learn(table(), limit, solver=solver, constraints=KNOWN, budget=Budget(steps=20), where=ONE)
    assert result.verdict
    assert "constraints obeyed" in str(result.verdict)
    assert result.structure.constraints == result.cache.constraints == KNOWN
    assert ("x5", "x0") in result.structure.arcs
    without = learn(table(), limit, solver=solver, budget=Budget(steps=20), where=ONE)
    assert "constraints" not in str(without.verdict)
    assert without.structure.constraints is None


def test_the_checker_names_what_is_violated():
    bad = Structure.from_parents({"x0": ["x1"], "x1": [], "x2": ["x0"]})
    known = Constraints(
        required=["x0->x1"], forbidden=["x0 -> x2"], adjacent=["x1 - x2"], max_parents={"x2": 0}
    )
    verdict = check(bad, constraints=known)
    assert [fault.message for fault in verdict.faults if fault.kind is FaultKind.CONSTRAINTS] == [
        "x0 -> x2: 'x0' -> 'x2' is forbidden",
        "x2 has 1 parents, and may have at most 0",
        "the required arc x0 -> x1 is missing",
        "x1 and x2 must be adjacent",
    ]
    assert not check(bad, constraints=Constraints(roots=["y"]))
    assert check(bad, constraints=Constraints(roots=["x1"]))


def test_contradictions_come_before_anything_is_scored():
    called = []
    with pytest.raises(ContradictionError, match="'x3' requires 3 parents"):
        learn(
            table(),
            2,
            constraints=Constraints(required=["x0->x3", "x1->x3", "x2->x3"]),
            progress=called.append,
        )
    wide = ["x0->x1", "x0->x2", "x1->x2", "x0->x3", "x1->x3", "x2->x4", "x3->x4"]
    with pytest.raises(ContradictionError, match="treewidth at least 3, and the limit allows 2"):
        learn(table(), 2, constraints=Constraints(required=wide), progress=called.append)
    assert not called


def test_required_arcs_need_few_cells():
    needed = Constraints(required=["x0->x1"], max_cells=2)
    with pytest.raises(ContradictionError, match=r"a bag of 4 cells \('x0', 'x1'\), and max_cells allows 2"):
        learn(table(), constraints=needed)


def test_a_cache_keeps_its_constraints_in_memory_and_in_its_file(tmp_path):
    cache = score(table(), parent_sets=Exhaustive(2), constraints=KNOWN, where=ONE).cache
    save_cache(cache, tmp_path / "cache.tbc")
    read = load_cache(tmp_path / "cache.tbc")
    assert read.constraints == KNOWN
    found = search(read, 2, budget=Budget(steps=5), threads=1).structure
    assert check(found, constraints=KNOWN)
    assert found.constraints == KNOWN
    more = Constraints(forbidden=["x4 -> x3"])
    both = search(read, 2, constraints=more, budget=Budget(steps=5), threads=1).structure
    assert both.constraints == KNOWN | more
    assert check(both, read)


def test_a_structure_keeps_its_constraints_in_its_file(tmp_path):
    result = learn(table(), 2, constraints=KNOWN, budget=Budget(steps=5), where=ONE)
    save_structure(result.structure, tmp_path / "structure.json")
    assert load_structure(tmp_path / "structure.json").constraints == KNOWN


def test_resuming_under_other_constraints_is_rejected():
    interrupted = score(table(), parent_sets=Exhaustive(2), constraints=KNOWN, where=ONE).cache
    with pytest.raises(CacheError, match="under other constraints"):
        score(table(), parent_sets=Exhaustive(2), resume=interrupted, where=ONE)
    again = score(table(), parent_sets=Exhaustive(2), constraints=KNOWN, resume=interrupted, where=ONE).cache
    assert again.same_sets_as(interrupted)


@pytest.mark.parametrize("method", [Exhaustive(2), Independence(2)])
def test_an_interrupted_run_has_the_least_allowed_sets_and_goes_on(method):
    few = score(table(), parent_sets=method, constraints=KNOWN, budget=Budget(steps=1), where=ONE)
    assert few.cache.score_of("x0", ["x5"]) is not None
    whole = score(table(), parent_sets=method, constraints=KNOWN, budget=None, where=ONE).cache
    again = score(
        table(), parent_sets=method, constraints=KNOWN, budget=None, resume=few.cache, where=ONE
    ).cache
    assert again.same_sets_as(whole)


def test_an_exact_solver_rejects_too_many_adjacencies_before_it_starts():
    names = [f"x{v}" for v in range(6)]
    known = Constraints(adjacent=[(a, b) for a, b in combinations(names, 2)])
    cache = ParentSetCache.from_sets({name: [((), -1.0)] for name in names})
    with pytest.raises(ValueError, match="at most 256 ways"):
        search(cache, 5, solver=SOLVERS["exact-dp"].solver, constraints=known)


@settings(max_examples=60)
@given(seed=seeds, n=st.integers(2, 4))
def test_constraints_settle_the_directions_that_all_structures_of_the_class_share(seed, n):
    names = names_of(n)
    knowledge = twin.without(consistent(seed, n), "adjacent", "max_parents")
    source = random.Random(seed)
    obeying = [parents for parents in twin.all_structures(n) if twin.obeys(knowledge, names, parents)]
    parents = source.choice(obeying)
    structure = Structure.from_parents(parents, names=names)
    structure = replace(structure, constraints=Constraints.from_dict(knowledge))
    plain = cpdag(structure, use_constraints=False)
    same = [other for other in obeying if cpdag(Structure.from_parents(other, names=names)) == plain]
    shared = {(p, v) for v in range(n) for p in parents[v] if all(p in other[v] for other in same)}
    found = cpdag(structure)
    assert set(found.compelled) == shared
    assert set(found.settled) == shared - set(plain.compelled)
    assert len(found.compelled) + len(found.reversible) == structure.num_arcs
