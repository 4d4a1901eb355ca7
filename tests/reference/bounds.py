"""Slow twins of upper bounds: all clusters, all families.

A cache is a list that has, for each variable, its ``(score, parents)`` pairs, best first.
"""

from __future__ import annotations

import itertools


def sum_of_best(sets, k):
    """Best scores of sets of at most k parents added up."""
    return sum(max(score for score, parents in pairs if len(parents) <= k) for pairs in sets)


def cluster_loss(sets, k, cluster):
    """What every structure loses to a cluster: one member has no parent inside."""
    losses = []
    for v in cluster:
        scores = [(score, parents) for score, parents in sets[v] if len(parents) <= k]
        outside = [score for score, parents in scores if not set(parents) & set(cluster)]
        losses.append(max(scores)[0] - max(outside))
    return min(losses)


def largest_cluster_loss(sets, k):
    """The loss to the cluster that costs most."""
    n = len(sets)
    clusters = (c for size in range(2, n + 1) for c in itertools.combinations(range(n), size))
    return max((cluster_loss(sets, k, cluster) for cluster in clusters), default=0.0)


def largest_unseen_score(score, n, child, scored_size, max_parents):
    """The best of all families with more than the scored and at most so many parents, by a given score."""
    others = [v for v in range(n) if v != child]
    sizes = range(scored_size + 1, min(max_parents, n - 1) + 1)
    return max(
        (score(child, parents) for size in sizes for parents in itertools.combinations(others, size)),
        default=float("-inf"),
    )
