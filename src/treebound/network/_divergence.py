"""How far one network is from another: the Kullback-Leibler divergence, exactly.

The logarithm of a network's probability is a sum over its families, so its expected value under another
network needs only the joint distributions of these families there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound.inference import JunctionTree
from treebound.network._alignment import aligned
from treebound.network._bayesian_network import BayesianNetwork


def kl_divergence(network: BayesianNetwork, other: BayesianNetwork, *, max_bytes: int | None = None) -> float:
    """Return KL(network || other) in nats: the loss per row of using ``other`` in place of ``network``.

    Variables are matched by name and states by label, in any order.

    Parameters
    ----------
    network, other : BayesianNetwork
        Two networks over the same variables.
    max_bytes : int, optional
        Raise an error rather than use more memory than this.

    Returns
    -------
    float
        Infinite if ``other`` rules out something that ``network`` holds possible.
    """
    for name, given in (("network", network), ("other", other)):
        check_type(name, given, BayesianNetwork, "a BayesianNetwork")
    tree = JunctionTree(network, max_bytes=max_bytes)
    own = _expected_log(network, tree)
    return max(0.0, own - _expected_log(aligned(other, network.schema), tree))


def _expected_log(network: BayesianNetwork, tree: JunctionTree) -> float:
    """Expected logarithm of the network's probability when rows come from the tree's."""
    return math.fsum(_expected_logs(network, tree))


def _expected_logs(network: BayesianNetwork, tree: JunctionTree) -> Iterator[float]:
    cards = network.schema.cardinalities
    joints = tree.joint_distributions(
        [(*family, child) for child, family in enumerate(network.parent_indices)]
    )
    for child, joint in enumerate(joints):
        table: NDArray[np.float64] = network.tables[child].reshape(-1, cards[child])
        table = (table / table.sum(axis=1, keepdims=True)).ravel()
        possible = joint > 0
        if np.any(table[possible] == 0):
            yield -math.inf
        else:
            yield float(np.sum(joint[possible] * np.log(table[possible])))
