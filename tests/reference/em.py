"""Slow twins of EM: expected counts by enumeration of all completions of each row.

Rows hold a code for each variable, -1 where it is missing. Nothing here imports the package.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reference import inference

Array = NDArray[np.float64]
Parents = Sequence[Sequence[int]]


def expected_counts(
    parents: Parents,
    tables: Sequence[Array],
    cards: Sequence[int],
    rows: Sequence[Sequence[int]],
    weights: Sequence[float],
) -> tuple[list[Array], float]:
    """The expected count of each joint state of each family, and the log-likelihood of the known cells."""
    joint = inference.joint(parents, tables, cards)
    counts = [np.zeros(np.size(table)) for table in tables]
    log_likelihood = 0.0
    for row, weight in zip(rows, weights, strict=True):
        given = inference.given_row(joint, row)
        total = given.sum()
        log_likelihood += weight * (math.log(total) if total > 0 else -math.inf)
        if total > 0:
            for child, family in enumerate(parents):
                counts[child] += weight * inference.posterior(given, [*family, child]).ravel()
    return counts, log_likelihood


def em_step(
    parents: Parents,
    tables: Sequence[Array],
    cards: Sequence[int],
    rows: Sequence[Sequence[int]],
    weights: Sequence[float],
    pseudo_counts: Sequence[Array],
) -> list[Array]:
    """The tables after one step of EM with pseudo-counts; rows of a table without any weight are uniform."""
    counts, _ = expected_counts(parents, tables, cards, rows, weights)
    found = []
    for child, (seen, prior) in enumerate(zip(counts, pseudo_counts, strict=True)):
        cells = (seen + prior).reshape(-1, cards[child])
        totals = cells.sum(axis=1, keepdims=True)
        uniform = np.full_like(cells, 1 / cards[child])
        found.append(np.where(totals > 0, cells / np.where(totals > 0, totals, 1), uniform).ravel())
    return found


def objective(
    parents: Parents,
    tables: Sequence[Array],
    cards: Sequence[int],
    rows: Sequence[Sequence[int]],
    weights: Sequence[float],
    pseudo_counts: Sequence[Array],
) -> float:
    """The log-likelihood of the known cells plus the logarithm of the prior, up to a constant."""
    _, value = expected_counts(parents, tables, cards, rows, weights)
    for table, prior in zip(tables, pseudo_counts, strict=True):
        for probability, count in zip(table, np.broadcast_to(prior, table.shape), strict=True):
            if count > 0:
                value += count * (math.log(probability) if probability > 0 else -math.inf)
    return value
