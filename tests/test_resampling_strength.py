"""How sure arcs are, and the consensus of many networks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound
from reference import graphs
from reference import resampling as reference
from strategies_structure import dags
from treebound import Budget, Structure
from treebound.resampling import ArcStrength, Bootstrap, ModelAveraging, arc_strength

pytestmark = pytest.mark.core

TRUTH = treebound.random_network(6, max_treewidth=2, max_states=2, min_parents=1, max_parents=2, seed=5)
TABLE = TRUTH.sample(300, seed=1)
OPTIONS = {"budget": Budget(steps=5), "threads": 1}


@settings(max_examples=40)
@given(n=st.integers(2, 4), bound=st.integers(1, 2), data=st.data())
def test_shares_and_consensus_are_those_of_the_definition(n, bound, data):
    within = dags(max_variables=n, max_parents=2).filter(
        lambda p: len(p) == n and graphs.treewidth(n, graphs.moral_edges(p)) <= bound
    )
    networks = data.draw(st.lists(within, min_size=1, max_size=4))
    weights = np.array(data.draw(st.lists(st.integers(1, 4), min_size=len(networks), max_size=len(networks))))
    shares = tuple((weights / weights.sum()).tolist())
    found = ArcStrength(tuple(map(Structure.from_parents, networks)), shares, bound)
    expected = reference.arc_shares(networks, shares)
    for (a, b), share in found.shares.items():
        assert share == pytest.approx(expected.get((a, b), 0.0))
    assert expected.keys() <= found.shares.keys()
    for arc in found.arcs:
        a, b = int(arc.parent), int(arc.child)
        both = expected.get((a, b), 0.0) + expected.get((b, a), 0.0)
        assert arc.strength == pytest.approx(both) == pytest.approx(found.strength(arc.child, arc.parent))
        assert arc.direction == pytest.approx(expected.get((a, b), 0.0) / both)
        assert arc.direction >= 0.5 - 1e-12
    assert len(found.arcs) == len({frozenset(pair) for pair in expected})
    strengths = [arc.strength for arc in found.arcs]
    assert strengths == sorted(strengths, reverse=True)
    consensus = found.consensus
    assert treebound.check(consensus, max_treewidth=bound)
    least = reference.least_mean_distance(n, expected, bound)
    assert reference.mean_distance(consensus.parent_indices, expected) == pytest.approx(least, abs=1e-9)


def test_equal_networks_agree():
    parents = {"a": [], "b": ["a", "c"], "c": [], "d": ["b"]}
    found = ArcStrength((Structure.from_parents(parents),) * 3, (1 / 3,) * 3, 2)
    assert all(arc.strength == pytest.approx(1) for arc in found.arcs)
    assert found.consensus.parents == {name: tuple(sorted(family)) for name, family in parents.items()}
    assert found.consensus.max_treewidth == 2


def test_the_bootstrap_is_a_function_of_the_seed():
    first = arc_strength(TABLE, 2, method=Bootstrap(4), seed=3, **OPTIONS)
    again = arc_strength(TABLE, 2, method=Bootstrap(4), seed=3, budget=Budget(steps=5), threads=2)
    assert first.to_frame().equals(again.to_frame())
    assert first.consensus.parents == again.consensus.parents
    other = arc_strength(TABLE, 2, method=Bootstrap(4), seed=4, **OPTIONS)
    assert [one.score for one in other.networks] != [one.score for one in first.networks]
    assert len(first.networks) == 4
    assert first.weights == (0.25,) * 4
    expected = reference.arc_shares([one.parent_indices for one in first.networks], first.weights)
    assert {arc: share for arc, share in first.shares.items() if share > 0} == pytest.approx(expected)
    assert list(first.to_frame("polars").columns) == ["parent", "child", "strength", "direction"]
    assert repr(first).startswith("<ArcStrength: 4 networks of 6 variables, ")


def test_networks_of_one_table_are_weighted_by_their_scores():
    found = arc_strength(TABLE, 2, method=ModelAveraging(3), **OPTIONS)
    scores = [treebound.structure.score_structure(one, TABLE).score for one in found.networks]
    whole = math.fsum(math.exp(score - max(scores)) for score in scores)
    assert found.weights == pytest.approx([math.exp(score - max(scores)) / whole for score in scores])
    assert found.networks[0].score == pytest.approx(scores[0])


def test_strong_dependence_is_found_strong():
    rng = np.random.default_rng(0)
    a, c = rng.integers(0, 2, 400), rng.integers(0, 2, 400)
    found = arc_strength(
        {"a": a, "b": a ^ (rng.random(400) < 0.05), "c": c}, 1, method=Bootstrap(10), **OPTIONS
    )
    assert found.strength("a", "b") == pytest.approx(1)
    assert found.arcs[0].direction == pytest.approx(0.5)  # a pair is reversible
    assert {frozenset(arc) for arc in found.consensus.arcs} == {frozenset("ab")}
    with pytest.raises(ValueError, match="there is no variable 'x'"):
        found.strength("a", "x")


def test_progress_counts_networks_and_an_interrupt_keeps_those_that_are_finished():
    seen = []
    arc_strength(TABLE, 1, method=Bootstrap(3), progress=seen.append, **OPTIONS)
    assert [(one.finished, one.total) for one in seen] == [(1, 3), (2, 3), (3, 3)]

    calls = []

    def interrupt(now):
        calls.append(now)
        if len(calls) == 2:
            raise KeyboardInterrupt

    found = arc_strength(TABLE, 1, method=Bootstrap(3), progress=interrupt, **OPTIONS)
    assert found.was_interrupted
    assert len(found.networks) == 2


def test_wrong_arguments_are_refused():
    with pytest.raises(
        TypeError, match=r"method must be Bootstrap\(\) or ModelAveraging\(\), got 'bootstrap'"
    ):
        arc_strength(TABLE, 2, method="bootstrap")
    with pytest.raises(ValueError, match="replicates must be at least 1, got 0"):
        Bootstrap(0)
    with pytest.raises(ValueError, match="searches must be at least 1, got 0"):
        ModelAveraging(0)
    with pytest.raises(ValueError, match="max_treewidth must be at least 1, got 0"):
        arc_strength(TABLE, 0)


def test_any_networks_can_be_averaged():
    one = Structure.from_parents({"a": [], "b": ["a"]})
    other = Structure.from_parents({"a": [], "b": []})
    assert ArcStrength([one, other], [3, 1], 1).strength("a", "b") == 0.75
    for networks, weights, words in (
        ((), (), "must be one or more, with a weight for each"),
        ((one,), (1, 2), "got 1 networks and 2 weights"),
        ((one,), (0,), "not all of them zero"),
        ((one,), (-1,), "a weight must be finite and not negative, got -1"),
        ((one, Structure.from_parents({"b": [], "a": []})), (1, 1), "the same variables in the same order"),
    ):
        with pytest.raises(ValueError, match=words):
            ArcStrength(networks, weights, 1)
    with pytest.raises(TypeError, match="structure must be a Structure"):
        ArcStrength([3], [1], 1)


def test_the_plot_shows_the_strongest_arcs():
    pytest.importorskip("matplotlib")
    found = arc_strength(TABLE, 2, method=Bootstrap(3), **OPTIONS)
    ax = treebound.plot.plot_arc_strength(found.arcs, most=4)
    shown = [label.get_text() for label in ax.get_yticklabels()]
    assert shown == [f"{arc.parent} → {arc.child}" for arc in found.arcs[:4]]
    widths = [patch.get_width() for patch in ax.patches]
    assert widths[:4] == [arc.strength for arc in found.arcs[:4]]
    with pytest.raises(TypeError, match="each of arcs must be an arc"):
        treebound.plot.plot_arc_strength([("a", "b")])
