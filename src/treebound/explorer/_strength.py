"""The strength of an arc: the mutual information of its two variables, exact, in nats."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treebound.network import BayesianNetwork


def arc_strengths(network: BayesianNetwork) -> NDArray[np.float64]:
    """Mutual information of parent and child for each arc, without evidence."""
    cards = network.schema.cardinalities
    pairs = network.arc_indices
    joints = network.junction_tree.joint_distributions(pairs)
    shapes = [(cards[parent], cards[child]) for parent, child in pairs]
    return np.array([_information(flat.reshape(shape)) for flat, shape in zip(joints, shapes, strict=True)])


def _information(joint: NDArray[np.float64]) -> float:
    # Products of tiny probabilities would vanish; sums of their logarithms do not.
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.log(joint.sum(axis=1, keepdims=True)) + np.log(joint.sum(axis=0, keepdims=True))
        terms = np.where(joint > 0, joint * (np.log(joint) - apart), 0.0)
    return max(0.0, float(terms.sum()))
