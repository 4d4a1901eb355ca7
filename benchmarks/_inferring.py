"""What the benchmarks of inference share: networks for both sides, and evidence."""

from __future__ import annotations

import gzip
import os
import pathlib
import tempfile
from typing import Any

import numpy as np

import treebound
from _common import Skip


def published(name: str) -> tuple[treebound.BayesianNetwork, Any] | Skip:
    """A network of the folder TREEBOUND_DATA/networks, and pyAgrum's own."""
    path = pathlib.Path(os.environ.get("TREEBOUND_DATA", ""), "networks", f"{name}.bif.gz")
    if not path.exists():
        return Skip(f"{name}: TREEBOUND_DATA does not name a folder with networks/{name}.bif.gz.")
    import pyagrum

    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder, f"{name}.bif")
        plain.write_bytes(gzip.decompress(path.read_bytes()))
        peer = pyagrum.loadBN(str(plain))
    for node in peer.nodes():
        peer.cpt(node).normalizeAsCPT()  # files round
    return treebound.formats.from_pyagrum(peer), peer


def findings(network: treebound.BayesianNetwork, share: float, seed: int = 1) -> dict[str, str]:
    """A share of the cells of a row drawn from the network."""
    row = network.sample(1, seed=seed).codes[:, 0]
    count = max(1, int(share * network.num_variables))
    known = np.random.default_rng(seed).choice(network.num_variables, count, replace=False).tolist()
    return {network.schema.names[v]: network.schema[v].states[row[v]] for v in known}
