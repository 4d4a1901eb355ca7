"""A partial order from chains: which variables come after which, along all chains together."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from treebound._ordering import orderable
from treebound.constraints._errors import ContradictionError
from treebound.constraints._masks import mask_of
from treebound.constraints._shortest import shortest_cycle


def later_masks(chains: Sequence[Sequence[Sequence[int]]], names: Sequence[str]) -> dict[int, int]:
    """Return, for each variable of a chain, the bits of all variables that come after it.

    Each group of a chain comes before all later groups of it. ContradictionError if a variable comes before
    itself.
    """
    n = len(names)
    # Between two groups stands a gate, so groups of thousands need no pair for each two members.
    before: list[list[int]] = [[] for _ in range(n)]
    for chain in chains:
        for earlier, later in itertools.pairwise(chain):
            before.append([*earlier])
            for v in later:
                before[v].append(len(before) - 1)
    order = orderable(before)
    if len(order) < len(before):
        cycle = [names[v] for v in shortest_cycle(before) if v < n]
        cycle = cycle if cycle[0] == cycle[-1] else [*cycle, cycle[0]]
        raise ContradictionError(
            f"The order contradicts itself: {' < '.join(map(repr, cycle))}; drop one of these."
        )
    return _later(before, order, n)


def _later(before: Sequence[Sequence[int]], order: Sequence[int], n: int) -> dict[int, int]:
    later = [0] * len(before)
    for node in reversed(order):
        passed = later[node] | (mask_of([node], n) if node < n else 0)
        for earlier in before[node]:
            later[earlier] |= passed
    return {v: later[v] for v in range(n) if later[v]}
