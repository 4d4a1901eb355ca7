"""S2 and S2+ against brute force: informative scores, acceptance, A*, and what the steps tell."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import ktrees as reference
from reference.network import RandomStream
from strategies_ktrees import random_ktree, sets_and_ktrees
from strategies_search import as_cache, random_cache, random_sets, searchable_sets, seeds
from treebound import Budget, Dataset, Schema, Variable, _core_testing, check, score
from treebound.solvers import S2, S2Plus, SlowSolver, search
from treebound.solvers._problem import searchable
from treebound.solvers._upper_bound import UpperBound

pytestmark = pytest.mark.core


def joined(ktree):
    """The root, and the other variables with their separators as the core takes them."""
    order, k = list(ktree.insertion_order), ktree.k
    rest = zip(order[k + 1 :], ktree.separators, strict=True)
    return order[: k + 1], [(v, sorted(separator, key=order.index)) for v, separator in rest]


def edges_of(ktree):
    return reference.edges_of(ktree.insertion_order, ktree.separators, ktree.k)


@settings(max_examples=150)
@given(drawn=sets_and_ktrees(max_variables=9, max_sets=12))
def test_the_informative_score_is_that_of_its_twin(drawn):
    sets, ktree = drawn
    k, edges = ktree.k, edges_of(ktree)
    found = _core_testing.informative_score(searchable(as_cache(sets), k), None, *joined(ktree))
    total = sum(reference.information(sets, *sorted(edge), k) for edge in edges)
    assert found == pytest.approx((total, reference.pseudo_score(sets, edges, k)), rel=1e-6)


def test_with_rows_the_mutual_information_is_counted():
    source = random.Random(3)
    columns = [[source.randrange(3) for _ in range(50)] for _ in range(3)]
    columns += [[(a + b) % 2 for a, b in zip(columns[0], columns[1], strict=True)], columns[2]]
    schema = Schema(tuple(Variable(f"x{v}", ("a", "b", "c")) for v in range(5)))
    data = Dataset(schema, columns)
    ktree = random_ktree(source, 5, 2)
    problem = searchable(score(data, budget=None).cache, 2)
    found, _ = _core_testing.informative_score(problem, data.in_core, *joined(ktree))

    def entropy(*variables):
        rows = list(zip(*(columns[v] for v in variables), strict=True))
        return -sum(rows.count(row) * math.log(rows.count(row) / 50) for row in set(rows))

    edges = map(sorted, edges_of(ktree))
    assert found == pytest.approx(sum(entropy(a) + entropy(b) - entropy(a, b) for a, b in edges), rel=1e-6)


@settings(max_examples=10)
@given(seed=seeds, n=st.integers(4, 5), k=st.integers(1, 2))
def test_steps_draw_accept_and_solve_as_the_twin_does(seed, n, k):
    source = random.Random(seed)
    sets = [random_sets(source, n, v, 12, 3, False) for v in range(n)]
    with pytest.MonkeyPatch.context() as patch:  # without an upper bound all steps are done
        patch.setattr("treebound.solvers._search_job.upper_bound", lambda *_: UpperBound(math.inf))
        result = search(as_cache(sets), k, solver=S2(), budget=Budget(steps=40), seed=seed, threads=2)

    def decode(q, pairs):
        return reference.edges_of(*_core_testing.decode_dandelion(n, q, pairs), k)

    limited = [[pair for pair in own if len(pair[1]) <= k] for own in sets]
    useful = [[pair for pair in own if pair[0] >= {p: s for s, p in own}[()]] for own in limited]
    drawn, best = reference.s2(useful, n, k, [RandomStream(seed, i) for i in range(40)], decode)
    assert result.statistics["num_drawn"] == drawn
    assert result.score == pytest.approx(best, abs=1e-9)


@settings(max_examples=40)
@given(sets=searchable_sets(max_variables=6), k=st.integers(0, 3), seed=seeds)
def test_astar_finds_the_most_informative_ktree_of_a_root(sets, k, seed):
    n = len(sets)
    k = min(k, n - 1)
    root = random.Random(seed).sample(range(n), k + 1)
    values = [reference.informative_score(sets, edges, k) for edges in reference.grown_from(root, n, k)]
    problem = searchable(as_cache(sets), k)
    (order, separators), is_proved = _core_testing.most_informative_ktree(problem, root, 2**31)
    assert is_proved
    found = reference.edges_of(order, separators, k)
    assert order[: k + 1] == root
    assert reference.informative_score(sets, found, k) == pytest.approx(max(values), rel=1e-6)
    (order, separators), _ = _core_testing.most_informative_ktree(problem, root, 1)
    assert reference.informative_score(sets, reference.edges_of(order, separators, k), k) <= max(values) * (
        1 + 1e-6
    )


@settings(max_examples=40)
@given(sets=searchable_sets(max_variables=9), k=st.integers(0, 4))
def test_the_first_clique_of_s2plus_is_that_of_its_twin(sets, k):
    k = min(k, len(sets) - 1)
    solver = S2Plus(max_nodes=1)
    result = search(as_cache(sets), k, solver=solver, budget=Budget(steps=1), threads=1)
    root = result.ktree.insertion_order[: k + 1]
    expected = reference.most_informative_clique(sets, len(sets), k)
    value = reference.clique_value(sets, expected, k)
    assert reference.clique_value(sets, root, k) == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize("solver", [S2, S2Plus])
@pytest.mark.parametrize("exact", [True, False])
def test_skipping_changes_nothing_but_the_time(solver, exact):
    cache = random_cache(20, 30, seed=1)
    results = [
        search(
            cache,
            3,
            solver=solver(exact=exact, skip_beaten=skip_beaten),
            budget=Budget(steps=60 if solver is S2 else 4),
            threads=2,
        )
        for skip_beaten in (True, False)
    ]
    assert results[0].structure.parent_indices == results[1].structure.parent_indices
    assert "median_score" not in results[0].statistics
    assert results[1].statistics["num_skipped"] == 0
    assert results[1].statistics["median_score"] <= results[1].score


@pytest.mark.parametrize("solver", [S2(), S2Plus(max_nodes=50)])
def test_statistics_and_ktree_tell_what_was_done(solver):
    cache = random_cache(20, 30, seed=1)
    result = search(cache, 3, solver=solver, budget=Budget(steps=5), threads=1)
    assert result.statistics["num_drawn"] >= result.steps == 5
    assert result.statistics["num_exact"] + result.statistics["num_skipped"] == 5
    families = enumerate(result.structure.parent_indices)
    assert all(result.ktree.holds((v, *parents)) for v, parents in families)


def test_a_width_that_dynamic_programming_cannot_do_is_sampled():
    cache = random_cache(16, 300, max_parents=8)
    result = search(cache, 12, solver=S2(samples=5), budget=Budget(steps=3), threads=1)
    assert result.statistics["num_exact"] == 0
    assert check(result.structure, cache, 12)


def test_rows_are_taken_and_change_only_what_is_accepted():
    rows = np.random.default_rng(1).integers(0, 2, (8, 60))
    rows[1], rows[5] = rows[0], rows[4]
    schema = Schema(tuple(Variable(f"x{v}", ("a", "b")) for v in range(8)))
    data = Dataset(schema, rows)
    cache = score(data, budget=None).cache
    for solver in (S2(), S2Plus()):
        result = search(cache, 2, data=data, solver=solver, budget=Budget(steps=20), threads=1)
        assert check(result.structure, cache, 2)


def test_s2plus_warns_when_there_are_many_variables_and_still_answers():
    cache = random_cache(120, 3)
    with pytest.warns(SlowSolver, match="slow for more than 100 variables, here are 120"):
        result = search(cache, 2, solver=S2Plus(), budget=Budget(seconds=0), threads=1)
    assert check(result.structure, cache, 2)


def test_options_are_checked():
    with pytest.raises(ValueError, match="samples"):
        S2(samples=0)
    with pytest.raises(ValueError, match="max_nodes"):
        S2Plus(max_nodes=0)


def test_small_spaces_are_searched_exhaustively_soon():
    sets = [[(0.0, ((v + 1) % 4, (v + 2) % 4)), (-5.0, ())] for v in range(4)]
    edges = reference.all_ktrees(4, 2)
    best = max(reference.best_in(sets, each, 4) for each in edges)
    result = search(as_cache(sets), 2, solver=S2(), budget=Budget(steps=100), threads=1)
    assert result.score == best
    assert len(list(itertools.combinations(range(4), 2))) == len(edges)
