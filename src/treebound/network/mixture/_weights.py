"""Weights of components, and sums of probabilities given by their logarithms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_ROUNDING = 1e-6


def checked_weights(weights: ArrayLike | None, num_components: int) -> NDArray[np.float64]:
    """Return the weights, which sum to one; equal ones by default."""
    if num_components < 1:
        raise ValueError("A mixture needs at least one component, got none.")
    if weights is None:
        found = np.full(num_components, 1 / num_components)
    else:
        found = np.array(weights, dtype=np.float64)
    if found.shape != (num_components,):
        raise ValueError(
            f"Expected a weight for each of {num_components} components, got an array of shape {found.shape}."
        )
    # not (x >= 0) is also true of NaN.
    if not (np.all(found >= 0) and abs(found.sum() - 1) <= _ROUNDING):
        raise ValueError(f"Weights must not be negative and must sum to 1, got a sum of {found.sum():.6g}.")
    found /= found.sum()
    found.setflags(write=False)
    return found


def logs_of(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return natural logarithms; minus infinity for zeros."""
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def log_sums(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the sum of exp(logs) over the last axis; minus infinity where all are."""
    highest = logs.max(axis=-1)
    base = np.where(np.isfinite(highest), highest, 0.0)
    return base + logs_of(np.exp(logs - base[..., None]).sum(axis=-1))


def shares_of(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return exp(logs) scaled to sum to one over the last axis; NaN where all are minus infinity."""
    total = log_sums(logs)[..., None]
    with np.errstate(invalid="ignore"):
        return np.exp(logs - total)


def weighted_sum(shares: NDArray[np.float64], parts: NDArray[Any]) -> NDArray[np.float64]:
    """Return the sum over axis 0 of shares * parts; parts without a share do not count, even if NaN."""
    counted = np.where(shares > 0, parts, 0.0)
    total: NDArray[np.float64] = (shares * counted).sum(axis=0)
    return total
