"""Questions that cannot be answered say why; large trees are refused before anything is made."""

from __future__ import annotations

import numpy as np
import pytest

import treebound
from treebound.inference import _memory, _trees
from treebound.network._anomaly import family_logs


@pytest.fixture
def tree() -> treebound.JunctionTree:
    schema = treebound.Schema(
        [treebound.Variable("rain", ("no", "yes")), treebound.Variable("grass", ("dry", "wet"))]
    )
    tables = (np.array([0.8, 0.2]), np.array([1.0, 0.0, 0.1, 0.9]))
    return treebound.JunctionTree(treebound.BayesianNetwork.from_indices(schema, ((), (0,)), tables))


def test_unknown_names_and_labels_are_told_the_nearest(tree: treebound.JunctionTree) -> None:
    with pytest.raises(treebound.InferenceError, match="grass"):
        tree.posterior("gras")
    with pytest.raises(treebound.InferenceError, match="wet"):
        tree.posterior("rain", {"grass": "wett"})
    with pytest.raises(treebound.InferenceError, match="rain"):
        tree.posterior("grass", {"rian": "yes"})
    with pytest.raises(treebound.InferenceError, match="yes"):
        tree.posterior("rain")["yess"]
    with pytest.raises(ValueError, match="target must be at most 1, got 2"):
        tree.posterior_rows(2, tree.network.sample(1))


@pytest.mark.parametrize(
    ("finding", "told"),
    [
        ([1.0], "2 numbers"),
        ([-1.0, 1.0], "finite, not negative"),
        ([0.0, 0.0], "not all zero"),
        ([np.nan, 1.0], "must be finite"),
        ([1.0, np.inf], "must be finite"),
        ({"wett": 1}, "wet"),
    ],
)
def test_likelihoods_are_checked(tree: treebound.JunctionTree, finding: object, told: str) -> None:
    with pytest.raises(treebound.InferenceError, match=told):
        tree.log_probability({"grass": finding})


def test_impossible_evidence_is_named(tree: treebound.JunctionTree) -> None:
    with pytest.raises(treebound.ImpossibleEvidence, match="'rain' is 'no', 'grass' is 'wet'") as caught:
        tree.marginals({"rain": "no", "grass": "wet"})
    assert caught.value.findings == ("rain", "grass")


@pytest.mark.parametrize("names", [[], ["rain", "rain"]])
def test_variables_asked_for_must_differ(tree: treebound.JunctionTree, names: list[str]) -> None:
    with pytest.raises(treebound.InferenceError, match="different variables"):
        tree.posterior(names)


def test_a_wide_network_is_refused_with_its_width_but_for_rows_with_one_gap() -> None:
    network = treebound.random_network(200, min_parents=4, max_parents=6, max_states=3, seed=1)
    with pytest.warns(UserWarning, match="no elimination_order"):
        tree = treebound.JunctionTree(network)
    rows = network.sample(5, seed=1)
    logs = tree.log_likelihood_rows(rows)
    np.testing.assert_allclose(logs, family_logs(network, rows.codes).sum(axis=0))
    gap = rows.codes.astype(np.int32)
    gap[7] = -1
    each = np.empty((network.schema.cardinalities[7], 5))
    for state, logs in enumerate(each):
        filled = gap.copy()
        filled[7] = state
        logs[:] = family_logs(network, filled).sum(axis=0)
    one = treebound.Dataset(network.schema, gap)
    np.testing.assert_allclose(tree.log_likelihood_rows(one), np.logaddexp.reduce(each))
    np.testing.assert_allclose(tree.posterior_rows(7, rows), tree.posterior_rows(7, one))
    np.testing.assert_array_equal(tree.most_probable_rows(one).codes[7], each.argmax(axis=0))
    gap[8, 2] = -1
    two = treebound.Dataset(network.schema, gap)
    for ask in (
        tree.marginals,
        lambda: tree.posterior(network.schema.names[3]),
        lambda: tree.log_likelihood_rows(two),
        lambda: tree.posterior_rows(7, two),
        lambda: tree.most_probable_rows(two),
        lambda: tree.sample_rows_given(two),
    ):
        with pytest.raises(treebound.InferenceError, match=r"width .* more than max_bytes"):
            ask()


def test_a_large_joint_posterior_is_refused() -> None:
    network = treebound.random_network(60, max_treewidth=2, seed=1)
    tree = treebound.JunctionTree(network, max_bytes=10**6)
    with pytest.raises(treebound.InferenceError, match="joint posterior of 40 variables"):
        tree.posterior(network.schema.names[:40])


@pytest.mark.parametrize("cells", [1e300, np.inf])
def test_sizes_beyond_measure_are_told_in_words(cells: float) -> None:
    with pytest.raises(treebound.InferenceError, match="needs tables of more than 1,000 PB, more than"):
        _memory.check_tables(cells, "It", 10**6)


def test_a_posterior_reads_by_label(tree: treebound.JunctionTree) -> None:
    assert tree.posterior("rain", {"grass": "wet"})["yes"] == 1
    assert tree.posterior("rain").to_dict() == {"no": 0.8, "yes": 0.2}
    assert tree.posterior(["rain", "grass"])["yes", "wet"] == pytest.approx(0.18)
    assert "yes  0.2000" in repr(tree.posterior("rain"))


def test_a_larger_tree_is_dropped_for_a_smaller_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A witness is as good as its cells: the hub of a star must not leave first."""
    schema = treebound.Schema([treebound.Variable(f"v{v}", ("a", "b")) for v in range(12)])
    tables = (np.array([0.5, 0.5]), *[np.array([0.1, 0.9, 0.8, 0.2])] * 11)
    network = treebound.BayesianNetwork.from_indices(schema, ((), *[(0,)] * 11), tables, tuple(range(12)))
    assert treebound.JunctionTree(network).width == 11
    monkeypatch.setattr(_trees, "FEW_CELLS", 100)
    assert treebound.JunctionTree(network).width == 1
