"""Slow twins of mixtures: the weighted sum of the joint distributions of all components."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reference import inference

Array = NDArray[np.float64]
Component = tuple[inference.Parents, Sequence[Array]]


def joint(
    weights: Sequence[float],
    components: Sequence[tuple[inference.Parents, Sequence[Array]]],
    cards: Sequence[int],
) -> Array:
    """P(all variables) of components given by parents and tables."""
    return weighted_sum(weights, [inference.joint(parents, tables, cards) for parents, tables in components])


def weighted_sum(weights: Sequence[float], joints: Sequence[Array]) -> Array:
    """The sum of joint distributions, each times its weight."""
    total = np.zeros_like(joints[0])
    for weight, one in zip(weights, joints, strict=True):
        total = total + weight * one
    return total


def surprise_left(weights: Sequence[float], likelihoods: Sequence[float]) -> float:
    """The divergence of the posterior of the components from their weights."""
    shares = [weight * likelihood for weight, likelihood in zip(weights, likelihoods, strict=True)]
    total = sum(shares)
    return sum(
        share / total * math.log(share / total / weight)
        for share, weight in zip(shares, weights, strict=True)
        if share > 0
    )
