"""The same answers as pyAgrum, on networks made here and on published ones where they can be found."""

from __future__ import annotations

import gzip
import os
import pathlib

import numpy as np
import pytest

import treebound

gum = pytest.importorskip("pyagrum")


def agree(network: treebound.BayesianNetwork, peer: gum.BayesNet, seed: int) -> None:
    """All marginals and the probability of the evidence, with a tenth of the variables known."""
    rng = np.random.default_rng(seed)
    row = network.sample(1, seed=seed).codes[:, 0]
    known = rng.choice(network.num_variables, network.num_variables // 10, replace=False).tolist()
    evidence = {network.schema.names[v]: network.schema[v].states[row[v]] for v in known}
    tree = treebound.JunctionTree(network)
    for given in ({}, evidence):
        inference = gum.LazyPropagation(peer)
        inference.setEvidence(given)
        inference.makeInference()
        for name, found in tree.marginals(given).items():
            if name not in given:
                np.testing.assert_allclose(found, inference.posterior(name).toarray(), atol=1e-9)
    assert np.exp(tree.log_probability(evidence)) == pytest.approx(inference.evidenceProbability(), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_random_networks(seed: int) -> None:
    network = treebound.random_network(30, max_states=4, max_treewidth=4, seed=seed)
    agree(network, treebound.formats.to_pyagrum(network), seed)


@pytest.mark.parametrize("name", ["alarm", "hailfinder", "win95pts", "andes"])
def test_published_networks(name: str, tmp_path: pathlib.Path) -> None:
    folder = pathlib.Path(os.environ.get("TREEBOUND_DATA", ""), "networks")
    if not (folder / f"{name}.bif.gz").exists():
        pytest.skip("TREEBOUND_DATA does not name a folder with networks/*.bif.gz")
    path = tmp_path / f"{name}.bif"
    path.write_bytes(gzip.decompress((folder / f"{name}.bif.gz").read_bytes()))
    peer = gum.loadBN(str(path))
    for node in peer.nodes():
        peer.cpt(node).normalizeAsCPT()  # files round
    agree(treebound.formats.from_pyagrum(peer), peer, seed=1)
