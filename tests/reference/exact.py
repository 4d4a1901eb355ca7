"""Slow twins of what the exact solvers are made of: all clusters, all cycles, all combinations.

A cache is a list that has, for each variable, its ``(score, parents)`` pairs, best first, the empty set last;
``values`` has the same shape.
"""

from __future__ import annotations

import itertools
import math

from reference.search import is_acyclic


def excess(sets, values, cluster):
    """What the members' values with a parent inside exceed the cluster inequality by."""
    inside = sum(
        value
        for v in cluster
        for (_, parents), value in zip(sets[v], values[v], strict=True)
        if set(parents) & set(cluster)
    )
    return inside - (len(cluster) - 1)


def is_violated(sets, values):
    """Whether some cluster inequality is."""
    n = len(sets)
    clusters = (c for size in range(2, n + 1) for c in itertools.combinations(range(n), size))
    return any(excess(sets, values, cluster) > 1e-3 for cluster in clusters)


def shortest_cycles(parents):
    """The length of a shortest cycle through each variable that is on one: paths of any length tried."""
    lengths = {}
    for v in range(len(parents)):
        reached = {v}
        for length in range(1, len(parents) + 1):
            reached = {u for w in reached for u in parents[w]}
            if v in reached:
                lengths[v] = length
                break
    return lengths


def round_to_acyclic(sets, values):
    """Sink finding: the least used by the rest goes last; then each the best set of what stands before."""
    left, parents = set(range(len(sets))), {}
    while left:
        uses = {
            v: sum(
                value
                for u in left
                for (_, chosen), value in zip(sets[u], values[u], strict=True)
                if v in chosen
            )
            for v in left
        }
        sink = min(sorted(left), key=uses.__getitem__)
        left.remove(sink)
        parents[sink] = next(chosen for _, chosen in sets[sink] if set(chosen) <= left)
    return [parents[v] for v in range(len(sets))]


def best_score_within(sets, bags):
    """Score of the best DAG whose families all lie in bags: all combinations."""
    inside = [
        [(score, parents) for score, parents in pairs if any({v, *parents} <= set(bag) for bag in bags)]
        for v, pairs in enumerate(sets)
    ]
    best = -math.inf
    for choice in itertools.product(*inside):
        if is_acyclic([parents for _, parents in choice]):
            best = max(best, sum(score for score, _ in choice))
    return best
