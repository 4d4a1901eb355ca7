"""Slow twins of inference in exact arithmetic, for tables and likelihoods of any magnitude.

The joint distribution is a dictionary from joint states to fractions. Nothing here imports the package.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

States = tuple[int, ...]
Joint = dict[States, Fraction]


def joint(
    parents: Sequence[Sequence[int]], tables: Sequence[Sequence[float | Fraction]], cards: Sequence[int]
) -> Joint:
    """P(all variables), of the joint states that are possible."""
    result: Joint = {}
    for states in itertools.product(*map(range, cards)):
        weight = Fraction(1)
        for child, family in enumerate(parents):
            place = 0
            for v in (*family, child):
                place = place * cards[v] + states[v]
            weight *= Fraction(tables[child][place])
        if weight:
            result[states] = weight
    return result


def weighted(distribution: Joint, likelihoods: Mapping[int, Sequence[float]]) -> Joint:
    """P(all variables, findings)."""
    result: Joint = {}
    for states, weight in distribution.items():
        for v, weights in likelihoods.items():
            weight *= Fraction(float(weights[states[v]]))
        if weight:
            result[states] = weight
    return result


def given_row(distribution: Joint, row: Sequence[int]) -> Joint:
    """P(all variables, the known cells of a row)."""
    known = [(v, code) for v, code in enumerate(row) if code >= 0]
    return {s: weight for s, weight in distribution.items() if all(s[v] == code for v, code in known)}


def marginal(distribution: Joint, variables: Sequence[int]) -> Joint:
    """The sum over all other variables."""
    result: Joint = {}
    for states, weight in distribution.items():
        kept = tuple(states[v] for v in variables)
        result[kept] = result.get(kept, Fraction(0)) + weight
    return result


def posterior(distribution: Joint, variables: Sequence[int], cards: Sequence[int]) -> list[float]:
    """The marginal over the sum of all, each rounded to the nearest double, the last variable fastest."""
    total = sum(distribution.values())
    found = marginal(distribution, variables)
    kept = itertools.product(*(range(cards[v]) for v in variables))
    return [float(found.get(states, Fraction(0)) / total) for states in kept]


def log(value: Fraction) -> float:
    """The natural logarithm of a fraction that no double may be near to."""
    return math.log(value.numerator) - math.log(value.denominator) if value else -math.inf
