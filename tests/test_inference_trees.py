"""Trees made for findings, and trees of ten thousand variables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound
from reference import inference as reference
from reference import structure as graphs
from strategies_inference import random_table
from strategies_structure import graphs as any_graphs
from treebound import _core, _core_testing
from treebound.inference import _junction_tree as module
from treebound.structure._graph import flat_rows

pytestmark = pytest.mark.core


def ring_with_hub(seed: int) -> treebound.BayesianNetwork:
    """A hub above a chain, with an order in which the hub leaves first and joins all others."""
    rng = np.random.default_rng(seed)
    schema = treebound.Schema([treebound.Variable(f"v{v}", ("a", "b")) for v in range(8)])
    parents = ((), (0,), *[(0, v - 1) for v in range(2, 8)])
    tables = tuple(random_table(rng, 2, 2 ** len(family)) for family in parents)
    return treebound.BayesianNetwork.from_indices(schema, parents, tables, tuple(range(8)))


@given(seed=st.integers(0, 1000), codes=st.lists(st.integers(0, 1), min_size=2, max_size=2))
@settings(max_examples=40)
def test_a_tree_made_for_the_findings_gives_the_same_answers(seed: int, codes: list[int]) -> None:
    """With every tree counted as large, one is made for the findings; the states of both are tried on it."""
    network = ring_with_hub(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FEW_CELLS", 0)
        order = np.arange(8, dtype=np.uint32)
        patch.setattr(module, "best_tree", lambda flat, _: _core.CliqueTree.from_order(flat, order))
        tree = treebound.JunctionTree(network)
    joint = reference.joint(network.parent_indices, network.tables, network.schema.cardinalities)
    for code in codes:
        for row in ([code, *[-1] * 7], [code, -1, -1, codes[0], -1, -1, -1, -1], [-1] * 8):
            weighted = reference.given_row(joint, row)
            evidence = {f"v{v}": "ab"[state] for v, state in enumerate(row) if state >= 0}
            total = weighted.sum()
            expected = -math.inf if total == 0 else pytest.approx(math.log(total), abs=1e-9)
            assert tree.log_probability(evidence) == expected
            if total == 0:
                continue
            for v, found in enumerate(tree.marginals(evidence).values()):
                np.testing.assert_allclose(found, reference.posterior(weighted, [v]), atol=1e-12)


@given(graph=any_graphs(max_vertices=8), data=st.data())
@settings(max_examples=60)
def test_weighted_orders_are_those_of_the_twin(
    graph: tuple[tuple[int, ...], ...], data: st.DataObject
) -> None:
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(graph), max_size=len(graph)))
    edges, flat_weights = graphs.edges_of(graph), np.array(weights, dtype=np.int64)
    lightest = _core_testing.min_weight_order(*flat_rows(graph), flat_weights).tolist()
    least_fill = _core_testing.weighted_min_fill_order(*flat_rows(graph), flat_weights).tolist()
    assert lightest == list(graphs.min_weight_order(edges, len(graph), weights))
    assert least_fill == list(graphs.weighted_min_fill_order(edges, len(graph), weights))


def test_ten_thousand_variables_neither_underflow_nor_disagree() -> None:
    """Two ways to the same numbers: messages in the tree, and elimination row by row."""
    network = treebound.random_network(10_000, max_states=3, max_treewidth=3, concentration=0.2, seed=1)
    tree = treebound.JunctionTree(network)
    row = network.sample(1, seed=2).codes.astype(np.int32)
    row[np.random.default_rng(3).random(row.shape) < 0.5] = -1
    known = np.flatnonzero(row[:, 0] >= 0).tolist()
    evidence = {network.schema.names[v]: network.schema[v].states[row[v, 0]] for v in known}
    found = tree.log_probability(evidence)
    rows = treebound.Dataset(network.schema, row)
    assert found == pytest.approx(tree.log_likelihood_rows(rows)[0], rel=1e-12)
    assert -math.inf < found < -700
    marginals = tree.marginals(evidence)
    for v in (0, 17, 5000, 9999):
        expected = tree.posterior_rows(v, rows)[0] if row[v, 0] < 0 else np.eye(3)[row[v, 0]]
        card = network.schema.cardinalities[v]
        np.testing.assert_allclose(marginals[network.schema.names[v]], expected[:card], atol=1e-12)
    best = tree.most_probable(evidence)
    completed = [network.schema[name].code(label) for name, label in best.assignment.items()]
    whole = treebound.Dataset(network.schema, np.array([completed]).T)
    assert best.log_joint == pytest.approx(tree.log_likelihood_rows(whole)[0])
    assert tree.most_probable_rows(rows) == whole
