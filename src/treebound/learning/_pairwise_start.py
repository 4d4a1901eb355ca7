"""A structure to begin with where rows have missing values.

This is the best forest over pairwise-complete counts: each pair of variables is counted in the rows that have
both (Chow and Liu 1968; the weight of an arc is its gain in BIC on these rows). With hidden variables it is a
latent class model: observed variables depend on a hidden one alone. Several hidden variables form a chain and
divide the observed ones among them, neighbours in the forest together.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treebound.learning._here import Limits
from treebound.learning._incomplete_rows import IncompleteRows
from treebound.structure import Structure

# With more states in all, their pairs need too much memory, and the first structure has no arcs.
_MOST_STATES = 8192
# Pairs of states counted in a second: fewer than a core counts, since a budget is kept on any machine.
_PAIRS_PER_SECOND = 5e9


def pairwise_forest(rows: IncompleteRows, limits: Limits, seconds: float | None = None) -> Structure:
    """Return the forest of largest gain within the limits; no arcs if that takes more than the seconds."""
    return Structure.from_parents(_forest(rows, limits, seconds), names=rows.schema.names, schema=rows.schema)


def latent_classes(rows: IncompleteRows, limits: Limits, seconds: float | None = None) -> Structure:
    """Return the structure in which the observed variables depend on hidden ones alone."""
    schema = rows.schema
    cards, hidden = schema.cardinalities, [schema.position(name) for name in schema.hidden]
    parents: list[tuple[int, ...]] = [() for _ in cards]
    if limits.max_treewidth != 0:
        order = [v for v in _depth_first(_forest(rows, limits, seconds)) if not schema[v].is_hidden]
        shares = np.array_split(order, len(hidden))
        pairs = [*pairwise(hidden), *((h, v) for h, own in zip(hidden, shares, strict=True) for v in own)]
        for parent, child in pairs:
            if limits.max_cells is None or cards[parent] * cards[child] <= limits.max_cells:
                parents[int(child)] = (parent,)
    return Structure.from_parents(parents, names=schema.names, schema=schema)


def _forest(rows: IncompleteRows, limits: Limits, seconds: float | None) -> list[tuple[int, ...]]:
    cards = rows.schema.cardinalities
    is_long = seconds is not None and sum(cards) ** 2 * rows.num_rows > _PAIRS_PER_SECOND * seconds
    if limits.max_treewidth == 0 or sum(cards) > _MOST_STATES or is_long:
        return [() for _ in cards]
    return _best_forest(_pair_gains(rows.pair_counts(), np.array(cards), limits.max_cells))


def _depth_first(parents: list[tuple[int, ...]]) -> list[int]:
    """The variables of a forest, each tree from its root down one branch after the other."""
    children: list[list[int]] = [[] for _ in parents]
    for v, family in enumerate(parents):
        for parent in family:
            children[parent].append(v)
    found: list[int] = []
    waiting = [v for v, family in enumerate(parents) if not family][::-1]
    while waiting:
        found.append(waiting.pop())
        waiting += reversed(children[found[-1]])
    return found


def _pair_gains(
    counts: NDArray[np.float64], cards: NDArray[np.int64], max_cells: int | None
) -> NDArray[np.float64]:
    """The gain in BIC of joining each pair of variables."""
    starts = np.concatenate([[0], np.cumsum(cards)])
    # Terms n log n, added up over the states of both variables, of one, and of neither.
    of_joint = _added(_term(counts), starts)
    rows = np.add.reduceat(counts, starts[:-1], axis=1)  # each state, where the other variable is observed
    of_one = np.add.reduceat(_term(rows), starts[:-1], axis=0)
    together = np.add.reduceat(rows, starts[:-1], axis=0)
    likelihood = of_joint - of_one - of_one.T + _term(together)
    price = np.log(np.maximum(together, 2)) / 2 * np.outer(cards - 1, cards - 1)
    gains: NDArray[np.float64] = likelihood - price
    if max_cells is not None:
        gains[np.outer(cards, cards) > max_cells] = -np.inf
    return gains


def _added(terms: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.float64]:
    columns = np.add.reduceat(terms, starts[:-1], axis=1)
    found: NDArray[np.float64] = np.add.reduceat(columns, starts[:-1], axis=0)
    return found


def _term(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = counts * np.log(np.maximum(counts, 1))
    return found


def _best_forest(gains: NDArray[np.float64]) -> list[tuple[int, ...]]:
    """Parents in the forest of largest gain, grown from the first variable of each tree (Prim 1957)."""
    size = len(gains)
    parents: list[tuple[int, ...]] = [() for _ in range(size)]
    best, nearest = np.zeros(size), np.full(size, -1)
    is_left = np.ones(size, dtype=np.bool_)
    for _ in range(size):
        v = int(np.argmax(np.where(is_left, best, -1.0)))
        parents[v] = () if nearest[v] < 0 else (int(nearest[v]),)
        is_left[v] = False
        is_closer = gains[v] > best
        best, nearest = np.where(is_closer, gains[v], best), np.where(is_closer, v, nearest)
    return parents
