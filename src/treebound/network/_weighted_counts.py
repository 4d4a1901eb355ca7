"""Rows that count more or less than once: the joint states of every family, weighted.

A row of weight two counts like two rows. Weights of rows come from surveys and from those who want classes to
count alike; they need not be whole numbers, so the core, which counts rows, is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treebound.data import Codes
from treebound.tables import Rows


def checked_weights(weights: ArrayLike, num_rows: int) -> NDArray[np.float64]:
    """One number for each row: finite, none below zero, some above."""
    array = np.asarray(weights)
    if array.shape != (num_rows,) or array.dtype.kind not in "biuf":
        raise ValueError(
            f"weights must hold one number for each of the {num_rows} rows, "
            f"got shape {array.shape} and type {array.dtype}."
        )
    numbers = array.astype(np.float64)
    wrong = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0)))
    if len(wrong):
        row = int(wrong[0])
        raise ValueError(f"weights must be finite and not below 0, got {numbers[row]} in row {row + 1}.")
    if not numbers.any():
        raise ValueError("weights must have at least one above 0, got none.")
    with np.errstate(over="ignore"):
        total = numbers.sum()
    if not np.isfinite(total):
        raise ValueError(
            f"The sum of weights must be finite, but the largest of {num_rows:,} weights is "
            f"{numbers.max():g}. Divide all weights by the same number."
        )
    return numbers


def count_weighted(
    parents: Sequence[Sequence[int]],
    sizes: Sequence[int],
    cardinalities: Sequence[int],
    codes: Codes | Rows,
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The weight of the rows in each joint state of each family, family by family.

    Own states run fastest, then those of the last parent. A row is left out where its family lacks a value.
    """
    counts = []
    for child, (chosen, size) in enumerate(zip(parents, sizes, strict=True)):
        joint = np.zeros(codes.shape[1], dtype=np.int64)
        is_known = np.ones(codes.shape[1], dtype=np.bool_)
        for v in (*chosen, child):
            joint = joint * cardinalities[v] + codes[v]
            is_known &= codes[v] >= 0
        # A weight of zero would do for rows that lack a value, but their joint states mean nothing.
        counts.append(np.bincount(joint[is_known], weights[is_known], minlength=size).astype(np.float64))
    return np.concatenate(counts)
