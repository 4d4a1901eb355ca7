"""The exact solvers find the optimum, prove it, and say what they know when they are stopped."""

from __future__ import annotations

import itertools
import random
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import exact as reference
from reference import search as brute_force
from strategies_search import as_cache, random_cache, searchable_sets
from treebound import Budget, _core, check
from treebound.solvers import ExactDp, ExactIlp, Gobnilp, KMax, StopReason, search
from treebound.solvers._density_cuts import dense_parts
from treebound.solvers._upper_bound import UpperBound
from treebound.solvers._within_ktree_ilp import best_families_within, problem_within

pytestmark = pytest.mark.core
pytest.importorskip("pyscipopt")
BOUNDED = pytest.mark.parametrize("solver", [ExactIlp(), ExactDp()], ids=lambda solver: solver.name)


@pytest.fixture(autouse=True)
def without_help(monkeypatch):
    """Begin from the empty structure and the trivial bound: a short Regrow finds most optima of small
    problems by itself, and the bound of all searches proves them.
    """
    monkeypatch.setattr(
        "treebound.solvers._search_job.upper_bound", lambda problem, _: UpperBound(problem.sum_of_best)
    )

    def empty(task):
        scores = [task.cache.score_of(v, ()) for v in range(task.cache.num_variables)]
        task.offer([()] * len(scores), scores, range(len(scores)), step=0)
        return sum(scores)

    for module in ("_gobnilp", "_exact_ilp", "_exact_dp"):
        monkeypatch.setattr(f"treebound.solvers.{module}.warm_start", empty)


def assert_optimal(sets, k, solver):
    cache = as_cache(sets)
    result = search(cache, k, solver=solver, budget=Budget(seconds=60), threads=1)
    best = brute_force.best_score(sets, len(sets) if k is None else k)
    assert result.score == pytest.approx(best, abs=1e-6)
    assert result.stopped in (StopReason.FINISHED, StopReason.OPTIMAL)
    assert result.is_optimal
    assert check(result.structure, cache, k)


@BOUNDED
@settings(max_examples=15)
@given(sets=searchable_sets(max_variables=5, max_sets=4), k=st.integers(0, 4))
def test_bounded_solvers_find_what_brute_force_finds(solver, sets, k):
    assert_optimal(sets, k, solver)


@settings(max_examples=15)
@given(sets=searchable_sets(max_variables=5, max_sets=4))
def test_gobnilp_finds_what_brute_force_finds(sets):
    assert_optimal(sets, None, Gobnilp())


# Sparse caches seldom ask for more than fits; here no parents cost so much that cycles and bound both bind.
@BOUNDED
@pytest.mark.parametrize(("k", "fewest"), [(1, 1), (2, 1), (2, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_bounded_solvers_are_right_where_the_constraints_bind(solver, k, fewest, seed):
    assert_optimal(crowded_sets(seed, 5, k, fewest), k, solver)


@pytest.mark.parametrize("seed", range(6))
def test_gobnilp_is_right_where_cycles_bind(seed):
    assert_optimal(crowded_sets(seed, 5, 3, 1), None, Gobnilp())


def crowded_sets(seed, n, most, fewest):
    """Good sets of ``fewest`` to ``most`` parents, and a very bad empty one."""
    source = random.Random(seed)
    sets = []
    for v in range(n):
        others = [u for u in range(n) if u != v]
        found = {tuple(sorted(source.sample(others, source.randint(fewest, most)))) for _ in range(4)}
        pairs = [(source.uniform(-9, 0), parents) for parents in sorted(found)]
        sets.append(sorted([*pairs, (-20.0, ())], reverse=True))
    return sets


@pytest.mark.parametrize(("n", "k"), [(9, 1), (8, 2), (7, 3)])
def test_two_ways_to_the_bounded_optimum_agree(n, k):
    cache = random_cache(n, 8, seed=n)
    by_dp, by_ilp = (
        search(cache, k, solver=solver, budget=Budget(seconds=60), threads=2)
        for solver in (ExactDp(), ExactIlp())
    )
    assert by_dp.is_optimal
    assert by_ilp.is_optimal
    assert by_dp.score == pytest.approx(by_ilp.score, abs=1e-6)
    assert check(by_dp.structure, cache, k)
    assert check(by_ilp.structure, cache, k)


def test_without_effective_bound_all_three_agree():
    cache = random_cache(6, 12, seed=1)
    results = [search(cache, 5, solver=solver, threads=1) for solver in (ExactDp(), ExactIlp())]
    results.append(search(cache, solver=Gobnilp(), threads=1))
    assert all(result.is_optimal for result in results)
    assert [result.score for result in results] == pytest.approx([results[0].score] * 3, abs=1e-6)


@pytest.mark.parametrize("solver", [Gobnilp(), ExactIlp(), ExactDp()], ids=lambda solver: solver.name)
def test_a_solver_that_is_stopped_still_knows_a_bound(solver):
    cache = random_cache(9, 30, seed=3)
    k = None if solver == Gobnilp() else 2
    stopped = search(cache, k, solver=solver, budget=Budget(seconds=0), threads=1)
    optimum = search(cache, k, solver=solver, budget=Budget(seconds=60), threads=1)
    assert stopped.stopped is StopReason.SECONDS
    assert not stopped.is_optimal
    assert stopped.score <= optimum.score <= stopped.bound + 1e-9


def test_the_bound_is_reported_while_the_program_is_solved():
    seen = []
    cache = random_cache(12, 30, seed=1)
    search(cache, 2, solver=ExactIlp(), budget=Budget(steps=4), threads=1, progress=seen.append)
    assert [now.bound for now in seen] == sorted((now.bound for now in seen), reverse=True)
    assert all(now.bound >= now.score for now in seen)


def test_what_does_not_fit_in_memory_is_refused_with_the_size_that_does():
    with pytest.raises(ValueError, match=r"With max_treewidth 4 .* up to \d+ variables, got 30\."):
        search(random_cache(30, 3), 4, solver=ExactDp())


@pytest.mark.parametrize("solver", [Gobnilp(), ExactIlp()], ids=lambda solver: solver.name)
def test_without_scip_the_command_that_installs_it_is_told(solver, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyscipopt", None)
    k = None if solver == Gobnilp() else 2
    with pytest.raises(ImportError, match=rf"{solver.name} needs PySCIPOpt.*pip install pyscipopt"):
        search(random_cache(5, 3), k, solver=solver)


@pytest.mark.parametrize(("n", "k"), [(1, 0), (6, 0), (12, 2), (9, 8)])
def test_the_size_of_the_tables_is_no_less_than_what_they_hold(n, k):
    # Orders of a bag, members with parents, variables below.
    bags = np.prod(np.arange(n - k, n + 1), dtype=float) * 2.0**n
    assert _core.tree_dp_bytes(n, k) >= 8 * bags * (1 - 1e-9)


# Parts


def trimmed(sets):
    """What the problem keeps: the sets before the empty one."""
    ends = [next(i for i, (_, parents) in enumerate(pairs) if not parents) for pairs in sets]
    return [pairs[: end + 1] for pairs, end in zip(sets, ends, strict=True)]


def problem_of(sets):
    return problem_within(as_cache(sets), [range(len(sets))])


def random_values(sets, seed):
    """Values of an answer of the linear program: quarters, whose sums are exact."""
    source = random.Random(seed)
    values = [[0.0] * len(pairs) for pairs in sets]
    for row in values:
        for _ in range(4):
            row[source.randrange(len(row))] += 0.25
    return values


def flat(values):
    return np.array([value for row in values for value in row])


@settings(max_examples=100)
@given(sets=searchable_sets(max_variables=6), seed=st.integers(0, 99))
def test_cluster_cuts_are_violated(sets, seed):
    sets = trimmed(sets)
    values = random_values(sets, seed)
    cuts = _core.ClusterCuts(problem_of(sets))
    found = cuts.violated(flat(values), 1e-3)
    for cluster in found:
        assert reference.excess(sets, values, cluster) > 1e-3 - 1e-9
        with_parent, without = (cuts.entries(cluster, inside) for inside in (True, False))
        owned = [len(sets[v]) for v in range(len(sets))]
        assert len(with_parent) + len(without) == sum(owned[v] for v in cluster)
        assert flat(values)[with_parent].sum() == pytest.approx(
            reference.excess(sets, values, cluster) + len(cluster) - 1
        )
    if found:
        assert reference.is_violated(sets, values)


def test_nearly_all_violations_are_found():
    """Growing is a heuristic: what it misses, branching has to do."""
    missed = 0
    for seed in range(200):
        sets = trimmed(crowded_sets(seed, 6, 2, 1))
        values = random_values(sets, seed)
        found = _core.ClusterCuts(problem_of(sets)).violated(flat(values), 1e-3)
        missed += reference.is_violated(sets, values) and not found
    assert missed <= 2


@given(sets=searchable_sets(max_variables=6), seed=st.integers(0, 99))
def test_cycles_are_the_shortest(sets, seed):
    sets, source = trimmed(sets), random.Random(seed)
    picks = [source.randrange(len(pairs)) for pairs in sets]
    first = np.cumsum([0, *map(len, sets)])[:-1]
    cycles = _core.ClusterCuts(problem_of(sets)).cycles((first + picks).astype(np.uint32))
    parents = [pairs[pick][1] for pairs, pick in zip(sets, picks, strict=True)]
    lengths = reference.shortest_cycles(parents)
    assert {v for cycle in cycles for v in cycle} == set(lengths)
    assert {min(len(cycle) for cycle in cycles if v in cycle) == lengths[v] for v in lengths} <= {True}
    assert all(set(parents[v]) & set(cycle) for cycle in cycles for v in cycle)


@given(sets=searchable_sets(max_variables=6), seed=st.integers(0, 99))
def test_rounding_is_sink_finding(sets, seed):
    sets = trimmed(sets)
    values = random_values(sets, seed)
    problem = problem_of(sets)
    chosen = _core.round_to_acyclic(problem, flat(values))
    parents = [tuple(problem.parents(entry)) for entry in chosen.tolist()]
    assert brute_force.is_acyclic(parents)
    assert parents == reference.round_to_acyclic(sets, values)


@given(seed=st.integers(0, 999), n=st.integers(2, 7), k=st.integers(0, 4))
def test_dense_parts_have_too_many_edges(seed, n, k):
    weights = np.triu(np.random.default_rng(seed).choice([0, 0.5, 1.0], (n, n)), 1)
    for part in dense_parts(weights + weights.T, k):
        assert len(part) > k
        assert weights[np.ix_(part, part)].sum() > k * len(part) - k * (k + 1) / 2


@settings(max_examples=40)
@given(sets=searchable_sets(max_variables=6, max_sets=3))
def test_no_graph_is_denser_than_its_treewidth_allows(sets):
    parents = [pairs[0][1] for pairs in sets]
    n = len(parents)
    edges = np.zeros((n, n))
    for v, chosen in enumerate(parents):
        for a, b in itertools.permutations((v, *chosen), 2):
            edges[a, b] = 1.0
    assert dense_parts(edges, brute_force.treewidth(parents)) == []


@settings(max_examples=30)
@given(sets=searchable_sets(max_variables=5, max_sets=6), seed=st.integers(0, 99))
def test_the_best_families_inside_bags_are_those_of_brute_force(sets, seed):
    source, n = random.Random(seed), len(sets)
    bags = [source.sample(range(n), min(n, 3)) for _ in range(n)] + [[v] for v in range(n)]
    found = best_families_within(as_cache(sets), bags, _core.Run(60, 2**62, 1))
    best = reference.best_score_within(trimmed(sets), bags)
    assert sum(found.local_scores) == pytest.approx(best, abs=1e-6)
    assert found.upper_bound == pytest.approx(best, abs=1e-6)
    assert brute_force.is_acyclic(found.parents)
    assert all(any({v, *chosen} <= set(bag) for bag in bags) for v, chosen in enumerate(found.parents))


def test_inside_the_k_tree_of_a_search_nothing_is_lost():
    cache = random_cache(20, 30, seed=2)
    result = search(cache, 3, solver=KMax(), budget=Budget(steps=5), threads=1)
    bags = result.structure.witness.bags
    found = best_families_within(cache, bags, _core.Run(60, 2**62, 1))
    assert sum(found.local_scores) >= result.score - 1e-9
    assert found.upper_bound == pytest.approx(sum(found.local_scores))
    no_time = best_families_within(cache, bags, _core.Run(0, 2**62, 1))
    assert no_time.upper_bound >= found.upper_bound - 1e-9
