"""Interventions, against the truncated factorization."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import treebound
from reference import graphs
from reference import inference as reference
from strategies_inference import possible_cases
from strategies_structure import dags
from treebound import BayesianNetwork

pytestmark = pytest.mark.core

# Smoking is caused by a gene that also causes cancer; tar lies between them.
SMOKING = BayesianNetwork.from_tables(
    {
        "gene": {"no": 0.7, "yes": 0.3},
        "smokes": {"no": {"no": 0.8, "yes": 0.2}, "yes": {"no": 0.1, "yes": 0.9}},
        "cancer": {
            "no": {"no": {"no": 0.95, "yes": 0.05}, "yes": {"no": 0.9, "yes": 0.1}},
            "yes": {"no": {"no": 0.6, "yes": 0.4}, "yes": {"no": 0.5, "yes": 0.5}},
        },
    },
    parents={"smokes": ["gene"], "cancer": ["gene", "smokes"]},
)


@given(case=possible_cases(max_variables=5), data=st.data())
def test_interventions_follow_the_truncated_factorization(case, data):
    network, cards = case.network, case.network.schema.cardinalities
    chosen = data.draw(st.lists(st.sampled_from(range(len(cards))), max_size=2, unique=True))
    settings = {v: data.draw(st.integers(0, cards[v] - 1)) for v in chosen}
    named = {network.schema.names[v]: network.schema[v].states[code] for v, code in settings.items()}
    changed = network.do(named)
    truth = reference.intervened(network.parent_indices, network.tables, cards, settings)
    weighted = reference.weighted(truth, case.likelihoods)
    assume(weighted.sum() > 0)
    for v, (_, found) in enumerate(changed.marginals(case.evidence).items()):
        np.testing.assert_allclose(found, reference.posterior(weighted, [v]), atol=1e-12)
    assert changed.elimination_order == network.elimination_order
    assert changed.provenance["do"] == named


def test_seeing_is_not_doing():
    seen = SMOKING.posterior("cancer", {"smokes": "yes"})["yes"]
    done = SMOKING.do({"smokes": "yes"}).posterior("cancer")["yes"]
    assert done == pytest.approx(0.7 * 0.1 + 0.3 * 0.5)
    assert seen > done
    assert SMOKING.do({"smokes": "yes"}).posterior("gene")["yes"] == pytest.approx(0.3)
    after = SMOKING.do({"smokes": "yes"}).do({"gene": "no"})
    assert after == SMOKING.do({"smokes": "yes", "gene": "no"})
    assert after.provenance["do"] == {"smokes": "yes", "gene": "no"}
    assert after.posterior("cancer")["yes"] == pytest.approx(0.1)
    with pytest.raises(treebound.ImpossibleEvidence):
        SMOKING.do({"smokes": "yes"}).posterior("cancer", {"smokes": "no"})


def test_setting_a_variable_takes_memory_in_proportion_to_its_states():
    num_states = 5000
    wide = BayesianNetwork.from_tables({"id": np.full(num_states, 1 / num_states)})
    tracemalloc.start()
    try:
        changed = wide.do({"id": 4321})
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert np.flatnonzero(changed.tables[0]).tolist() == [4321]
    assert peak < 1000 * num_states  # a square of numbers would take 8 * 5000 bytes for each state


def test_wrong_settings_are_refused():
    with pytest.raises(TypeError, match="settings must be a mapping from names to states"):
        SMOKING.do(["smokes"])
    with pytest.raises(treebound.DataError, match="no variable 'smoke'; did you mean 'smokes'"):
        SMOKING.do({"smoke": "yes"})
    with pytest.raises(treebound.InferenceError, match="'often' is not one of its states"):
        SMOKING.do({"smokes": "often"})


@given(parents=dags(max_variables=5, max_parents=3), seed=st.integers(0, 2**32 - 1), data=st.data())
def test_uncertain_arcs_are_those_that_decide_an_intervention(parents, seed, data):
    """Over all equivalent graphs, with the tables that give the same distribution."""
    n = len(parents)
    rng = np.random.default_rng(seed)
    shares = [rng.uniform(0.1, 0.9, 2 ** len(family)) for family in parents]
    tables = [np.stack([share, 1 - share], axis=1).ravel() for share in shares]
    schema = treebound.Schema([treebound.Variable(str(v), ("0", "1")) for v in range(n)])
    network = BayesianNetwork.from_indices(schema, parents, tables)
    done = data.draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=2))
    targets = data.draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=2)) - done
    assume(targets)
    named = network.uncertain_arcs(map(str, done), map(str, targets))
    uncertain = {(int(parent), int(child)) for parent, child in named}

    def effect(graph):
        graph = [sorted(family) for family in graph]
        settings = dict.fromkeys(done, 1)
        own = reference.factorized(joint, graph)
        changed = reference.intervened(graph, own, [2] * n, settings)
        return reference.marginal(changed, sorted(targets))

    joint = reference.joint(network.parent_indices, network.tables, [2] * n)
    now = effect(parents)
    decided = set()
    for other in graphs.equivalent(parents):
        reversed_arcs = {(p, v) for p, v in uncertain if p not in other[v]}
        is_same = np.allclose(effect(other), now, rtol=0, atol=1e-10)
        assert reversed_arcs or is_same
        decided |= set() if is_same else reversed_arcs
    assert decided == uncertain


def test_arcs_that_rows_cannot_direct_are_named():
    chain = treebound.fit(
        {"a": [], "x": ["a"], "b": ["x"], "alone": []}, {n: [0, 1, 1] for n in ("a", "x", "b", "alone")}
    )
    assert chain.uncertain_arcs("x", "b") == (("x", "b"),)
    assert chain.uncertain_arcs("x", ["a"]) == (("a", "x"),)
    assert chain.uncertain_arcs({"x": 1}) == (("a", "x"), ("x", "b"))
    assert chain.uncertain_arcs("x", ("x", "alone")) == ()
    assert chain.uncertain_arcs(["x", "b"]) == (("a", "x"),)
    collider = treebound.fit({"a": [], "c": [], "x": ["a", "c"]}, {n: [0, 1, 1] for n in ("a", "c", "x")})
    assert collider.uncertain_arcs("x") == collider.uncertain_arcs("a") == ()
    below = treebound.fit(
        {"a": [], "b": ["a"], "d": [], "c": ["b", "d"]}, {n: [0, 1, 1] for n in ("a", "b", "c", "d")}
    )
    assert below.uncertain_arcs("a", "c") == (("a", "b"),)
    assert below.uncertain_arcs("a", "d") == ()
