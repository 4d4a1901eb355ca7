"""Parts of a network and its tables in pictures: what is drawn is what was asked for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from strategies_network import networks
from treebound.plot._box_layout import box_layout
from treebound.plot._neighbourhood import arcs_outside, around_of, part_of
from treebound.plot._table_boxes import box_sizes, table_text

WET = tb.BayesianNetwork.from_tables(
    {
        "rain": {"no": 0.8, "yes": 0.2},
        "wet": {"no": {"no": 0.9, "yes": 0.1}, "yes": {"no": 0.05, "yes": 0.95}},
        "slip": {"no": {"no": 0.99, "yes": 0.01}, "yes": {"no": 0.7, "yes": 0.3}},
    },
    parents={"wet": ["rain"], "slip": ["wet"]},
)


def texts(ax):
    return [text.get_text() for text in ax.texts]


@given(network=networks(), data=st.data())
def test_a_neighbourhood_is_what_few_arcs_reach(network, data):
    structure = network.structure
    v = data.draw(st.integers(0, structure.num_variables - 1))
    distance = data.draw(st.integers(0, 3))
    centres, found = around_of(structure, structure.names[v], distance)
    joined = {frozenset(arc) for arc in structure.arc_indices}

    def reaches(u, left):
        near = [w for w in range(structure.num_variables) if frozenset((u, w)) in joined and w != u]
        return u == v or (left > 0 and any(reaches(w, left - 1) for w in near))

    assert centres == [v]
    assert found == [u for u in range(structure.num_variables) if reaches(u, distance)]
    part = part_of(structure, found)
    assert set(part.arcs) == {arc for arc in structure.arcs if set(arc) <= set(part.names)}
    inside = [sum(u in arc for arc in structure.arc_indices) for u in found]
    kept = [sum(name in arc for arc in part.arcs) for name in part.names]
    assert arcs_outside(structure, found) == [a - b for a, b in zip(inside, kept, strict=True)]


@given(network=networks())
def test_boxes_do_not_overlap_and_parents_stand_above(network):
    lines = [table_text(network, v) for v in range(network.num_variables)]
    sizes = box_sizes(list(network.schema.names), lines)
    points = box_layout(network.structure, sizes).points
    for a, b in itertools.combinations(range(network.num_variables), 2):
        assert (np.abs(points[a] - points[b]) >= (sizes[a] + sizes[b]) / 2).any()
    for parent, child in network.arc_indices:
        assert points[parent, 1] > points[child, 1]


@given(network=networks(), wide=st.booleans())
def test_arcs_pass_behind_no_box(network, wide):
    lines = [table_text(network, v) for v in range(network.num_variables)]
    sizes = box_sizes(list(network.schema.names), lines)
    sizes[:, 0] += 300 * wide
    placed = box_layout(network.structure, sizes)
    assert set(placed.routes) == set(network.arc_indices)
    for (tail, head), corners in placed.routes.items():
        assert corners[0] == pytest.approx(placed.points[tail] - [0, sizes[tail, 1] / 2])
        assert corners[-1] == pytest.approx(placed.points[head] + [0, sizes[head, 1] / 2])
        assert corners[-2, 0] == corners[-1, 0]
        assert corners[-2, 1] > corners[-1, 1] + 5, "the arrowhead needs a direction and room"
        steps = np.linspace(0, 1, 101)[:, None]
        pairs = itertools.pairwise(corners)
        drawn = np.vstack([start + steps * (end - start) for start, end in pairs])
        for v in range(network.num_variables):
            assert not (np.abs(drawn - placed.points[v]) < sizes[v] / 2 - 1e-6).all(axis=1).any()


def test_tables_are_drawn_of_small_networks(tmp_path):
    ax = tb.plot.plot_structure(WET)
    assert {"rain", "wet", "slip", "rain    no   yes", "  no  0.90  0.10"} <= set(texts(ax))
    assert texts(tb.plot.plot_structure(WET, tables=False)) == ["wet", "rain", "slip"]
    assert set(texts(tb.plot.plot_structure(WET.structure))) == {"rain", "wet", "slip"}
    large = tb.random_network(9, max_treewidth=2, seed=1)
    assert len(texts(tb.plot.plot_structure(large))) == 9
    assert len(texts(tb.plot.plot_structure(large, tables=True))) > 18
    with pytest.raises(TypeError, match=r"fit\(structure, table\) makes one"):
        tb.plot.plot_structure(WET.structure, tables=True)
    with pytest.raises(ValueError, match="at most 40 variables are drawn, got 60; around="):
        tb.plot.plot_structure(tb.random_network(60, max_treewidth=2, seed=1), tables=True)


def test_long_tables_are_cut():
    many = tb.BayesianNetwork.from_tables({"a": [0.05] * 20, "b": [[0.1] * 10] * 20}, parents={"b": ["a"]})
    lines = table_text(many, 1)
    assert lines[-1] == "… 12 more rows"
    assert len(lines) == 10
    assert lines[0].split() == ["a", "0", "1", "2", "3", "4", "5", "…"]


def test_what_is_around_a_variable():
    assert set(texts(tb.plot.plot_structure(WET, around="rain", distance=1, tables=False))) == {
        "rain",
        "wet +1",
    }
    assert set(texts(tb.plot.plot_structure(WET, around=["rain", "slip"], distance=0, tables=False))) == {
        "rain +1",
        "slip +1",
    }
    assert "wet +1" in texts(tb.plot.plot_structure(WET, around="rain", distance=1))
    with pytest.raises(ValueError, match="got 'wett'; did you mean 'wet'"):
        tb.plot.plot_structure(WET, around="wett")
    with pytest.raises(ValueError, match="distance must be at least 0"):
        tb.plot.plot_structure(WET, around="wet", distance=-1)
    with pytest.raises(ValueError, match=r"around must name a variable .* got none"):
        tb.plot.plot_structure(WET, around=[])
    everything = set(texts(tb.plot.plot_structure(WET, around="wet", distance=2**64 - 1, tables=False)))
    assert everything == set(WET.schema.names)


def test_pictures_show_themselves_in_notebooks():
    data, size = tb.plot.plot_structure(WET)._repr_png_()
    assert data.startswith(b"\x89PNG")
    assert set(size) == {"width", "height"}


def test_the_verb(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tb.save_network(WET, "n.json")
    tb.save_structure(WET.structure, "s.json")
    assert run("plot", "n.json") == (0, "n.png: a picture of n.json\n", "")
    assert run("plot", "n.json", "-o", "n.svg") == (0, "n.svg: a picture of n.json\n", "")
    assert run("plot", "s.json", "-o", "s.png", "--around", "wet", "--distance", 1, "-q") == (0, "", "")
    assert (tmp_path / "s.png").read_bytes().startswith(b"\x89PNG")
    assert run("plot", "n.json", "-o", "n.gif")[0] == 2
    assert run("plot", "n.json", "-o", "n.png", "--around", "nobody")[0] == 2
