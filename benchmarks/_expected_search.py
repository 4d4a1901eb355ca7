"""Structural EM on expected counts as doubles: hill climbing over single arcs, for comparison.

It starts from the same forest as ``learn``. Each round ranks the arcs that could be added or reversed by
their gain in BIC on one drawn completion, and takes the first few. These and all arcs that could be removed
are scored on expected counts under the network of the round, which are exact: a variable with one state and
the family as its parents is added to the network, and its expected counts are those of the family. Changes
that gain are made, the best first, one for each child, if the graph stays acyclic and a heuristic order
proves that the treewidth limit holds. CPTs are fitted to the observed cells by EM. The round is kept if the
BIC of the observed cells improves; otherwise the best change alone is tried, and if that does not help
either, the climb is over.

With ``completions``, the same climb scores changes on so many drawn completions instead, which shows what
exact counts are worth; the search of ``learn`` is another one. A parameter costs the observed share of its
price while changes are scored, as in ``learn``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

import treebound as tb
from treebound._ordering import orderable
from treebound.data import Variable
from treebound.inference import ExpectedCounts
from treebound.learning import Limits, RowsHere, pairwise_forest
from treebound.network import EmRun, observed_score
from treebound.scoring import Bic

Parents = list[tuple[int, ...]]
Array = np.ndarray
# Candidate parents of each variable by their gain as the only parent; changes that are scored exactly.
CANDIDATES, SCORED = 8, 24
# By how much the families of a batch may widen the network that counts them.
WIDER = 2


@dataclass(frozen=True)
class Change:
    """New parents of one variable, or of two where an arc is reversed."""

    families: tuple[tuple[int, tuple[int, ...]], ...]


class ExpectedSearch:
    """One climb."""

    def __init__(
        self, data: tb.Dataset, limit: int, seconds: float, completions: int | None = None, seed: int = 1
    ) -> None:
        self.rows, self.limit, self.completions, self.seed = RowsHere(data), limit, completions, seed
        self.data, self.cards = data, data.schema.cardinalities
        self.ends = time.monotonic() + seconds
        self.rounds = 0

    def run(self) -> tb.BayesianNetwork:
        """Climb until nothing helps or the time is over."""
        start = pairwise_forest(self.rows, Limits(self.limit, None))
        best = self._fitted([tuple(family) for family in start.parent_indices])
        while time.monotonic() < self.ends:
            changes = self._gaining(best[1])
            found = self._fitted(self._made(best[1].parent_indices, changes))
            if found[0] <= best[0]:
                found = self._fitted(self._made(best[1].parent_indices, changes, most=1))
            self.rounds += 1
            if found[0] <= best[0]:
                break
            best = found
        return best[1]

    def _fitted(self, parents: Sequence[Sequence[int]]) -> tuple[float, tb.BayesianNetwork]:
        structure = tb.Structure.from_parents(parents, names=self.data.schema.names, schema=self.data.schema)
        left = tb.Budget(seconds=max(0.0, self.ends - time.monotonic()))
        network = EmRun(structure, budget=left).fitted(self.data)
        likelihood = float(network.provenance["em"]["log_likelihood"])
        return observed_score(network, likelihood, self.data.num_rows, Bic()), network

    def _gaining(self, network: tb.BayesianNetwork) -> list[Change]:
        """The changes that gain on expected counts, the best first."""
        parents: Parents = [tuple(family) for family in network.parent_indices]
        counted: dict[tuple[int, ...], Array] = {}
        possible = (one for one in self._ranked(network, parents) if self._after(parents, one) is not None)
        ranked = list(islice(possible, SCORED))
        wanted = {tuple(sorted((v, *family))) for change in ranked for v, family in change.families}
        if self.completions is None:
            self._count(network, parents, sorted(wanted), counted)
        else:
            self._count_drawn(
                network, {*wanted, *(tuple(sorted((v, *f))) for v, f in enumerate(parents))}, counted
            )
        removals = [Change(((v, _without(f, u)),)) for v, f in enumerate(parents) for u in f]
        found = [(self._gain(change, parents, counted), change) for change in (*removals, *ranked)]
        found.sort(key=lambda one: -one[0])
        return [change for gain, change in found if gain > 0]

    def _ranked(self, network: tb.BayesianNetwork, parents: Parents) -> list[Change]:
        """Arcs that could be added or reversed, by their gain on one completion of the rows."""
        codes = self.rows.completed(network, [self.seed + self.rounds]).codes.astype(np.int64)
        counted: dict[tuple[int, ...], Array] = {}
        near = {v: self._neighbours(codes, v, counted) for v in range(len(parents))}
        found = []
        for v, family in enumerate(parents):
            for u in near[v]:
                more = (v, tuple(sorted((*family, u))))
                if u in family or len(family) >= self.limit:
                    continue
                change = Change((more, (u, _without(parents[u], v)))) if v in parents[u] else Change((more,))
                for child, others in (*change.families, (v, family), (u, parents[u])):
                    self._count_complete(codes, tuple(sorted((child, *others))), counted)
                found.append((self._gain(change, parents, counted), change))
        found.sort(key=lambda one: -one[0])
        return [change for gain, change in found if gain > 0]

    def _neighbours(self, codes: Array, v: int, counted: dict[tuple[int, ...], Array]) -> list[int]:
        gains = []
        for u in range(len(self.cards)):
            if u != v:
                pair = (min(u, v), max(u, v))
                self._count_complete(codes, pair, counted)
                joint = counted[pair] if pair[1] == v else counted[pair].T
                gains.append((self._score(joint) - self._score(joint.sum(axis=0)[None]), u))
        return [u for gain, u in sorted(gains, reverse=True)[:CANDIDATES] if gain > 0]

    def _count(
        self,
        network: tb.BayesianNetwork,
        parents: Parents,
        wanted: list,
        counted: dict[tuple[int, ...], Array],
    ) -> None:
        """Expected counts of the families of a network and of further sets."""
        for batch in self._batches(parents, wanted) if wanted else [[]]:
            dummies = [Variable(f"family {i}", ("0",)) for i in range(len(batch))]
            schema = tb.Schema((*self.data.schema, *dummies))
            codes = np.concatenate([self.data.codes, np.zeros((len(batch), self.data.num_rows), np.int32)])
            cells = [math.prod(self.cards[u] for u in key) for key in batch]
            tables = np.concatenate([network.flat_tables.tables, np.ones(sum(cells))])
            counts, _ = ExpectedCounts([*parents, *batch], tb.Dataset(schema, codes)).count(tables)
            families = [(*family, v) for v, family in enumerate(parents)]
            start = 0
            for key in (*families, *batch):
                shape = [self.cards[u] for u in key]
                table = counts[start : start + math.prod(shape)].reshape(shape)
                counted[tuple(sorted(key))] = table.transpose(np.argsort(key))
                start += math.prod(shape)

    def _count_drawn(
        self, network: tb.BayesianNetwork, wanted: set, counted: dict[tuple[int, ...], Array]
    ) -> None:
        """The same from several completions, for comparison."""
        seeds = [1_000 * (self.seed + self.rounds) + i for i in range(self.completions or 1)]
        codes = self.rows.completed(network, seeds).codes.astype(np.int64)
        for key in wanted:
            self._count_complete(codes, key, counted)
            counted[key] /= len(seeds)

    def _batches(self, parents: Parents, wanted: list) -> Iterator[list]:
        """Sets that are counted together, while that keeps the network narrow."""
        batch: list = []
        for key in wanted:
            if batch and self._width([*parents, *batch, key]) > self.limit + WIDER:
                yield batch
                batch = []
            batch.append(key)
        yield batch

    def _gain(self, change: Change, parents: Parents, counted: dict[tuple[int, ...], Array]) -> float:
        def score(v: int, family: Sequence[int]) -> float:
            key = tuple(sorted((v, *family)))
            if key not in counted:  # a part of the family that v has now
                whole = tuple(sorted((v, *parents[v])))
                gone = tuple(i for i, u in enumerate(whole) if u not in key)
                counted[key] = counted[whole].sum(axis=gone)
            table = np.moveaxis(counted[key], key.index(v), -1)
            return self._score(table.reshape(-1, self.cards[v]))

        return sum(score(v, family) - score(v, parents[v]) for v, family in change.families)

    def _score(self, table: Array) -> float:
        """BIC of a family, given how often each of its joint states is expected."""
        sums = table.sum(axis=-1, keepdims=True)
        likelihood = float((table * np.log(np.where(table > 0, table / np.maximum(sums, 1e-300), 1))).sum())
        size = len(table) * (table.shape[-1] - 1)
        return likelihood - self.rows.observed_share * math.log(self.data.num_rows) / 2 * size

    def _made(
        self, before: Sequence[Sequence[int]], changes: list[Change], most: int | None = None
    ) -> Parents:
        """The parents after as many changes as go together."""
        parents, touched, made = [tuple(family) for family in before], set(), 0
        for change in changes:
            children = {v for v, _ in change.families}
            after = None if touched & children or made == most else self._after(parents, change)
            if after is not None:
                parents, touched, made = after, touched | children, made + 1
        return parents

    def _after(self, parents: Parents, change: Change) -> Parents | None:
        """The parents after a change, or None if there is a cycle or the treewidth is too large."""
        tried = list(parents)
        for v, family in change.families:
            tried[v] = family
        is_acyclic = len(orderable(tried)) == len(tried)
        return tried if is_acyclic and self._width(tried) <= self.limit else None

    def _width(self, parents: Sequence[Sequence[int]]) -> int:
        return tb.Structure.from_parents(parents, names=list(map(str, range(len(parents))))).treewidth

    def _count_complete(
        self, codes: Array, key: tuple[int, ...], counted: dict[tuple[int, ...], Array]
    ) -> None:
        if key not in counted:
            shape = [self.cards[u] for u in key]
            cells = np.ravel_multi_index([codes[u] for u in key], shape)
            counts = np.bincount(cells, minlength=math.prod(shape))
            counted[key] = counts.reshape(shape).astype(np.float64)


def _without(family: Sequence[int], u: int) -> tuple[int, ...]:
    return tuple(one for one in family if one != u)
