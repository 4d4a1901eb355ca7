"""Slow twins of networks: random streams, forward sampling, and the exact joint distribution by enumeration.

Tables are flat: for each joint state of the parents, the last parent running fastest, one run of the
probabilities of the child's states. Nothing here imports the package.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import product

Tables = Sequence[Sequence[float]]
Parents = Sequence[Sequence[int]]

_WORD = 2**64
_GAMMA = 0x9E3779B97F4A7C15


class RandomStream:
    """SplitMix64, as published: the state advances by a constant and is scrambled on its way out."""

    def __init__(self, seed: int, index: int) -> None:
        self.state = self._mix(self._mix(seed) ^ (index * _GAMMA % _WORD))

    @staticmethod
    def _mix(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % _WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % _WORD
        return z ^ (z >> 31)

    def split(self, index: int) -> RandomStream:
        return RandomStream(self.state, index)

    def next(self) -> int:
        self.state = (self.state + _GAMMA) % _WORD
        return self._mix(self.state)

    def below(self, bound: int) -> int:
        return (self.next() >> 32) * bound >> 32

    def uniform(self) -> float:
        return (self.next() >> 11) / 2**53


def table_row(child: int, states: Sequence[int], parents: Parents, tables: Tables, cards: Sequence[int]):
    """Distribution of the child when the variables have these states (only the parents' matter)."""
    joint_state = 0
    for parent in parents[child]:
        joint_state = joint_state * cards[parent] + states[parent]
    return tables[child][joint_state * cards[child] :][: cards[child]]


def joint_distribution(
    parents: Parents, tables: Tables, cards: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every joint state of all variables with its probability."""
    for states in product(*map(range, cards)):
        factors = (table_row(v, states, parents, tables, cards)[states[v]] for v in range(len(cards)))
        yield states, math.prod(factors)


ROWS = 3  # the number under which a seed is split for rows


def sample(
    parents: Parents, tables: Tables, cards: Sequence[int], num_rows: int, seed: int
) -> list[tuple[int, ...]]:
    """Rows of states. Variable v owns stream v; its states are the stretches of the unit interval."""
    streams = [RandomStream(seed, ROWS).split(v) for v in range(len(cards))]
    rows = []
    for _ in range(num_rows):
        states: dict[int, int] = {}
        while len(states) < len(cards):
            for v in range(len(cards)):
                if v not in states and all(p in states for p in parents[v]):
                    row = table_row(v, states, parents, tables, cards)  # type: ignore[arg-type]
                    states[v] = _pick(row, streams[v].uniform())
        rows.append(tuple(states[v] for v in range(len(cards))))
    return rows


def _pick(probabilities: Sequence[float], number: float) -> int:
    end = 0.0
    for state, probability in enumerate(probabilities):
        end += probability
        if number < end:
            return state
    return max(state for state, probability in enumerate(probabilities) if probability > 0)


def chi_square(
    observed: Collection[tuple[int, ...]], expected: Sequence[tuple[tuple[int, ...], float]]
) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom; infinite if something impossible was observed."""
    counts = Counter(observed)
    possible = [(state, p * len(observed)) for state, p in expected if p > 0]
    if sum(counts[state] for state, _ in possible) < len(observed):
        return math.inf, len(possible) - 1
    return sum((counts[state] - n) ** 2 / n for state, n in possible), len(possible) - 1


def family_counts(
    parents: Parents, cards: Sequence[int], rows: Sequence[Sequence[int | None]]
) -> list[list[float]]:
    """How often each joint state of each family occurs among the rows in which none of it is missing."""
    counts = [[0.0] * (cards[v] * math.prod(cards[p] for p in family)) for v, family in enumerate(parents)]
    for row in rows:
        for v, family in enumerate(parents):
            states = [row[u] for u in (*family, v)]
            if None not in states:
                place = 0
                for u in (*family, v):
                    place = place * cards[u] + row[u]  # type: ignore[operator]
                counts[v][place] += 1
    return counts


def normalised(counts: Sequence[float], cardinality: int, pseudo_counts: Sequence[float]) -> list[float]:
    """Rows of a table, pseudo-counts (one per state) added, divided by their sums; uniform if empty."""
    table: list[float] = []
    for first in range(0, len(counts), cardinality):
        row = [counts[first + x] + pseudo_counts[x] for x in range(cardinality)]
        table += [x / sum(row) for x in row] if sum(row) > 0 else [1 / cardinality] * cardinality
    return table


def updated(
    parents: Parents,
    tables: Tables,
    cards: Sequence[int],
    rows: Sequence[Sequence[int]],
    weights: Sequence[float],
) -> list[list[float]]:
    """The tables once each counts like its weight in rows, spread over joint states, next to others.

    A row with -1 in a family is not counted for it.
    """
    joint = list(joint_distribution(parents, tables, cards))
    result = []
    for v, family in enumerate(parents):
        table: list[float] = []
        weighted_rows = [(states, weights[v] * p) for states, p in joint]
        weighted_rows += [(tuple(row), 1.0) for row in rows if all(row[u] >= 0 for u in (v, *family))]
        for above in product(*(range(cards[p]) for p in family)):
            fitting = [
                (s, w) for s, w in weighted_rows if all(s[p] == x for p, x in zip(family, above, strict=True))
            ]
            total = math.fsum(w for _, w in fitting)
            states = dict(zip(family, above, strict=True))
            before = table_row(v, [states.get(u, 0) for u in range(len(cards))], parents, tables, cards)
            for x in range(cards[v]):
                seen = math.fsum(w for s, w in fitting if s[v] == x)
                table.append(seen / total if total > 0 else before[x])
        result.append(table)
    return result
