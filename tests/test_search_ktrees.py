"""k-trees by Dandelion codes: one for each code, all equally likely; and the DAG inside a k-tree."""

from __future__ import annotations

import collections
import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import ktrees as reference
from strategies_ktrees import random_ktree, sets_and_ktrees
from strategies_search import as_cache, random_cache, searchable_sets, seeds
from treebound import Budget, _core_testing, check
from treebound.solvers import KAStar, KGreedy, WithinKTree, best_in_ktree, search, solve_order
from treebound.structure import KTree

pytestmark = pytest.mark.core

SIZES = [(3, 1), (4, 0), (4, 1), (4, 2), (5, 1), (5, 2), (5, 3), (6, 2), (6, 3), (7, 4)]


def all_codes(n, k):
    pairs = [(0, 0), *itertools.product(range(1, n - k + 1), range(k))]
    return itertools.product(itertools.combinations(range(n), k), itertools.product(pairs, repeat=n - k - 2))


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_every_code_has_a_ktree_of_its_own_and_every_ktree_a_code(n, k):
    ktrees = (_core_testing.decode_dandelion(n, list(q), list(pairs)) for q, pairs in all_codes(n, k))
    decoded = [reference.edges_of(*ktree, k) for ktree in ktrees]
    assert len(decoded) == len(set(decoded)) == reference.num_ktrees(n, k)
    if n <= 6:
        assert set(decoded) == reference.all_ktrees(n, k)


@pytest.mark.parametrize(("n", "k"), [(4, 1), (5, 2), (6, 2), (6, 3), (7, 4)])
def test_the_code_is_that_of_the_paper(n, k):
    for q, pairs in all_codes(n, k):
        edges = reference.edges_of(*_core_testing.decode_dandelion(n, list(q), list(pairs)), k)
        assert reference.code_of(edges, n, k) == (list(q), list(pairs))


@settings(max_examples=50)
@given(k=st.integers(1, 6), extra=st.integers(2, 20), seed=seeds)
def test_larger_codes_come_back(k, extra, seed):
    n = k + extra
    for order, separators in _core_testing.draw_ktrees(n, k, seed, 3):
        edges = reference.edges_of(order, separators, k)
        q, pairs = reference.code_of(edges, n, k)
        assert reference.edges_of(*_core_testing.decode_dandelion(n, q, pairs), k) == edges


def test_the_worked_example_of_the_paper():
    # Figure 1 of Caminiti, Fusco and Petreschi and its code, with variables and labels counted from 0.
    later = {0: (1, 4, 6, 7), 1: (2, 4, 5, 7, 8, 9, 10), 2: (3, 4, 7, 8, 9, 10), 3: (8, 10), 4: (6, 7)}
    later |= {5: (7, 8), 6: (7,), 7: (8,), 8: (9, 10)}
    edges = frozenset(frozenset((a, b)) for a, others in later.items() for b in others)
    pairs = [(0, 0), (2, 0), (8, 2), (8, 1), (1, 2), (5, 2)]
    assert reference.edges_of(*_core_testing.decode_dandelion(11, [1, 2, 8], pairs), 3) == edges
    assert reference.code_of(edges, 11, 3) == ([1, 2, 8], pairs)


@pytest.mark.parametrize(("n", "k"), [(3, 1), (5, 1), (5, 2), (6, 3), (6, 4), (7, 5), (4, 3)])
def test_all_ktrees_are_equally_likely(n, k):
    trees = reference.all_ktrees(n, k)
    per_tree = 100
    drawn = _core_testing.draw_ktrees(n, k, 7, per_tree * len(trees))
    counts = collections.Counter(reference.edges_of(*ktree, k) for ktree in drawn)
    assert set(counts) == trees
    chi_square = sum((count - per_tree) ** 2 / per_tree for count in counts.values())
    # Six standard deviations: far beyond chance, and the draw is the same each time.
    freedom = len(trees) - 1
    assert abs(chi_square - freedom) <= 6 * (2 * freedom) ** 0.5


@settings(max_examples=150)
@given(drawn=sets_and_ktrees())
def test_dynamic_programming_finds_the_best_dag_in_a_ktree(drawn):
    sets, ktree = drawn
    cache = as_cache(sets)
    found = best_in_ktree(cache, ktree)
    edges = reference.edges_of(ktree.insertion_order, ktree.separators, ktree.k)
    assert check(found, cache, ktree.k)
    assert all(ktree.holds((v, *parents)) for v, parents in enumerate(found.parent_indices))
    assert found.score == pytest.approx(reference.best_in(sets, edges, len(sets)), abs=1e-9)


@settings(max_examples=60)
@given(drawn=sets_and_ktrees(max_sets=30, with_ties=True))
def test_ties_and_long_lists_do_no_harm(drawn):
    sets, ktree = drawn
    edges = reference.edges_of(ktree.insertion_order, ktree.separators, ktree.k)
    best = reference.best_in(sets, edges, len(sets))
    assert best_in_ktree(as_cache(sets), ktree).score == pytest.approx(best, abs=1e-9)


@settings(max_examples=60)
@given(drawn=sets_and_ktrees(), seed=seeds)
def test_sampling_stays_inside_and_reaches_the_optimum_of_small_ktrees(drawn, seed):
    sets, ktree = drawn
    cache = as_cache(sets)
    one = best_in_ktree(cache, ktree, WithinKTree.SAMPLING, samples=1, seed=seed)
    many = best_in_ktree(cache, ktree, "sampling", samples=20_000, seed=seed)
    for found in (one, many):
        assert check(found, cache, ktree.k)
        assert all(ktree.holds((v, *parents)) for v, parents in enumerate(found.parent_indices))
    best = best_in_ktree(cache, ktree).score
    assert one.score <= best + 1e-9
    assert many.score == pytest.approx(best, abs=1e-9)


@settings(max_examples=25)
@given(drawn=sets_and_ktrees())
def test_integer_programming_finds_what_dynamic_programming_finds(drawn):
    pytest.importorskip("pyscipopt")
    sets, ktree = drawn
    cache = as_cache(sets)
    found = best_in_ktree(cache, ktree, WithinKTree.ILP)
    assert check(found, cache, ktree.k)
    assert all(ktree.holds((v, *parents)) for v, parents in enumerate(found.parent_indices))
    assert found.score == pytest.approx(best_in_ktree(cache, ktree).score, abs=1e-6)


# Figure 1 of the paper, an inverted tree: every parent set of two lies in a clique, but no elimination order
# of width 2 is the reverse of a topological order.
INVERTED_TREE = [
    *([(0.0, (1, 2)), (-9.0, ())], [(0.0, (3, 4)), (-9.0, ())], [(0.0, (5, 6)), (-9.0, ())]),
    *([(-1.0, ())] for _ in range(4)),
]


def test_a_dag_that_no_insertion_order_reaches_is_found():
    order, separators = (0, 1, 2, 3, 4, 5, 6), ((0, 1), (1, 3), (0, 2), (2, 5))
    found = best_in_ktree(as_cache(INVERTED_TREE), KTree(order, separators))
    assert found.score == -4.0


@pytest.mark.parametrize("solver", [KGreedy(), KAStar()], ids=["kg", "ka"])
def test_no_order_of_the_papers_methods_finds_an_inverted_tree(solver):
    cache = as_cache(INVERTED_TREE)
    best = max(
        solve_order(cache, 2, order, solver=solver).score for order in itertools.permutations(range(7))
    )
    assert best == -13.0  # one node of the tree must do without its parents


@settings(max_examples=60)
@given(sets=searchable_sets(max_variables=8), k=st.integers(0, 4), seed=seeds)
def test_the_tree_of_any_structure_can_be_searched_again(sets, k, seed):
    cache = as_cache(sets)
    start = search(cache, k, budget=Budget(steps=1), seed=seed, threads=1).structure
    ktree = KTree.containing(start.moral_graph, start.elimination_order, k)
    assert ktree.k == min(k, len(sets) - 1)
    assert all(ktree.holds((v, *parents)) for v, parents in enumerate(start.parent_indices))
    assert best_in_ktree(cache, ktree).score >= start.score - 1e-9


def test_a_graph_that_is_too_wide_is_in_no_ktree():
    with pytest.raises(ValueError, match="width of at most 1 along the order, got 2"):
        KTree.containing([[1, 2], [0, 2], [0, 1]], range(3), 1)


def test_what_takes_too_long_is_refused_and_can_be_sampled():
    cache = random_cache(16, 400, max_parents=9)
    ktree = random_ktree(random.Random(1), 16, 12)
    with pytest.raises(ValueError, match="too long by dynamic programming"):
        best_in_ktree(cache, ktree)
    assert check(best_in_ktree(cache, ktree, "sampling"), cache, 12)
    with pytest.raises(ValueError, match="method must be dp, ilp or sampling, got 'guess'"):
        best_in_ktree(cache, ktree, "guess")
    with pytest.raises(ValueError, match="must have the 16 variables"):
        best_in_ktree(cache, random_ktree(random.Random(1), 5, 2))
