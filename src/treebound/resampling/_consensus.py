"""One structure for many: within the bound, and as near to all of them as can be found.

Distance is the mean structural Hamming distance. Let p be the share of networks with the arc a -> b, and q
that with b -> a. Without an arc, p + q of the networks differ in this pair; with a -> b, 1 - p do. So the arc
gains 2p + q - 1, whatever the other arcs are, and the best structure within the bound is the one with the
best sum of gains: a search in a cache whose local scores are sums of gains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import TypeAlias

from treebound._budget import Budget
from treebound.constraints import rules_of, with_cells
from treebound.scoring import ParentSetCache
from treebound.solvers import Regrow, search
from treebound.structure import Structure

Arcs: TypeAlias = Mapping[tuple[int, int], float]

# Sets of a variable that are listed at most. Where more parents gain than that allows, the weakest are left
# out: they are those of variables with very many neighbours, which mostly point the other way.
_MOST_SETS = 3000
_STEPS = 100


def consensus_of(networks: Sequence[Structure], shares: Arcs, max_treewidth: int) -> Structure:
    """Search the structure of least mean distance, starting from the best of the networks themselves.

    Only arcs that gain are looked at: of each network those are taken alone, which brings it nearer to all.
    Arcs that constraints require are in all networks, and gain. Where constraints join pairs in either
    direction, the consensus is the best of the networks.
    """
    names, constraints = networks[0].names, networks[0].constraints
    cells = [network.max_cells for network in networks if network.max_cells is not None]
    max_cells = max(cells) if len(cells) == len(networks) else None
    rules = rules_of(constraints, names)
    gains = {arc: gain for arc, gain in _gains(shares).items() if gain > 0}
    trimmed = [_trimmed(network, gains) for network in networks]
    sets: list[set[tuple[int, ...]]] = [{()} for _ in names]
    if rules.undecided:
        return max(networks, key=lambda one: sum(gains.get(arc, 0.0) for arc in one.arc_indices))
    for v in range(len(names)):
        sets[v].add(rules.least(v))
        sets[v] |= {parents[v] for parents in trimmed}
        sets[v] |= _subsets(v, gains, max_treewidth)
    cache = ParentSetCache.from_sets(
        {
            name: [(parents, _gain(v, parents, gains)) for parents in sorted(sets[v])]
            for v, name in enumerate(names)
        },
        schema=networks[0].schema,
    )
    starts = [
        Structure.from_parents(parents, cache=cache, elimination_order=network.elimination_order)
        for parents, network in zip(trimmed, networks, strict=True)
    ]
    within = [start for start in starts if start.treewidth <= max_treewidth]  # solvers may keep no bound
    start = max(within, key=lambda one: one.score or 0.0, default=None)
    found = search(
        cache,
        max_treewidth,
        solver=Regrow(),
        budget=Budget(steps=_STEPS),
        threads=1,
        start=start,
        constraints=with_cells(constraints, max_cells),
    ).structure
    consensus = Structure.from_parents(
        found.parent_indices,
        names=names,
        elimination_order=found.elimination_order,
        max_treewidth=max_treewidth,
        schema=networks[0].schema,
        provenance={"consensus of networks": len(networks)},
    )
    return replace(consensus, max_cells=max_cells, constraints=constraints)


def _gains(shares: Arcs) -> dict[tuple[int, int], float]:
    return {(a, b): 2 * p + shares.get((b, a), 0.0) - 1 for (a, b), p in shares.items()}


def _gain(child: int, parents: Sequence[int], gains: Arcs) -> float:
    return sum(gains.get((parent, child), 0.0) for parent in parents)


def _trimmed(network: Structure, gains: Arcs) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(parent for parent in chosen if (parent, child) in gains)
        for child, chosen in enumerate(network.parent_indices)
    )


def _subsets(child: int, gains: Arcs, most_parents: int) -> set[tuple[int, ...]]:
    """All sets of the parents that gain most, as many of them as keep the list short."""
    useful = sorted((a for a, b in gains if b == child), key=lambda a: (-gains[a, child], a))
    count = len(useful)
    while sum(comb(count, size) for size in range(most_parents + 1)) > _MOST_SETS:
        count -= 1
    kept = sorted(useful[:count])
    sizes = range(min(most_parents, count) + 1)
    return {chosen for size in sizes for chosen in combinations(kept, size)}
