"""Which arcs decide an intervention although rows do not determine their direction.

Setting variables moves what lies downstream. The effect on a target follows from the equivalence class unless
a path leads from a set variable to the target that starts with a reversible arc and could be directed all
along: no compelled arc of it points back (Perkovic 2020, "Identifying causal effects in maximally oriented
partially directed acyclic graphs", theorem 3.6). These first arcs are the ones that decide.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from treebound.structure import Cpdag, cpdag

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork


def settled_arcs(
    network: BayesianNetwork, done: Collection[int], targets: Collection[int]
) -> tuple[tuple[str, str], ...]:
    """The arcs that would be uncertain if the constraints had not settled their direction."""
    uncertain = uncertain_arcs(network, done, targets)
    without = uncertain_arcs(network, done, targets, use_constraints=False)
    return tuple(arc for arc in without if arc not in uncertain)


def uncertain_arcs(
    network: BayesianNetwork,
    done: Collection[int],
    targets: Collection[int],
    *,
    use_constraints: bool = True,
) -> tuple[tuple[str, str], ...]:
    """The reversible arcs at variables that are set from which a path can lead down to one of the targets."""
    names = network.schema.names
    of_class = cpdag(network, use_constraints=use_constraints)
    near = _above(of_class, set(targets) - set(done), set(done))
    reversible = set(of_class.reversible)
    return tuple(
        (names[parent], names[child])
        for parent, child in network.arc_indices
        if (min(parent, child), max(parent, child)) in reversible
        and ((parent in done and child in near) or (child in done and parent in near))
    )


def _above(of_class: Cpdag, targets: set[int], done: set[int]) -> set[int]:
    """The variables from which arcs that could all point down lead to targets, not through set variables."""
    before: dict[int, set[int]] = {}
    for parent, child in of_class.compelled:
        before.setdefault(child, set()).add(parent)
    for one, other in of_class.reversible:
        before.setdefault(one, set()).add(other)
        before.setdefault(other, set()).add(one)
    found, waiting = set(targets), list(targets)
    for v in waiting:
        fresh = before.get(v, set()) - found - done
        found |= fresh
        waiting += fresh
    return found
