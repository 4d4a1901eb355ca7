"""Which junction tree to take: that of the network's own elimination order, or of a greedy one."""

from __future__ import annotations

import warnings

import numpy as np

from treebound import _core
from treebound.inference._memory import message_bytes
from treebound.structure import spelled_bytes

# A tree with fewer cells takes milliseconds, and is taken without a look for a better one.
FEW_CELLS = 1 << 21
# A larger tree causes a warning if the network has no elimination order: a query takes a second or more.
MANY_CELLS = 100_000_000


def best_tree(flat: _core.InferenceNetwork, elimination_order: tuple[int, ...] | None) -> _core.CliqueTree:
    """The tree with fewest cells."""
    if elimination_order is None:
        tree = _core.CliqueTree.smallest(flat)
        if tree.all_cliques > MANY_CELLS:
            warnings.warn(
                f"The network has no elimination_order, and the best junction tree found has width "
                f"{tree.width} and {tree.all_cliques:.3g} cells; its messages may take "
                f"{spelled_bytes(message_bytes(tree))}, and queries may take long.",
                stacklevel=3,
            )
        return tree
    tree = _core.CliqueTree.from_order(flat, np.array(elimination_order, dtype=np.uint32))
    if tree.all_cliques <= FEW_CELLS:
        return tree
    return min(tree, _core.CliqueTree.smallest(flat), key=lambda one: one.all_cliques)
