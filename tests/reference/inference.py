"""Slow twins of inference: everything by enumeration of the joint distribution.

The joint distribution is one numpy array with an axis per variable; findings are arrays of likelihoods, one
per variable, in which a hard finding is a single one among zeros. Nothing here imports the package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Parents = Sequence[Sequence[int]]
Likelihoods = Mapping[int, Sequence[float]]
Array = NDArray[np.float64]


def joint(parents: Parents, tables: Sequence[Array], cards: Sequence[int]) -> Array:
    """P(all variables)."""
    result = np.ones(tuple(cards))
    for child, family in enumerate(parents):
        members = [*family, child]
        table = np.asarray(tables[child]).reshape([cards[v] for v in members])
        result = result * aligned(table, members, len(cards))
    return result


def aligned(table: Array, axes: Sequence[int], num_axes: int) -> Array:
    """The table with its axes where the joint distribution has them, and axes of length one elsewhere."""
    sorted_axes = np.argsort(axes)
    shape = [1] * num_axes
    for axis in axes:
        shape[axis] = table.shape[list(axes).index(axis)]
    return table.transpose(sorted_axes).reshape(shape)


def weighted(distribution: Array, likelihoods: Likelihoods) -> Array:
    """P(all variables, findings)."""
    for v, weights in likelihoods.items():
        distribution = distribution * aligned(np.asarray(weights, dtype=float), [v], distribution.ndim)
    return distribution


def marginal(distribution: Array, variables: Sequence[int]) -> Array:
    """The sum over all other variables, axes in the order asked for."""
    others = tuple(v for v in range(distribution.ndim) if v not in variables)
    kept = sorted(variables)
    return distribution.sum(axis=others).transpose([kept.index(v) for v in variables])


def posterior(distribution: Array, variables: Sequence[int]) -> Array:
    """The marginal, scaled to sum to one."""
    return marginal(distribution, variables) / distribution.sum()


def given_row(distribution: Array, row: Sequence[int]) -> Array:
    """P(all variables, the known cells of a row)."""
    likelihoods = {v: np.eye(distribution.shape[v])[code] for v, code in enumerate(row) if code >= 0}
    return weighted(distribution, likelihoods)


def kl_divergence(p: Array, q: Array) -> float:
    """KL(p || q)."""
    possible = p > 0
    with np.errstate(divide="ignore"):
        return float(np.sum(p[possible] * (np.log(p[possible]) - np.log(q[possible]))))


def intervened(
    parents: Parents, tables: Sequence[Array], cards: Sequence[int], settings: Mapping[int, int]
) -> Array:
    """P(all variables | do(settings)) by the truncated factorization: the product of all other tables, where
    the variables that are set have their states, and zero elsewhere.
    """
    result = np.ones(tuple(cards))
    for child, family in enumerate(parents):
        if child in settings:
            result = weighted(result, {child: np.eye(cards[child])[settings[child]]})
        else:
            members = [*family, child]
            table = np.asarray(tables[child]).reshape([cards[v] for v in members])
            result = result * aligned(table, members, len(cards))
    return result


def factorized(distribution: Array, parents: Parents) -> list[Array]:
    """The tables P(child | parents) of a positive distribution, for any graph."""
    tables = []
    for child, family in enumerate(parents):
        table = marginal(distribution, [*family, child])
        tables.append((table / table.sum(axis=-1, keepdims=True)).ravel())
    return tables


def mutual_information(distribution: Array, a: int, b: int) -> float:
    """I(a; b) under a distribution that need not be scaled."""
    pair = posterior(distribution, [a, b])
    return kl_divergence(pair, pair.sum(axis=1, keepdims=True) * pair.sum(axis=0, keepdims=True))
