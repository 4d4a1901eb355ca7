"""Which arcs decide an intervention although rows cannot tell their direction."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from treebound.structure import cpdag

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork


def uncertain_arcs(
    network: BayesianNetwork, done: Collection[int], targets: Collection[int]
) -> tuple[tuple[str, str], ...]:
    """The reversible arcs at variables that are set, if a way leads on from them to one of the targets.

    Nothing passes through a variable that is set, so that arcs on its other sides do not matter.
    """
    names = network.schema.names
    near = _joined(network, done, set(targets) - set(done))
    reversible = {frozenset(pair) for pair in cpdag(network).reversible}
    return tuple(
        (names[parent], names[child])
        for parent, child in network.arc_indices
        if frozenset((parent, child)) in reversible
        and ((parent in done and child in near) or (child in done and parent in near))
    )


def _joined(network: BayesianNetwork, done: Collection[int], targets: set[int]) -> set[int]:
    """The variables from which arcs, in whatever direction, lead to targets without those that are set."""
    beside: dict[int, set[int]] = {}
    for parent, child in network.arc_indices:
        beside.setdefault(parent, set()).add(child)
        beside.setdefault(child, set()).add(parent)
    found, waiting = set(targets), list(targets)
    for v in waiting:
        fresh = beside.get(v, set()) - found - set(done)
        found |= fresh
        waiting += fresh
    return found
