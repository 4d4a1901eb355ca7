"""Points of the latent space, spread evenly: a shifted additive recurrence seen through normal quantiles.

Point n has the coordinates n * a_i mod 1, in which a_i are powers of the inverse of the real root of
x^(d + 1) = x + 1, the golden ratio for d = 1. Each set of points is shifted at random, so averages over
it have no bias.
"""

from __future__ import annotations

from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

# Quantiles in between are interpolated; a share of 2^-13 at each end counts as its border.
_NUM_QUANTILES = 1 << 12


def latent_points(num_points: int, num_dimensions: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return points that follow a standard normal distribution: (dimensions, points)."""
    steps = _root(num_dimensions) ** -np.arange(1, num_dimensions + 1)
    uniform = (rng.random((num_dimensions, 1)) + steps[:, None] * np.arange(num_points)) % 1
    positions, quantiles = _quantiles()
    points: NDArray[np.float64] = np.interp(uniform, positions, quantiles)
    return points.astype(np.float32)


@cache
def _root(num_dimensions: int) -> float:
    root = 2.0
    for _ in range(64):
        root = (1 + root) ** (1 / (num_dimensions + 1))
    return root


@cache
def _quantiles() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    positions = (np.arange(_NUM_QUANTILES) + 0.5) / _NUM_QUANTILES
    normal = NormalDist()
    return positions, np.array([normal.inv_cdf(share) for share in positions.tolist()])
