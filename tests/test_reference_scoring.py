"""The slow twins are checked by hand-computed numbers, identities, and each other."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from reference import graphs, scoring

# Ten rows of (X, Y): X counts (3, 1) where Y = 0, and (2, 4) where Y = 1.
TEN = [(0, 0)] * 3 + [(1, 0)] + [(0, 1)] * 2 + [(1, 1)] * 4

# X = Y xor Z, uniform: 25 rows of each joint state of (Y, Z); columns X, Y, Z.
XOR = [(y ^ z, y, z) for y in (0, 1) for z in (0, 1) for _ in range(25)]
BITS = (2, 2, 2)


def random_rows(seed: int, num_rows: int, cards: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Rows in which every variable leans on the two before it, so that all kinds of gains occur."""
    rng = random.Random(seed)
    rows = []
    for _ in range(num_rows):
        row: list[int] = []
        for v, r in enumerate(cards):
            copied = v > 1 and rng.random() < 0.7
            row.append((row[v - 1] + row[v - 2]) % r if copied else rng.randrange(r))
        rows.append(tuple(row))
    return rows


def random_cache(seed: int, num_variables: int, max_parents: int) -> scoring.Cache:
    rng = random.Random(seed)
    cache: scoring.Cache = {}
    for child, parents in scoring.all_families(num_variables, max_parents):
        cache.setdefault(child, {})[parents] = rng.uniform(-10, 0) + len(parents)
    return cache


def test_counts_by_hand():
    assert scoring.count_family(0, (1,), TEN) == {(0,): {0: 3, 1: 1}, (1,): {0: 2, 1: 4}}
    assert scoring.count_family(0, (), TEN) == {(): {0: 5, 1: 5}}


def test_scores_by_hand():
    fit = 3 * math.log(3 / 4) + math.log(1 / 4) + 2 * math.log(2 / 6) + 4 * math.log(4 / 6)
    assert scoring.log_likelihood(0, (), TEN, (2, 2)) == pytest.approx(10 * math.log(1 / 2))
    assert scoring.log_likelihood(0, (1,), TEN, (2, 2)) == pytest.approx(fit)
    assert scoring.bic(0, (1,), TEN, (2, 2)) == pytest.approx(fit - math.log(10) / 2 * 2)
    assert scoring.bic(0, (1,), TEN, (3, 4)) == pytest.approx(fit - math.log(10) / 2 * 2 * 4)
    assert scoring.aic(0, (1,), TEN, (3, 4)) == pytest.approx(fit - 8)
    assert scoring.conditional_entropy(0, (1,), TEN, (2, 2)) == pytest.approx(-fit / 10)
    assert scoring.mutual_information(0, (1,), TEN, (2, 2)) == pytest.approx(math.log(2) + fit / 10)


def test_bdeu_is_the_product_of_predictions():
    # Polya's urn: with a prior of s per cell, each row is predicted by (s + seen) / (2 s + all seen) in turn.
    def urn(zeros: int, ones: int, prior: float) -> float:
        each = [(prior + i) for i in range(zeros)] + [(prior + i) for i in range(ones)]
        return sum(map(math.log, each)) - sum(math.log(2 * prior + i) for i in range(zeros + ones))

    assert scoring.bdeu(0, (), TEN, (2, 2), 1.0) == pytest.approx(urn(5, 5, 1 / 2))
    assert scoring.bdeu(0, (1,), TEN, (2, 2), 4.0) == pytest.approx(urn(3, 1, 1.0) + urn(2, 4, 1.0))


def test_xor_needs_both_parents_and_no_rule_prunes_them():
    assert scoring.mutual_information(0, (1,), XOR, BITS) == pytest.approx(0.0)
    assert scoring.bic(0, (), XOR, BITS) == pytest.approx(-71.617, abs=1e-3)
    assert scoring.bic(0, (1, 2), XOR, BITS) == pytest.approx(-9.210, abs=1e-3)
    assert scoring.gain_bound(0, 1, XOR, BITS) == pytest.approx(100 * math.log(2))
    assert scoring.penalty(0, (2,), 100, BITS) == pytest.approx(4.605, abs=1e-3)
    for rule in EXTENSION_RULES:
        assert not rule(0, (2,), 1, XOR, BITS)


def test_xor_would_be_lost_in_the_wrong_units():
    per_row = scoring.gain_bound(0, 1, XOR, BITS) / len(XOR)
    assert per_row <= (BITS[1] - 1) * scoring.penalty(0, (2,), len(XOR), BITS)


def test_the_paper_bound_counts_the_information_twice_for_copies():
    copies = [(b, b) for b in (0, 1) for _ in range(50)]
    assert scoring.gain_bound(0, 1, copies, (2, 2)) == pytest.approx(2 * 100 * math.log(2))


@pytest.mark.parametrize("seed", range(5))
def test_bic_star_misses_bic_by_the_interaction(seed):
    cards = (3, 2, 4, 2)
    rows = random_rows(seed, 60, cards)
    star = scoring.bic_star(3, (0, 1), (2,), rows, cards)
    missing = len(rows) * scoring.interaction_information(3, (0, 1), (2,), rows, cards)
    assert scoring.bic(3, (0, 1, 2), rows, cards) == pytest.approx(star + missing)
    assert abs(missing) > 1e-6


def test_all_families():
    families = list(scoring.all_families(4, 2))
    assert len(families) == len(set(families)) == 4 * (1 + 3 + 3)
    assert (2, frozenset({0, 3})) in families
    assert len(list(scoring.all_families(3, 7))) == 3 * 4


EXTENSION_RULES = [
    scoring.pruned_by_theorem_1,
    scoring.pruned_by_first_condition,
    scoring.pruned_by_entropy,
    scoring.pruned_by_de_campos_ji,
]


def supersets(members, candidates):
    """``members`` with every subset of ``candidates``."""
    for size in range(len(candidates) + 1):
        for more in combinations(candidates, size):
            yield frozenset(members) | set(more)


@pytest.fixture(scope="module", params=[(0, 30), (1, 30), (2, 60), (3, 90)], ids=str)
def scored_table(request):
    seed, num_rows = request.param
    cards = (2, 3, 2, 4, 2)
    rows = random_rows(seed, num_rows, cards)
    score = {(child, p): scoring.bic(child, p, rows, cards) for child, p in scoring.all_families(5, 4)}
    return rows, cards, score


@pytest.mark.parametrize("rule", EXTENSION_RULES, ids=lambda rule: rule.__name__)
def test_a_pruned_set_and_its_supersets_never_beat_a_subset(rule, scored_table):
    rows, cards, score = scored_table
    fired = 0
    for (child, parents), extra in ((family, y) for family in score for y in range(5)):
        if extra == child or extra in parents or not rule(child, parents, extra, rows, cards):
            continue
        fired += 1
        others = set(range(5)) - {child, extra, *parents}
        for bigger in supersets({*parents, extra}, sorted(others)):
            smaller = supersets((), sorted(bigger - {extra}))
            assert score[child, bigger] <= max(score[child, s] for s in smaller) + 1e-9
    assert fired > 0


def test_the_entropy_rule_prunes_whatever_the_weaker_rules_prune(scored_table):
    rows, cards, score = scored_table
    for (child, parents), extra in ((family, y) for family in score for y in range(5)):
        if extra == child or extra in parents:
            continue
        where = (child, parents, extra, rows, cards)
        if any(rule(*where) for rule in EXTENSION_RULES):
            assert scoring.pruned_by_entropy(*where)


def test_de_campos_ji_is_the_child_half_of_the_entropy_rule(scored_table):
    rows, cards, score = scored_table
    for (child, parents), extra in ((family, y) for family in score for y in range(5)):
        if extra == child or extra in parents:
            continue
        lost = len(rows) * scoring.conditional_entropy(child, parents, rows, cards)
        saved = (cards[extra] - 1) * scoring.penalty(child, parents, len(rows), cards)
        assert scoring.pruned_by_de_campos_ji(child, parents, extra, rows, cards) == (lost <= saved)


def test_in_degree_bound(scored_table):
    rows, cards, score = scored_table
    for (child, parents), s in score.items():
        if scoring.supersets_pruned_by_in_degree(child, parents, len(rows), cards):
            for bigger in supersets(parents, sorted(set(range(5)) - {child, *parents})):
                assert score[child, bigger] <= s + 1e-9


def test_in_degree_bound_by_hand():
    # N = 100, binary child: 2.3 |P| >= 69.3 from 31 joint states on.
    cards = (2, 30, 31)
    assert not scoring.supersets_pruned_by_in_degree(0, (1,), 100, cards)
    assert scoring.supersets_pruned_by_in_degree(0, (2,), 100, cards)


@pytest.mark.parametrize("equivalent_sample_size", [0.1, 1.0, 20.0])
def test_bdeu_bound_holds_for_all_supersets(equivalent_sample_size, scored_table):
    rows, cards, score = scored_table
    for child, parents in score:
        bound = scoring.bdeu_bound(child, parents, rows, cards)
        for bigger in supersets(parents, sorted(set(range(5)) - {child, *parents})):
            assert scoring.bdeu(child, bigger, rows, cards, equivalent_sample_size) <= bound + 1e-9


def test_bdeu_bound_by_hand():
    assert scoring.bdeu_bound(0, (1,), TEN, (3, 2)) == pytest.approx(-2 * math.log(3))
    assert scoring.pruned_by_bdeu_bound(0, (1,), -2.0, TEN, (3, 2))
    assert not scoring.pruned_by_bdeu_bound(0, (1,), -2.3, TEN, (3, 2))


def test_dominated_by_hand():
    a, b, ab, none = frozenset({1}), frozenset({2}), frozenset({1, 2}), frozenset[int]()
    cache = {0: {none: -5.0, a: -4.0, b: -5.0, ab: -4.5}}
    assert scoring.dominated(cache) == {0: {b, ab}}
    assert scoring.without_dominated(cache) == {0: {none: -5.0, a: -4.0}}


@pytest.mark.parametrize("seed", range(4))
def test_two_exact_methods_agree(seed):
    cache = random_cache(seed, 4, 3)
    by_subsets, parents = scoring.best_structure(cache, 4)
    by_brute_force, _ = scoring.best_structure_bounded(cache, 4, max_treewidth=3)
    assert by_subsets == pytest.approx(by_brute_force)
    assert graphs.is_acyclic(parents)
    assert sum(cache[v][p] for v, p in enumerate(parents)) == pytest.approx(by_subsets)
    assert scoring.best_structure(scoring.without_dominated(cache), 4)[0] == pytest.approx(by_subsets)


def test_a_tighter_bound_never_scores_more():
    cache = random_cache(7, 5, 3)
    scores = []
    for max_treewidth in (0, 1, 2, 4):
        score, parents = scoring.best_structure_bounded(cache, 5, max_treewidth)
        assert graphs.treewidth(5, graphs.moral_edges(parents)) <= max_treewidth
        scores.append(score)
    assert scores == sorted(scores)
    assert scores[0] < scores[-1]
    assert scores[-1] == pytest.approx(scoring.best_structure(cache, 5)[0])


def test_number_of_dags():
    # Robinson's sequence: 1, 3, 25, 543 labelled DAGs.
    for n, expected in [(1, 1), (2, 3), (3, 25), (4, 543)]:
        assert len(scoring.all_dags(scoring.parent_choices(random_cache(0, n, n), n))) == expected


def test_graphs_by_hand():
    assert graphs.is_acyclic([(), (0,), (0, 1)])
    assert not graphs.is_acyclic([(2,), (0,), (1,)])
    collider = graphs.moral_edges([(), (), (0, 1)])
    assert collider == {frozenset({0, 1}), frozenset({0, 2}), frozenset({1, 2})}
    cycle = frozenset(frozenset({v, (v + 1) % 5}) for v in range(5))
    assert graphs.treewidth(5, cycle) == 2
    assert graphs.treewidth(3, frozenset()) == 0
    assert graphs.elimination_width(cycle, [0, 1, 2, 3, 4]) == 2
    star = [frozenset({0, v}) for v in range(1, 5)]
    assert graphs.elimination_width(star, [0, 1, 2, 3, 4]) == 4
    assert graphs.elimination_width(star, [1, 2, 3, 4, 0]) == 1


def test_the_inverted_tree_of_the_paper():
    # A, B -> E; C, D -> F; E, F -> G: treewidth two, three by the reverse topological order of the text.
    a, b, c, d, e, f, g = range(7)
    parents = [(), (), (), (), (a, b), (c, d), (e, f)]
    edges = graphs.moral_edges(parents)
    assert graphs.treewidth(7, edges) == 2
    assert graphs.elimination_width(edges, [g, f, d, c, e, a, b]) == 3
