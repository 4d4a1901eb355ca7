"""Slow twins of what many networks from one table tell: shares, distances and a rule, as defined."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations

from reference import graphs


def arc_shares(networks: Sequence[Sequence[Collection[int]]], weights: Sequence[float]) -> dict:
    """The weight of the networks that have each arc; an arc that is not compelled counts half each way."""
    shares: dict[tuple[int, int], float] = {}
    for parents, weight in zip(networks, weights, strict=True):
        fixed = graphs.compelled(parents)
        for child, family in enumerate(parents):
            for parent in family:
                ways = [(parent, child)] if (parent, child) in fixed else [(parent, child), (child, parent)]
                for way in ways:
                    shares[way] = shares.get(way, 0.0) + weight / len(ways)
    return shares


def mean_distance(parents: Sequence[Collection[int]], shares: dict) -> float:
    """The mean number of pairs in which a graph differs from the networks that the shares were made of."""
    total = 0.0
    for a, b in combinations(range(len(parents)), 2):
        there, back = shares.get((a, b), 0.0), shares.get((b, a), 0.0)
        if a in parents[b]:
            total += 1 - there
        elif b in parents[a]:
            total += 1 - back
        else:
            total += there + back
    return total


def least_mean_distance(num_variables: int, shares: dict, max_treewidth: int) -> float:
    """Over all acyclic graphs of a treewidth within the bound."""
    return min(
        mean_distance(parents, shares)
        for parents in graphs.all_dags(num_variables)
        if graphs.treewidth(num_variables, graphs.moral_edges(parents)) <= max_treewidth
    )


def recommended_bound(log_likelihoods: dict[int, Sequence[float]]) -> int:
    """The smallest bound that loses at most one standard error to the best, in differences row by row, or at
    most a thousandth of a nat.

    The standard error of a mean of n numbers is the root of the sum of squared deviations over n(n-1).
    """
    exact = {bound: [Fraction(x) for x in values] for bound, values in log_likelihoods.items()}
    best = min(exact, key=lambda bound: (-sum(exact[bound]), bound))
    for bound in sorted(exact):
        lost = [x - y for x, y in zip(exact[best], exact[bound], strict=True)]
        n, mean = len(lost), sum(lost) / len(lost)
        if mean <= Fraction(1, 1000) or (
            n * (n - 1) * mean**2 <= sum((x - mean) ** 2 for x in lost) and n > 1
        ):
            return bound
    raise AssertionError
