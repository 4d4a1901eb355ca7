"""Structures, k-trees and decompositions as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import structure as reference
from strategies_structure import dags, graphs, ktrees, structures
from treebound import ParentSetCache, Schema, Structure, StructureError, Variable
from treebound.structure import KTree, TreeDecomposition, moral_graph

pytestmark = pytest.mark.core

SCHEMA = Schema(
    tuple(Variable(name, tuple("abc"[:states])) for name, states in [("rain", 2), ("spray", 3), ("wet", 2)])
)


@pytest.fixture
def wet():
    return Structure.from_parents({"rain": [], "spray": ["rain"], "wet": ["rain", "spray"]}, schema=SCHEMA)


def test_a_structure_knows_its_graph(wet):
    assert wet.parent_indices == ((), (0,), (0, 1))
    assert wet.arc_indices == ((0, 1), (0, 2), (1, 2))
    assert wet.parents == {"rain": (), "spray": ("rain",), "wet": ("rain", "spray")}
    assert wet.arcs == (("rain", "spray"), ("rain", "wet"), ("spray", "wet"))
    assert wet.num_arcs == 3
    assert wet.moral_graph == ((1, 2), (0, 2), (0, 1))
    assert wet.topological_order == (0, 1, 2)
    assert wet.is_acyclic
    assert wet.treewidth == 2
    assert wet.cardinalities == (2, 3, 2)


def test_a_cycle_is_seen_but_not_refused():
    circle = Structure.from_parents([[2], [0], [1]])
    assert not circle.is_acyclic
    assert circle.topological_order is None


def test_the_guarantee_is_told_in_words(wet):
    assert (wet.guarantee.largest_cells, wet.guarantee.total_cells) == (12, 12)
    assert wet.guarantee.memory_bytes == 96
    assert str(wet.guarantee) == (
        "Treewidth at most 2. Largest table 12 cells (over rain, spray, wet); all tables 12 cells, 96 bytes; "
        "an exact query takes about 3 µs."
    )


def test_the_guarantee_without_states_says_so():
    unknown = Structure.from_parents([[], [0], [0]], max_treewidth=3)
    assert unknown.cardinalities is None
    assert unknown.guarantee.memory_bytes is None
    assert unknown.guarantee.query_seconds is None
    assert str(unknown.guarantee) == (
        "Treewidth at most 1 (limit 3). Largest table over 2 variables, with s^2 cells if each has "
        "s states; the numbers of states are not known."
    )


def test_the_guarantee_of_a_large_table_is_readable():
    names = [f"v{i}" for i in range(12)]
    schema = Schema(tuple(Variable(name, tuple("abcdefgh")) for name in names))
    wide = Structure.from_parents([list(range(v)) for v in range(12)], names=names, schema=schema)
    words = str(wide.guarantee)
    assert "68,719,476,736 cells (over v0, v1, v2, v3, v4, v5 and 6 more)" in words
    assert "550 GB" in words
    assert "1.37e+03 s" in words


def test_scores_come_from_the_cache():
    cache = ParentSetCache.from_sets({"a": [((), -1.0)], "b": [((), -5.0), (["a"], -2.5)]}, schema=None)
    found = Structure.from_parents([[], [0]], cache=cache)
    assert found.names == ("a", "b")
    assert found.local_scores == (-1.0, -2.5)
    assert found.score == -3.5
    with pytest.raises(StructureError, match=r"no parent set \{b\} for 'a'"):
        Structure.from_parents([[1], []], cache=cache)
    with pytest.raises(StructureError, match="2 variables, the structure 1"):
        Structure.from_parents([[]], cache=cache)


@given(content=st.data())
def test_score_of_finds_every_set_and_no_other(content):
    from strategies_cache import small_caches

    cache = content.draw(small_caches())
    for v in range(cache.num_variables):
        present = {one.parent_indices: one.score for one in cache[v]}
        for number in range(2**cache.num_variables):
            parents = tuple(u for u in range(cache.num_variables) if number >> u & 1)
            assert cache.score_of(v, parents) == present.get(parents)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"names": ()}, "at least one variable"),
        ({"names": ("a", "a", "c")}, "'a' comes twice"),
        ({"names": ("a", 2, "c")}, "must be strings, got 2"),
        ({"parent_indices": ((), (0,))}, "3 variables need as many parent sets, got 2"),
        ({"parent_indices": ((), (3,), ())}, r"'b' must be in 0..2, got \[3\]"),
        ({"parent_indices": ((), (-1,), ())}, r"'b' must be in 0..2, got \[-1\]"),
        ({"parent_indices": ((), (1,), ())}, "'b' must be others"),
        ({"parent_indices": ((), (0, 0), ())}, "'b' must be others, each once"),
        ({"local_scores": (1.0, 2.0)}, "as many local scores, got 2"),
        ({"local_scores": (1.0, float("nan"), 2.0)}, "'b' must be finite"),
        ({"score": float("inf")}, "score must be finite"),
        ({"score_rounding": 0.1}, "score_rounding must be from 0 to 0.005"),
        ({"max_treewidth": -1}, "max_treewidth must be at least 0"),
        ({"max_treewidth": True}, "max_treewidth must be a whole number, got True"),
        ({"max_cells": 1.5}, "max_cells must be a whole number, got 1.5"),
        ({"schema": SCHEMA}, "schema must describe the variables"),
        ({"schema": {"variables": []}}, "schema must be a Schema or None, got dict"),
        ({"provenance": {"x": object()}}, "provenance must be plain JSON"),
    ],
)
def test_a_bad_form_is_refused(change, words):
    good = {
        "names": ("a", "b", "c"),
        "parent_indices": ((), (0,), ()),
        "decomposition": TreeDecomposition(((0, 1), (2,)), ((0, 1),)),
    }
    Structure(**good)
    with pytest.raises(StructureError, match=words):
        Structure(**(good | change))


@pytest.mark.parametrize(
    ("bags", "edges", "words"),
    [
        (((),), (), "Bag 0 must hold variables"),
        (((0, 0),), (), "each once"),
        (((-1,),), (), "Bag 0"),
        (((0,),), ((0, 1),), r"Edge \(0, 1\)"),
        (((0,),), ((-1, 0),), r"Edge \(-1, 0\)"),
    ],
)
def test_a_decomposition_of_bad_form_is_refused(bags, edges, words):
    with pytest.raises(StructureError, match=words):
        TreeDecomposition(bags, edges)


@given(parents=dags())
def test_the_moral_graph_joins_each_family(parents):
    graph = moral_graph(parents)
    assert reference.edges_of(graph) == reference.moral_edges(parents)
    assert all(row == tuple(sorted({*row})) for row in graph)


@pytest.mark.parametrize("parents", [[[1]], [[-1]]])
def test_a_moral_graph_is_of_variables_that_are_there(parents):
    with pytest.raises(StructureError, match=r"must be in 0\.\.0"):
        moral_graph(parents)


@given(graph=graphs(), data=st.data())
def test_an_elimination_order_makes_a_decomposition_of_its_width(graph, data):
    order = data.draw(st.permutations(range(len(graph))))
    made = TreeDecomposition.from_elimination_order(graph, order)
    edges = reference.edges_of(graph)
    families = [tuple(edge) for edge in edges]
    assert reference.is_tree_decomposition(made.bags, made.edges, families, len(graph))
    assert made.width == reference.width_of_order(edges, order)
    assert not any(
        set(a) <= set(b) for i, a in enumerate(made.bags) for j, b in enumerate(made.bags) if i != j
    )


@pytest.mark.parametrize("order", [[], [0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2, 0]])
def test_an_elimination_order_must_be_one(order):
    with pytest.raises(StructureError, match="each of 3 variables once"):
        TreeDecomposition.from_elimination_order(((), (), ()), order)


@pytest.mark.parametrize(
    ("neighbours", "order", "words"),
    [
        ([[5], []], [0, 1], "a neighbour of 0 must be at most 1, got 5"),
        ([[1], []], [0, 1], "mutual; 0 has 1"),
        ([[1, 1], [0]], [0, 1], r"once each, got \[1, 1\] for 0"),
        (5, [0, 1], "neighbours must be a sequence"),
        ([[1], [0]], 5, "order must be a sequence of variables, got 5"),
        ([[1], [0]], [0, 1.5], "a variable of the order must be a whole number, got 1.5"),
    ],
)
def test_what_is_no_graph_or_no_order_is_refused(neighbours, order, words):
    with pytest.raises((StructureError, TypeError, ValueError), match=words):
        TreeDecomposition.from_elimination_order(neighbours, order)


def test_neighbours_come_in_any_order():
    shuffled = TreeDecomposition.from_elimination_order([[2, 1], [2, 0], [1, 0]], [0, 1, 2])
    assert shuffled.bags == ((0, 1, 2),)


@given(found=structures())
def test_the_elimination_order_of_the_witness_keeps_its_width(found):
    assert sorted(found.elimination_order) == list(range(found.num_variables))
    assert (
        reference.width_of_order(reference.moral_edges(found.parent_indices), found.elimination_order)
        <= found.treewidth
    )


@given(tree=ktrees())
def test_a_ktree_has_full_cliques_that_form_a_tree(tree):
    made = tree.decomposition
    assert {len(clique) for clique in made.bags} == {tree.k + 1}
    assert len(made.bags) == tree.num_variables - tree.k
    assert reference.is_tree_decomposition(made.bags, made.edges, made.bags, tree.num_variables)
    assert made.width == tree.k
    edges = {frozenset((a, b)) for clique in made.bags for a in clique for b in clique if a != b}
    assert reference.width_of_order(edges, tree.elimination_order) == tree.k
    assert [len(s) for s in made.separators] == [tree.k] * len(made.edges)


@given(tree=ktrees(), data=st.data())
def test_a_ktree_holds_what_lies_in_a_clique(tree, data):
    chosen = data.draw(st.sets(st.sampled_from(range(tree.num_variables))))
    assert tree.holds(chosen) == any(chosen <= set(clique) for clique in tree.decomposition.bags)


@given(tree=ktrees())
def test_a_ktree_comes_back_from_rows(tree):
    rows = [(0,) * tree.k] * tree.num_variables
    for v, separator in zip(tree.insertion_order[tree.k + 1 :], tree.separators, strict=True):
        rows[v] = separator
    assert KTree.from_rows(tree.insertion_order, rows) == tree


@pytest.mark.parametrize(
    ("order", "separators", "words"),
    [
        ((), (), "at least one"),
        ((0, 1, 1), (), "each of 0..2 once"),
        ((0, 1), ((), ()), "fewer than 2 separators, got 2"),
        ((0, 1, 2), ((0, 1),), r"Variable 2 must join 1 variables, got \[0, 1\]"),
        ((0, 1, 2, 3), ((0,), (3,)), "inserted before it"),
        ((0, 1, 2, 3), ((3,), (0,)), "inserted before it"),
        ((0, 1, 2, 3), ((-1,), (0,)), "inserted before it"),
        ((0, 1, 2, 3, 4), ((0, 1), (2, 3)), "one clique"),
    ],
)
def test_what_is_no_ktree_is_refused(order, separators, words):
    with pytest.raises(StructureError, match=words):
        KTree(order, separators)


@given(found=structures())
def test_tightening_keeps_the_structure_and_never_widens(found):
    tight = found.tightened()
    assert (tight.parent_indices, tight.local_scores) == (found.parent_indices, found.local_scores)
    assert tight.treewidth <= found.treewidth
    assert reference.is_structure(
        tight.parent_indices, tight.witness.bags, tight.witness.edges, tight.treewidth
    )


def test_tightening_empties_full_cliques():
    tree = KTree((0, 1, 2, 3, 4), ((0, 1), (1, 2)))
    chain = Structure.from_parents([[], [0], [1], [1], [2]], ktree=tree)
    assert chain.treewidth == 2
    assert chain.tightened().treewidth == 1


@given(parents=dags())
def test_a_structure_from_parents_alone_has_a_true_witness(parents):
    found = Structure.from_parents(parents)
    assert reference.is_structure(parents, found.witness.bags, found.witness.edges, found.treewidth)


def test_parents_by_name_must_exist():
    with pytest.raises(StructureError, match="Parents of 'a' must be among the variables, got 'z'"):
        Structure.from_parents({"a": ["z"]})


def test_repr_is_short(wet):
    assert repr(wet) == "<Structure: 3 variables, 3 arcs, treewidth at most 2>"
    assert "score -2.0000" in repr(Structure.from_parents([[]], local_scores=[-2.0]))
