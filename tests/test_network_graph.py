"""Questions about the arcs: equal to path enumeration, and true of the distributions."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import graphs
from treebound.data import Schema, Variable
from treebound.network import BayesianNetwork, random_network

pytestmark = pytest.mark.core


@settings(max_examples=150)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_d_separation_is_that_of_all_trails(data, seed):
    network = random_network(7, max_parents=2, max_states=2, seed=seed)
    names = network.schema.names
    roles = data.draw(st.lists(st.sampled_from("xyg-"), min_size=7, max_size=7))
    xs, ys, known = ([v for v in range(7) if roles[v] == role] for role in "xyg")
    expected = graphs.d_separated(network.parent_indices, xs, ys, known)
    asked = ([names[v] for v in group] for group in (xs, ys, known))
    assert network.d_separated(*asked) == expected


@given(seed=st.integers(0, 1000), v=st.integers(0, 7))
def test_the_markov_blanket_is_the_smallest_set_that_screens_off(seed, v):
    network = random_network(8, max_parents=2, max_states=2, seed=seed)
    own, names = network.schema.names[v], network.schema.names
    blanket = network.markov_blanket(own)
    rest = set(names) - {own, *blanket}
    assert network.d_separated(own, rest, blanket)
    for member in blanket:
        assert not network.d_separated(own, member, set(blanket) - {member})


def graph(**parents: list[str]) -> BayesianNetwork:
    """Binary variables with these parents and even tables."""
    names = list(parents)
    return BayesianNetwork.from_indices(
        Schema(tuple(Variable(name, ("no", "yes")) for name in names)),
        tuple(tuple(names.index(p) for p in family) for family in parents.values()),
        tuple([0.5] * 2 ** (1 + len(family)) for family in parents.values()),
    )


SPRINKLER = graph(season=[], rain=["season"], spray=["season"], wet=["rain", "spray"], slip=["wet"])


def test_names_may_come_alone_or_together():
    assert not SPRINKLER.d_separated("rain", "spray")
    assert SPRINKLER.d_separated("rain", "spray", given="season")
    assert not SPRINKLER.d_separated(["rain"], {"spray"}, given=["season", "slip"])
    assert SPRINKLER.markov_blanket("rain") == ("season", "spray", "wet")


def test_arcs_are_sorted_into_common_reversed_missing_and_extra():
    other = graph(wet=[], rain=["wet"], season=["rain"], spray=["season"], slip=["wet", "spray"])
    found = SPRINKLER.compare(other)
    assert found.common == (("season", "spray"), ("wet", "slip"))
    assert found.reversed == (("season", "rain"), ("rain", "wet"))
    assert found.missing == (("spray", "wet"),)
    assert found.extra == (("spray", "slip"),)
    assert found.distance == 4
    assert not found.has_same_skeleton
    assert repr(found) == "<Comparison: 2 arcs in common, 2 reversed, 1 missing, 1 extra>"
    assert "missing   spray   →  wet" in str(found).splitlines()
    assert SPRINKLER.compare(SPRINKLER).distance == 0


@given(seeds=st.tuples(st.integers(0, 99), st.integers(0, 99)))
def test_every_arc_is_counted_once(seeds):
    first, second = (random_network(6, max_states=2, seed=seed) for seed in seeds)
    found = first.compare(second)
    assert len(found.common) + len(found.reversed) + len(found.missing) == first.num_arcs
    assert len(found.common) + len(found.reversed) + len(found.extra) == second.num_arcs
    assert second.compare(first).distance == found.distance


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda n: n.markov_blanket("rane"), "there is no variable 'rane'; did you mean 'rain'?"),
        (lambda n: n.d_separated("rain", "spray", "saison"), "no variable 'saison'; did you mean 'season'?"),
        (lambda n: n.d_separated("rain", ["wet", "rain"]), "xs and ys must not share variables, got 'rain'"),
        (lambda n: n.d_separated("rain", "wet", "rain"), "xs and given must not share variables, got 'rain'"),
        (lambda n: n.d_separated("rain", "wet", "wet"), "ys and given must not share variables, got 'wet'"),
        (lambda n: n.compare(graph(rain=[], wets=[])), "'wet': there is none; did you mean 'wets'?"),
        (lambda n: graph(rain=[]).compare(graph(rain=[], wet=[])), "this network: 'wet': there is none"),
    ],
)  # fmt: skip
def test_bad_questions_get_one_sentence(ask, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        ask(SPRINKLER)
