"""Which arcs two structures do not share, from Python and on the command line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from reference import graphs as reference
from strategies_structure import dags

CHAIN = {"a": [], "b": ["a"], "c": ["b"], "d": []}
OTHER = {"d": ["c"], "c": [], "b": ["a", "c"], "a": []}


@given(n=st.integers(1, 6), data=st.data())
def test_every_arc_is_told_once(n, data):
    graphs = dags(max_variables=n).filter(lambda parents: len(parents) == n)
    first, second = data.draw(graphs), data.draw(graphs)
    one, other = tb.Structure.from_parents(first), tb.Structure.from_parents(second)
    found = tb.structure.diff(one, other)
    back = tuple((child, parent) for parent, child in found.reversed)
    assert sorted(found.common + found.reversed + found.missing) == sorted(one.arcs)
    assert sorted(found.common + back + found.extra) == sorted(other.arcs)
    assert found.distance == reference.hamming_distance(first, second)


def test_arcs_are_told_by_name():
    found = tb.structure.diff(tb.Structure.from_parents(CHAIN), tb.Structure.from_parents(OTHER))
    assert found == tb.structure.StructureDiff(
        common=(("a", "b"),), reversed=(("b", "c"),), missing=(), extra=(("c", "d"),)
    )
    assert found.summary == "1 arc in common, 1 reversed, 0 missing, 1 extra"
    lines = [line.split() for line in str(found).splitlines()[2:]]
    assert lines == [["reversed", "b", "\u2192", "c"], ["extra", "c", "\u2192", "d"]]
    assert repr(found) == f"<StructureDiff: {found.summary}>"
    assert not found.has_same_skeleton


def test_other_variables_are_refused():
    message = "the variables must be the same, but only the first has 'a' and only the second has 'b'"
    with pytest.raises(tb.DataError, match=message):
        tb.structure.diff(tb.Structure.from_parents({"a": []}), tb.Structure.from_parents({"b": []}))
    many = tb.Structure.from_parents({f"v{i}": [] for i in range(9)})
    with pytest.raises(tb.DataError, match=r"but only the second has 'v1', .*'v5', 3 more$"):
        tb.structure.diff(tb.Structure.from_parents({"v0": []}), many)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tb.save_structure(tb.Structure.from_parents(CHAIN), "chain.json")
    rows = {name: ["x", "y", "x"] for name in "abcd"}
    tb.save_network(tb.fit(OTHER, rows), "[red]other.bif")


def test_the_command_lists_arcs(run, files):
    assert run("diff", "chain.json", "[red]other.bif") == (
        0,
        "chain.json, [red]other.bif: 1 arc in common, 1 reversed, 0 missing, 1 extra\n"
        "distance 2, of the equivalence classes 3: not equivalent\n"
        "reversed: b -> c\n"
        "extra: c -> d\n",
        "",
    )
    assert run("diff", "chain.json", "chain.json", "-q") == (0, "", "")
    assert "equivalence classes 0: equivalent" in run("diff", "chain.json", "chain.json")[1]


def test_json_has_all_arcs(run, files):
    code, out, _ = run("diff", "chain.json", "[red]other.bif", "--json")
    assert code == 0
    assert json.loads(out) == {
        "common": [["a", "b"]],
        "reversed": [["b", "c"]],
        "missing": [],
        "extra": [["c", "d"]],
        "distance": 2,
        "distance_of_classes": 3,
        "markov_equivalent": False,
    }


def test_equal_structures_have_no_table_of_arcs():
    structure = tb.learn({"a": [1, 2] * 9, "b": [1, 2] * 9}, 1, budget=tb.Budget(steps=1)).structure
    found = tb.structure.diff(structure, structure)
    assert str(found) == "1 arc in common, 0 reversed, 0 missing, 0 extra"
