"""Slow twins of the search over orders: everything decoded anew, all places tried."""

from __future__ import annotations


def decode(sets, order):
    """Each variable takes its best set among those before it: score and parents."""
    chosen = {}
    for place, v in enumerate(order):
        before = set(order[:place])
        chosen[v] = next(pair for pair in sets[v] if set(pair[1]) <= before)
    return sum(chosen[v][0] for v in chosen), [chosen[v][1] for v in range(len(sets))]


def all_slides(order, first, size):
    """All orders in which the window stands somewhere else."""
    window, rest = order[first : first + size], [*order[:first], *order[first + size :]]
    return [[*rest[:place], *window, *rest[place:]] for place in range(len(rest) + 1)]


def has_cycle_through(v, parents):
    """Whether some path along the arcs leads from v back to v."""
    above, found = list(parents[v]), set()
    while above:
        u = above.pop()
        if u not in found:
            found.add(u)
            above += parents[u]
    return v in found


def asobs(sets, turns):
    """In turn, each variable takes its best set that closes no cycle: the parents of all."""
    parents = [()] * len(sets)
    for v in turns:
        for _, candidate in sets[v]:
            parents[v] = candidate
            if not has_cycle_through(v, parents):
                break
    return parents
