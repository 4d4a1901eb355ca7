"""Rules for families: every solver obeys them, whatever it makes families from."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import forest, scoring
from reference import rules as twin
from reference import search as reference
from strategies_rules import as_constraints, random_rules, random_sets_for, sets_with_rules
from strategies_scoring import rows_of, small_datasets
from strategies_search import as_cache, seeds
from treebound import Bic, Budget, Exhaustive, Structure, check, score
from treebound.solvers import SOLVERS, BoundSource, Gives, Needs, Regrow, Takes, search

pytestmark = pytest.mark.core
# Regrow twice: where the optimum is soon found, it makes no moves unless it is told to.
ENTRIES = {**SOLVERS, "regrow by moves": replace(SOLVERS["regrow"], solver=Regrow(exact=False))}
WITH_CACHE = {name: entry for name, entry in ENTRIES.items() if Needs.ROWS not in entry.needs}
WITH_ROWS = {name: entry for name, entry in ENTRIES.items() if Takes.ROWS in entry.takes}


def width_for(entry, k, n):
    return k if entry.is_bounded else n


def is_possible(entry, rules, n, k):
    """Whether a structure of the solver has all required parents."""
    least = [rules[0].get(v, ()) for v in range(n)]
    if entry.max_parents is not None and max(map(len, least)) > entry.max_parents:
        return False
    return reference.treewidth(least) <= width_for(entry, k, n)


def run(entry, cache, k, rules, **options):
    treewidth = k if entry.is_bounded else None
    return search(
        cache,
        treewidth,
        solver=entry.solver,
        constraints=as_constraints(*rules, names=cache.names),
        **options,
    )


def obeys(structure, rules):
    return all(twin.allows(rules, v, parents) for v, parents in enumerate(structure.parent_indices))


@given(sets_with_rules(), st.data())
def test_the_gate_is_that_of_the_twin(case, data):
    sets, rules = case
    n = len(sets)
    ours = as_constraints(*rules).compile([f"x{v}" for v in range(n)])
    compiled = ours.in_core()
    for child in range(n):
        others = [u for u in range(n) if u != child]
        parents = data.draw(st.lists(st.sampled_from(others), unique=True) if others else st.just([]))
        expected = twin.allows(rules, child, parents)
        assert ours.allows(child, parents) == compiled.allows(child, parents) == expected
        least = {*rules[0].get(child, ())}
        for parent in others:
            assert compiled.allows_parent(child, parent) == twin.allows(rules, child, least | {parent})


@pytest.mark.parametrize("entry", WITH_CACHE.values(), ids=WITH_CACHE.keys())
@settings(max_examples=40)
@given(case=sets_with_rules(), k=st.integers(0, 3), seed=seeds)
def test_every_solver_obeys_and_none_beats_the_best_that_does(entry, case, k, seed):
    sets, rules = case
    cache, n = as_cache(sets), len(sets)
    if not is_possible(entry, rules, n, k):
        with pytest.raises(ValueError, match=r"requires|have treewidth"):
            run(entry, cache, k, rules)
        return
    result = run(entry, cache, k, rules, seed=seed, budget=Budget(steps=20), threads=1)
    allowed = twin.only_allowed(rules, sets)
    best = reference.best_score(allowed, width_for(entry, k, n))
    assert obeys(result.structure, rules)
    assert check(result.structure, cache, k if entry.is_bounded else None)
    assert result.score <= best + 1e-9
    assert result.bound >= best - 1e-9
    if Gives.BOUND in entry.gives or result.is_optimal:
        assert result.score == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("entry", WITH_ROWS.values(), ids=WITH_ROWS.keys())
@settings(max_examples=25)
@given(data=small_datasets(max_variables=4), k=st.integers(1, 2), seed=seeds)
def test_families_scored_from_rows_obey_too(entry, data, k, seed):
    n = data.num_variables
    rules = random_rules(random.Random(seed), n, 0.5)
    if not is_possible(entry, rules, n, k):
        return
    cache = score(data, score=Bic(), parent_sets=Exhaustive(1)).cache
    result = run(entry, cache, k, rules, data=data, seed=seed, budget=Budget(steps=30), threads=1)
    assert obeys(result.structure, rules)
    assert check(result.structure, cache, k, data=data)
    sets = [[] for _ in range(n)]
    for child, parents in scoring.all_families(n, n):
        local = scoring.bic(child, sorted(parents), rows_of(data), data.schema.cardinalities)
        sets[child].append((local, tuple(sorted(parents))))
    allowed = twin.only_allowed(rules, sets)
    best = reference.best_score(allowed, k)
    assert result.score <= best + 1e-6
    assert result.bound >= best - 1e-6 or result.bound_source is BoundSource.CACHE
    if entry.max_parents == 1:
        assert result.score == pytest.approx(forest.best_forest_score(allowed), abs=1e-5)


@pytest.mark.parametrize("name", ["regrow", "kg", "ka", "kmax", "order", "elidan-gould"])
def test_a_larger_problem_is_improved_with_all_its_required_parents(name):
    source = random.Random(7)
    n = 20
    rules = random_rules(source, n, 0.3)
    cache = as_cache(random_sets_for(source, n, 30, rules))
    entry = SOLVERS[name]
    least = run(SOLVERS["empty"], cache, 4, rules)
    found = [
        run(entry, cache, 4, rules, budget=Budget(steps=300), threads=threads, seed=1) for threads in (1, 2)
    ]
    assert found[0].structure.parent_indices == found[1].structure.parent_indices
    assert obeys(found[0].structure, rules)
    assert found[0].score > least.score + 1


def three():
    return as_cache([[(-1.0, (1,)), (-2.0, ())], [(-1.0, (0,)), (-2.0, ())], [(-1.0, (0, 1)), (-2.0, ())]])


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (as_constraints(required={0: [1], 1: [0]}), "form a cycle"),
        (
            as_constraints(required={2: [0, 1]}),
            "'x2' requires 2 parents .'x0', 'x1'., and the treewidth limit allows 1",
        ),
        (
            as_constraints(required={0: [1]}, forbidden={0: [1]}),
            "'x1' -> 'x0' is required, and 'x1' -> 'x0' is forb",
        ),
        (
            as_constraints(required={2: [0, 1]}, max_parents={2: 1}),
            "'x2' requires 2 parents .'x0', 'x1'. and may have at most 1",
        ),
        (as_constraints(required={0: [0]}), "required to be its own parent"),
        (as_constraints(required={0: [2]}), "no score for the required parents of 'x0' .x2.; pass the data"),
    ],
)
def test_rules_that_no_structure_obeys_are_rejected_before_the_search(rules, message):
    with pytest.raises(ValueError, match=message):
        search(three(), 1, constraints=rules, budget=Budget(steps=1))


def test_a_forest_with_two_required_parents_is_rejected():
    with pytest.raises(ValueError, match="chow-liu, and 'x2' requires 2; choose another solver"):
        search(
            three(), 2, constraints=as_constraints(required={2: [0, 1]}), solver=SOLVERS["chow-liu"].solver
        )


def test_a_start_that_does_not_obey_is_rejected():
    cache = three()
    start = Structure.from_parents([(1,), (), ()], cache=cache)
    with pytest.raises(ValueError, match="constraint violated: x1 -> x0: 'x1' -> 'x0' is forbidden"):
        search(cache, 2, start=start, constraints=as_constraints(forbidden={0: [1]}), budget=Budget(steps=1))


def test_a_start_that_obeys_is_never_lost():
    cache = three()
    rules = as_constraints(required={2: [0, 1]})
    start = Structure.from_parents([(1,), (), (0, 1)], cache=cache)
    result = search(cache, 2, start=start, constraints=rules, budget=Budget(steps=3))
    assert result.score == -4.0
