"""Slow twins of smooth mixtures: the decoder and the likelihood, number by number."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reference import inference, mixture

Array = NDArray[np.float64]


def decode(parameters: Array, sizes: Sequence[int], point: Sequence[float]) -> list[float]:
    """The outputs of a network with leaky rectifiers for one point."""
    values, place = list(point), 0
    for layer, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        weights = parameters[place : place + inputs * outputs].reshape(outputs, inputs)
        biases = parameters[place + inputs * outputs : place + (inputs + 1) * outputs]
        place += (inputs + 1) * outputs
        values = [float(row @ np.array(values) + bias) for row, bias in zip(weights, biases, strict=True)]
        if layer < len(sizes) - 2:
            values = [max(x, 0.01 * x) for x in values]
    return values


def tables(logits: Sequence[float], parents: Sequence[Sequence[int]], cards: Sequence[int]) -> list[Array]:
    """Tables of one component: the first state of each row has the logit zero."""
    found, place = [], 0
    for child, family in enumerate(parents):
        rows = []
        for _ in range(math.prod(cards[v] for v in family)):
            own = [0.0, *logits[place : place + cards[child] - 1]]
            place += cards[child] - 1
            total = sum(math.exp(x) for x in own)
            rows += [math.exp(x) / total for x in own]
        found.append(np.array(rows))
    return found


def log_likelihoods(
    parameters: Array,
    sizes: Sequence[int],
    points: Array,
    parents: Sequence[Sequence[int]],
    cards: Sequence[int],
    rows: NDArray[np.int32],
) -> Array:
    """The log-likelihood of rows in the mixture of points, missing cells summed out by enumeration."""
    parts = [(parents, tables(decode(parameters, sizes, point), parents, cards)) for point in points.T]
    joint = mixture.joint([1 / len(parts)] * len(parts), parts, cards)
    return np.log([inference.given_row(joint, row).sum() for row in rows.T.tolist()])


def left_out(
    rows: Sequence[Sequence[int]], cards: Sequence[int], order: Sequence[int], weight: float
) -> float:
    """The log-likelihood of the last column of each row given all other rows: backing off by hand."""
    return sum(
        math.log(backed_off([*rows[:i], *rows[i + 1 :]], row, cards, order, weight))
        for i, row in enumerate(rows)
    )


def backed_off(
    rows: Sequence[Sequence[int]],
    at: Sequence[int],
    cards: Sequence[int],
    order: Sequence[int],
    weight: float,
) -> float:
    """The probability of the last value of ``at`` given the others; the first parent in order goes first."""
    if not order:
        same = sum(row[-1] == at[-1] for row in rows)
        return (same + 0.5) / (len(rows) + 0.5 * cards[-1])
    alike = [row for row in rows if all(row[p] == at[p] for p in order)]
    below = backed_off(rows, at, cards, order[1:], weight)
    return (sum(row[-1] == at[-1] for row in alike) + weight * below) / (len(alike) + weight)
