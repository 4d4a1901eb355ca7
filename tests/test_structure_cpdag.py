"""Equivalence classes and distances, against definitions that enumerate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound
from reference import graphs as reference
from strategies_structure import dags
from treebound import Structure
from treebound.structure import cpdag, markov_equivalent, shd


@given(parents=dags(max_variables=5, max_parents=3))
def test_compelled_arcs_point_the_same_way_in_the_whole_class(parents):
    structure = Structure.from_parents(parents)
    found = cpdag(structure)
    expected = reference.compelled(parents)
    assert set(found.compelled) == expected
    arcs = {(p, v) for v, family in enumerate(parents) for p in family}
    assert set(found.reversible) == {tuple(sorted(arc)) for arc in arcs - expected}
    assert found.compelled_arcs == tuple((str(a), str(b)) for a, b in found.compelled)
    for other in reference.turned(parents):
        is_same = cpdag(Structure.from_parents([sorted(family) for family in other])) == found
        assert is_same == (reference.v_structures(other) == reference.v_structures(parents))


@given(n=st.integers(1, 4), data=st.data())
def test_equivalent_structures_say_the_same_about_independence(n, data):
    pairs = dags(max_variables=n, max_parents=3).filter(lambda parents: len(parents) == n)
    first = data.draw(pairs)
    second = data.draw(st.one_of(pairs, st.sampled_from([*reference.turned(first)])))
    one, other = (Structure.from_parents([sorted(f) for f in parents]) for parents in (first, second))
    assert markov_equivalent(one, other) == reference.same_independencies(first, second)
    assert markov_equivalent(one, other) == (cpdag(one) == cpdag(other))


@given(n=st.integers(1, 6), data=st.data())
def test_the_distance_counts_pairs_that_differ(n, data):
    graphs = dags(max_variables=n).filter(lambda parents: len(parents) == n)
    first, second = data.draw(graphs), data.draw(graphs)
    order = data.draw(st.permutations(range(n)))
    one = Structure.from_parents(first)
    by_name = {str(v): [str(p) for p in second[v]] for v in order}
    other = Structure.from_parents(by_name)
    assert shd(one, other) == shd(other, one) == reference.hamming_distance(first, second)
    both_ways = [
        [set(chosen) | {v for p, v in arcs if p == child} for child, chosen in enumerate(parents)]
        for parents in (first, second)
        for arcs in [
            {(p, v) for v, family in enumerate(parents) for p in family} - reference.compelled(parents)
        ]
    ]
    if n <= 4:
        assert shd(cpdag(one), cpdag(other)) == reference.hamming_distance(*both_ways)
        assert (shd(cpdag(one), cpdag(other)) == 0) == markov_equivalent(one, other)


def test_a_chain_and_a_collider():
    chain = Structure.from_parents({"a": [], "b": ["a"], "c": ["b"]})
    back = Structure.from_parents({"a": ["b"], "b": ["c"], "c": []})
    collider = Structure.from_parents({"a": [], "b": ["a", "c"], "c": []})
    assert cpdag(chain).reversible_arcs == (("a", "b"), ("b", "c"))
    assert cpdag(collider).compelled_arcs == (("a", "b"), ("c", "b"))
    assert repr(cpdag(collider)) == "<Cpdag: 3 variables, 2 compelled and 0 reversible arcs>"
    assert markov_equivalent(chain, back)
    assert not markov_equivalent(chain, collider)
    assert (shd(chain, back), shd(cpdag(chain), cpdag(back))) == (2, 0)
    assert shd(cpdag(chain), cpdag(collider)) == 2
    network = treebound.random_network(5, seed=1)
    assert cpdag(network) == cpdag(network.structure)
    assert shd(network, network.structure) == 0


def test_graphs_that_cannot_be_compared_are_refused():
    chain = Structure.from_parents({"a": [], "b": ["a"]})
    with pytest.raises(TypeError, match="two structures, or two graphs of cpdag"):
        shd(chain, cpdag(chain))
    with pytest.raises(treebound.DataError, match="only the first has 'a' and only the second has 'c'"):
        shd(chain, Structure.from_parents({"b": [], "c": []}))
    assert not markov_equivalent(chain, Structure.from_parents({"b": [], "c": ["b"]}))
    with pytest.raises(treebound.StructureError, match="must not form a cycle, got 'a' -> 'b' -> 'a'"):
        cpdag(Structure.from_parents({"a": ["b"], "b": ["a"]}))
    with pytest.raises(TypeError, match="structure must be a Structure"):
        shd(chain, [()])
