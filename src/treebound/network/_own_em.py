"""EM of the checker itself: exact inference over the bags of a structure, in plain numpy.

It shares nothing with the expected counts and the row queries that learning uses. Each bag has a table for
every row of a block; messages go up to the root of each tree of bags and down again (Lauritzen and
Spiegelhalter 1988). It is many times slower than the core, and short enough to be read in one go.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.structure import Structure

Array = NDArray[np.float64]
# Cells of all bags together, for the rows of one block.
_CELLS_AT_ONCE = 1 << 22
_MOST_AXES = 30


@dataclass(frozen=True)
class _Bag:
    """Variables, ascending; those that it shares with the bag above; which bag that is, -1 for a root."""

    variables: tuple[int, ...]
    shared: tuple[int, ...]
    above: int


class OwnEm:
    """Log-likelihoods of rows and steps of EM for a structure; every CPT has an axis for each parent."""

    def __init__(self, structure: Structure, cardinalities: Sequence[int]) -> None:
        self._cards = cardinalities
        self._families = [(*parents, v) for v, parents in enumerate(structure.parent_indices)]
        self._bags = list(_rooted(structure))
        holding: list[list[int]] = [[] for _ in cardinalities]  # the bags of each variable
        for b, bag in enumerate(self._bags):
            for v in bag.variables:
                holding[v].append(b)
        self._home = [
            next(b for b in holding[family[-1]] if {*family} <= {*self._bags[b].variables})
            for family in self._families
        ]
        #: Joint states of all bags together: what a row costs.
        self.cells_per_row = sum(math.prod(cardinalities[v] for v in bag.variables) for bag in self._bags)
        #: Whether arrays have an axis for each variable of a bag.
        self.is_possible = max(len(bag.variables) for bag in self._bags) <= _MOST_AXES

    def shaped(self, tables: Sequence[Array]) -> list[Array]:
        """Return flat CPTs with an axis for each parent and a last one for the variable itself."""
        shapes = ([self._cards[u] for u in family] for family in self._families)
        return [table.reshape(shape) for table, shape in zip(tables, shapes, strict=True)]

    def step(
        self, tables: Sequence[Array], codes: NDArray[np.int64], prior: Sequence[Array]
    ) -> tuple[list[Array], Array]:
        """Return the CPTs after one step, and the log-likelihood of each row before it.

        The CPTs are expected counts plus the pseudo-counts of the prior, divided by their sums.
        """
        counts = [np.array(own) for own in prior]
        logs = []
        for block in self._blocks(codes):
            beliefs, own = self._beliefs(tables, block)
            logs.append(own)
            for family, home, count in zip(self._families, self._home, counts, strict=True):
                found = _summed(beliefs[home], self._bags[home].variables, family).sum(axis=0)
                count += found.transpose([sorted(family).index(u) for u in family])
        return [count / count.sum(axis=-1, keepdims=True) for count in counts], np.concatenate(logs)

    def complete_counts(self, codes: NDArray[np.int64]) -> list[Array]:
        """Return how often each joint state of each family occurs in the rows in which it is complete."""
        found = []
        for family in self._families:
            own, shape = codes[list(family)], [self._cards[u] for u in family]
            places = np.ravel_multi_index(tuple(own[:, (own >= 0).all(axis=0)]), shape)
            counts = np.bincount(places, minlength=math.prod(shape))
            found.append(counts.reshape(shape).astype(np.float64))
        return found

    def log_likelihoods(self, tables: Sequence[Array], codes: NDArray[np.int64]) -> Array:
        """Return the logarithm of the probability of the observed cells of each row."""
        return np.concatenate([self._upwards(tables, block)[2] for block in self._blocks(codes)])

    def _blocks(self, codes: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        size = max(1, _CELLS_AT_ONCE // self.cells_per_row)
        for first in range(0, codes.shape[1], size):
            yield codes[:, first : first + size]

    def _upwards(
        self, tables: Sequence[Array], codes: NDArray[np.int64]
    ) -> tuple[list[Array], list[Array], Array]:
        """What each bag knows from below, what it sends up, and the logarithms of all that was divided by."""
        num_rows = codes.shape[1]
        known = [np.ones((num_rows, *(self._cards[v] for v in bag.variables))) for bag in self._bags]
        for v, (family, home) in enumerate(zip(self._families, self._home, strict=True)):
            variables = self._bags[home].variables
            known[home] *= _spread(tables[v][None], family, variables)
            is_possible = (codes[v][:, None] == np.arange(self._cards[v])) | (codes[v] < 0)[:, None]
            known[home] *= _spread(is_possible.astype(np.float64), (v,), variables)
        logs, messages = np.zeros(num_rows), [np.zeros(0)] * len(known)
        for b in range(len(known) - 1, -1, -1):
            bag = self._bags[b]
            total = known[b].reshape(num_rows, -1).sum(axis=1)
            with np.errstate(divide="ignore", invalid="ignore"):
                logs += np.log(total)
                known[b] = np.nan_to_num(known[b] / _column(total, known[b]))
            messages[b] = _summed(known[b], bag.variables, bag.shared)
            if bag.above >= 0:
                known[bag.above] *= _spread(messages[b], bag.shared, self._bags[bag.above].variables)
        return known, messages, logs

    def _beliefs(self, tables: Sequence[Array], codes: NDArray[np.int64]) -> tuple[list[Array], Array]:
        """The distribution of each bag given the observed cells, and their log-likelihood, for every row."""
        beliefs, messages, logs = self._upwards(tables, codes)
        for b, bag in enumerate(self._bags):
            if bag.above >= 0:
                above = _summed(beliefs[bag.above], self._bags[bag.above].variables, bag.shared)
                with np.errstate(divide="ignore", invalid="ignore"):
                    news = np.nan_to_num(above / messages[b])
                beliefs[b] = beliefs[b] * _spread(news, bag.shared, bag.variables)
        return beliefs, logs


def _rooted(structure: Structure) -> Iterator[_Bag]:
    """The bags of the witness, each after the bag above it."""
    tree = structure.witness
    around: list[list[int]] = [[] for _ in tree.bags]
    for a, b in tree.edges:
        around[a].append(b)
        around[b].append(a)
    places: dict[int, int] = {}
    for root in range(len(tree.bags)):
        waiting = [] if root in places else [(root, -1)]
        while waiting:
            bag, above = waiting.pop()
            places[bag] = len(places)
            shared = () if above < 0 else tuple(sorted({*tree.bags[bag]} & {*tree.bags[above]}))
            yield _Bag(tree.bags[bag], shared, places.get(above, -1))
            waiting += [(other, bag) for other in around[bag] if other != above]


def _spread(table: Array, variables: Sequence[int], bag: Sequence[int]) -> Array:
    """A table of rows and some variables of a bag, with an axis for each variable of the bag."""
    order = sorted(range(len(variables)), key=variables.__getitem__)
    table = table.transpose(0, *(1 + place for place in order))
    return np.expand_dims(table, tuple(1 + i for i, v in enumerate(bag) if v not in variables))


def _summed(table: Array, bag: Sequence[int], kept: Sequence[int]) -> Array:
    """The variables of a bag that are not kept summed out; the others stay in ascending order."""
    found: Array = table.sum(axis=tuple(1 + i for i, v in enumerate(bag) if v not in kept))
    return found


def _column(values: Array, like: Array) -> Array:
    return values.reshape(-1, *[1] * (like.ndim - 1))
