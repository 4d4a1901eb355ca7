"""The checker: what is right passes, and every way of tampering that we can think of is refused."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import structure as reference
from strategies_structure import structures
from treebound import Constraints, ParentSetCache, Schema, Structure, Variable, check
from treebound.structure import FaultKind, KTree, TreeDecomposition

pytestmark = pytest.mark.core


def tampered(structure, **changes):
    return dataclasses.replace(structure, **changes)


def broken(verdict):
    assert not verdict
    assert str(verdict).startswith("rejected:")
    return {fault.kind for fault in verdict.faults}


CACHE = ParentSetCache.from_sets({
    "a": [((), -1.0)],
    "b": [(["a"], -2.0), ((), -3.0)],
    "c": [(["a", "b"], -2.5), (["a"], -4.0), ((), -6.0)],
    "d": [(["c"], -1.25), ((), -7.0)],
})  # fmt: skip


@pytest.fixture
def good():
    return Structure.from_parents(
        [[], [0], [0, 1], [2]], cache=CACHE, ktree=KTree((0, 1, 2, 3), ((1, 2),)), max_treewidth=2
    )


def test_a_good_structure_passes(good):
    verdict = check(good, CACHE, 2)
    assert verdict
    assert verdict.faults == ()
    assert (verdict.treewidth, verdict.max_treewidth, verdict.score) == (2, 2, -6.75)
    assert str(verdict) == "ok: acyclic, treewidth at most 2, within the limit 2, scores agree with the cache"
    assert str(check(tampered(good, max_treewidth=None))) == (
        "ok: acyclic, treewidth at most 2, scores add up (not compared with a table or a cache)"
    )
    bare = tampered(good, local_scores=None, score=None)
    assert str(check(bare)).endswith(", no scores to compare")


@given(found=structures())
def test_structures_inside_ktrees_pass(found):
    assert check(found)


@given(found=structures(), data=st.data())
def test_the_checker_agrees_with_the_definition(found, data):
    """Change parents, bags and edges at random; the checker refuses exactly when the definition says so."""
    n = found.num_variables
    indexes = st.integers(0, n - 1)
    parents = [set(chosen) for chosen in found.parent_indices]
    bags = [set(bag) for bag in found.witness.bags]
    edges = list(found.witness.edges)
    for _ in range(data.draw(st.integers(0, 3))):
        match data.draw(st.sampled_from(["parent", "member", "edge", "drop"])):
            case "parent":
                child = data.draw(indexes)
                parents[child] ^= {data.draw(indexes)} - {child}
            case "member":
                bag = data.draw(st.sampled_from(bags))
                member = data.draw(indexes)
                if bag != {member}:  # a witness has no empty bags
                    bag ^= {member}
            case "edge" if edges:
                ends = st.integers(0, len(bags) - 1)
                edges[data.draw(st.integers(0, len(edges) - 1))] = (data.draw(ends), data.draw(ends))
            case "drop" if edges:
                edges.pop(data.draw(st.integers(0, len(edges) - 1)))
    witness = TreeDecomposition(tuple(map(tuple, bags)), tuple(edges))
    changed = tampered(found, parent_indices=tuple(map(tuple, parents)), decomposition=witness)
    expected = reference.is_structure(
        changed.parent_indices, witness.bags, witness.edges, found.max_treewidth
    )
    assert bool(check(changed)) == expected


def test_a_cycle_is_named(good):
    turned = tampered(good, parent_indices=((2,), (0,), (1,), ()), local_scores=None, score=None)
    assert broken(check(turned)) == {FaultKind.CYCLE}
    assert "a -> b -> c -> a" in str(check(turned)).replace("b -> c -> a -> b", "a -> b -> c -> a")


def test_a_long_cycle_is_cut_short():
    n = 5000
    circle = Structure.from_parents([[(v - 1) % n] for v in range(n)])
    verdict = check(circle)
    assert broken(verdict) == {FaultKind.CYCLE}
    assert len(str(verdict)) < 200


def test_a_cycle_of_two(good):
    assert FaultKind.CYCLE in broken(check(tampered(good, parent_indices=((1,), (0,), (0, 1), (2,)))))


def test_a_family_outside_the_witness(good):
    verdict = check(tampered(good, parent_indices=((), (0,), (0, 1), (0,))))
    assert broken(verdict) == {FaultKind.FAMILY}
    assert "no bag contains d and its parents {a}" in str(verdict)


def test_a_clique_less_a_member(good):
    less = TreeDecomposition(((0, 1), (1, 2, 3)), ((0, 1),))
    assert broken(check(tampered(good, decomposition=less))) == {FaultKind.FAMILY}


def test_a_variable_in_no_clique(good):
    less = TreeDecomposition(((0, 1, 2),), ())
    assert broken(check(tampered(good, decomposition=less))) == {FaultKind.FAMILY, FaultKind.VARIABLES}


def test_a_variable_that_does_not_exist(good):
    more = TreeDecomposition(((0, 1, 2), (2, 3, 4)), ((0, 1),))
    verdict = check(tampered(good, decomposition=more))
    assert broken(verdict) == {FaultKind.VARIABLES}
    assert "a bag contains index 4, but there are 4 variables" in str(verdict)


@pytest.mark.parametrize(
    ("edges", "why"),
    [
        ((), "3 bags need 2 edges, got 0"),
        (((0, 1),), "3 bags need 2 edges, got 1"),
        (((0, 1), (1, 2), (2, 0)), "3 bags need 2 edges, got 3"),
        (((0, 1), (0, 1)), "only 2 of 3 bags are connected"),
        (((0, 1), (2, 2)), "only 2 of 3 bags are connected"),
        (((1, 2), (1, 2)), "only 1 of 3 bags are connected"),
    ],
)
def test_cliques_that_form_no_tree(good, edges, why):
    bags = ((0, 1, 2), (2, 3), (2,))
    assert check(tampered(good, decomposition=TreeDecomposition(bags, ((0, 1), (1, 2)))))
    verdict = check(tampered(good, decomposition=TreeDecomposition(bags, edges)))
    assert FaultKind.TREE in broken(verdict)
    assert why in str(verdict)


def test_a_variable_whose_cliques_are_apart(good):
    apart = TreeDecomposition(((0, 1, 2), (1, 2, 3), (0, 3)), ((0, 1), (1, 2)))
    verdict = check(tampered(good, decomposition=apart))
    assert broken(verdict) == {FaultKind.CONNECTION}
    assert "bags of a variable are not connected: those of a form 2 separate parts" in str(verdict)


def test_a_clique_beyond_the_bound(good):
    assert broken(check(good, max_treewidth=1)) == {FaultKind.WIDTH}
    assert broken(check(tampered(good, max_treewidth=1), max_treewidth=5)) == {FaultKind.WIDTH}
    all_in_one = TreeDecomposition(((0, 1, 2, 3),), ())
    verdict = check(tampered(good, decomposition=all_in_one))
    assert broken(verdict) == {FaultKind.WIDTH}
    assert str(verdict) == (
        "rejected:\n- treewidth limit exceeded: bag {a, b, c, d} has 4 variables, limit 2 allows 3"
    )


def test_of_many_wide_bags_the_widest_is_named_once():
    bags = (tuple(range(3)), tuple(range(2, 20)), (19, 20))
    wide = Structure(tuple(f"v{v}" for v in range(21)), ((),) * 21, TreeDecomposition(bags, ((0, 1), (1, 2))))
    assert [str(fault) for fault in check(wide, max_treewidth=1).faults] == [
        "treewidth limit exceeded: bag {v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, ... 8 more} has 18 "
        "variables, limit 1 allows 2 (1 more bag exceeds it)"
    ]
    assert str(check(wide, max_treewidth=0)).endswith("limit 0 allows 1 (2 more bags exceed it)")


def test_of_many_large_bags_the_largest_is_named_once():
    schema = Schema(
        [Variable(name, tuple(map(str, range(card)))) for name, card in zip("abc", (2, 3, 4), strict=True)]
    )
    witness = TreeDecomposition(((0, 1), (1, 2)), ((0, 1),))
    large = Structure(("a", "b", "c"), ((), (), ()), witness, schema=schema)
    assert [str(fault) for fault in check(large, constraints=Constraints(max_cells=5)).faults] == [
        "cell limit exceeded: bag {b, c} has 12 joint states, limit 5 (1 more bag exceeds it)"
    ]
    assert check(large, constraints=Constraints(max_cells=12))
    bare = check(tampered(large, schema=None), constraints=Constraints(max_cells=5))
    assert str(bare).endswith("cell limit exceeded: cannot be checked, because the structure has no schema")


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 4), ()])
def test_an_order_that_is_none(good, order):
    assert broken(check(tampered(good, insertion_order=order))) == {FaultKind.ORDER}


def test_a_sum_that_is_wrong(good):
    verdict = check(tampered(good, score=-6.74))
    assert broken(verdict) == {FaultKind.SCORES}
    assert "wrong scores: the structure reports -6.74, but its local scores sum to -6.75" in str(verdict)


def test_local_scores_that_are_not_those_of_the_cache(good):
    swapped = tampered(good, local_scores=(-2.0, -1.0, -2.5, -1.25))
    assert check(swapped)
    verdict = check(swapped, CACHE)
    assert broken(verdict) == {FaultKind.SCORES}
    assert "a scores -2.0 in the structure, but -1.0 in the cache" in str(verdict)


def test_a_total_that_is_not_that_of_the_cache(good):
    assert broken(check(tampered(good, local_scores=None, score=-6.7), CACHE)) == {FaultKind.SCORES}
    assert check(tampered(good, local_scores=None, score=-6.75), CACHE)
    assert check(tampered(good, local_scores=None, score=None), CACHE)


def test_a_small_change_of_a_score_is_seen(good):
    changed = tampered(good, local_scores=(-1.0, -2.0, -2.5, -1.2501), score=-6.7501)
    assert check(changed)
    assert broken(check(changed, CACHE)) == {FaultKind.SCORES}


def test_rounded_scores_pass_within_the_rounding_and_no_further(good):
    rounded = tampered(good, local_scores=(-1.004, -2.004, -2.5, -1.25), score=-6.75, score_rounding=0.005)
    assert check(rounded, CACHE)
    assert broken(check(tampered(rounded, local_scores=(-1.006, -2.0, -2.5, -1.25)), CACHE)) == {
        FaultKind.SCORES
    }
    assert broken(check(tampered(rounded, score=-6.752), CACHE)) == {FaultKind.SCORES}


def test_a_parent_set_that_the_cache_lacks(good):
    verdict = check(tampered(good, parent_indices=((), (0,), (1,), (2,))), CACHE)
    assert broken(verdict) == {FaultKind.SCORES}
    assert "the cache has no parent set {b} for c" in str(verdict)


def test_a_cache_of_other_variables(good):
    other = ParentSetCache.from_sets({name: [((), -1.0)] for name in "abxd"})
    verdict = check(good, other)
    assert broken(verdict) == {FaultKind.SCORES}
    assert "variable 2 is c in the structure, but x in the cache" in str(verdict)
    fewer = ParentSetCache.from_sets({name: [((), -1.0)] for name in "abc"})
    assert "the cache has 3 variables, the structure has 4" in str(check(good, fewer))


def test_a_structure_without_names_is_compared_by_position(good):
    assert check(tampered(good, names=("0", "1", "2", "3")), CACHE)


def test_faults_of_a_kind_are_cut_short():
    n = 100
    lonely = Structure(tuple(map(str, range(n))), ((),) * n, TreeDecomposition(((0,),), ()))
    verdict = check(lonely)
    assert broken(verdict) == {FaultKind.FAMILY, FaultKind.VARIABLES}
    assert len(verdict.faults) == 10


def test_ten_thousand_variables_are_checked_in_seconds():
    n, k = 10_000, 8
    rng = np.random.default_rng(0)
    separators, bags = [], [tuple(range(k + 1))]
    for v in range(k + 1, n):
        host = bags[rng.integers(len(bags))]
        separator = tuple(rng.permutation(host)[:k].tolist())
        separators.append(separator)
        bags.append((*separator, v))
    parents = [tuple(range(v)) for v in range(k + 1)] + separators
    large = Structure.from_parents(parents, ktree=KTree(tuple(range(n)), tuple(separators)), max_treewidth=k)
    assert check(large)
    wrong = list(parents)
    wrong[5000] = (*wrong[5000][1:], next(v for v in range(100) if v not in wrong[5000]))
    assert broken(check(tampered(large, parent_indices=tuple(wrong)))) == {FaultKind.FAMILY}
