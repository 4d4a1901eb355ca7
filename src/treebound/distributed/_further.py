"""Families that Regrow comes to want after scoring by rows: neighbours of those that it uses.

The cache holds all sets up to a small size. Where rows are in memory, Regrow scores larger families one by
one (``core/search/regrow/family_proposals.hpp``); here they are asked for in batches, between two rounds of
the islands. From the parents P of a variable in one of their networks come P with one less, with one more,
and with one exchanged. The further parents are those of the best sets of the variable, and the variables
that share a bag with it, which some bag often holds already; where columns are few, all are tried as one
more. What beats P joins the cache; subsets join too, as sets that are easier to cover. No family is counted
twice.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from typing import NamedTuple, TypeAlias

import numpy as np

from treebound.distributed._merge import enlarged
from treebound.distributed._row_counts import Tick
from treebound.distributed._row_terms import RowTerms
from treebound.scoring import ParentSetCache
from treebound.structure import Structure

Parents: TypeAlias = tuple[int, ...]
Family: TypeAlias = tuple[int, Parents]
# Further parents by the best sets, and with those nearby; beyond these a gain is rare.
_NUM_FAVOURITES = 16
_NUM_FURTHER = 32
# Up to so many columns, all of them are tried next to a set.
_FEW_COLUMNS = 128
# Joint states of a family, and of all families of a round: sixteen batches.
_CELLS_PER_FAMILY = 1 << 21
_CELLS_PER_ROUND = 1 << 25


class Candidate(NamedTuple):
    """A family to count; it joins the cache if it scores more than ``floor``. Lower ranks come first."""

    rank: int
    floor: float


class FurtherFamilies:
    """What the searches of one call have asked for."""

    def __init__(
        self, rows: RowTerms, cache: ParentSetCache, max_treewidth: int | None, max_cells: int | None
    ) -> None:
        self.rows, self.states = rows, rows.cardinalities.tolist()
        self.max_parents = len(cache) if max_treewidth is None else max_treewidth
        self.max_cells = min(_CELLS_PER_FAMILY, _CELLS_PER_FAMILY if max_cells is None else max_cells)
        self.scored_to = [_scored_to(cache) if is_done else -1 for is_done in cache.complete.tolist()]
        self.counted: set[Family] = {
            (v, one.parent_indices)
            for v, most in enumerate(self.scored_to)
            if most < cache.max_parents
            for one in cache[v]
        }
        self.seconds = 0.0  # of counting, the last time

    def extend(self, cache: ParentSetCache, structures: Sequence[Structure], tick: Tick) -> ParentSetCache:
        """The cache with those neighbours of the families in use that pay; the same cache if none do."""
        began = time.monotonic()
        try:
            return self._extend(cache, self.wanted(cache, structures), tick)
        finally:
            self.seconds = time.monotonic() - began

    def with_families_of(self, structure: Structure, cache: ParentSetCache, tick: Tick) -> ParentSetCache:
        """The cache with all families of a structure, so a search can go on from it."""
        families = enumerate(structure.parent_indices)
        missing = {family: Candidate(0, -math.inf) for family in families if cache.score_of(*family) is None}
        return self._extend(cache, missing, tick)

    def wanted(self, cache: ParentSetCache, structures: Iterable[Structure]) -> dict[Family, Candidate]:
        """Neighbours of the families of the structures that are worth counting."""
        found: dict[Family, Candidate] = {}
        for structure in structures:
            assert structure.local_scores is not None
            nearby = sharing_bags(structure)
            for v, parents in enumerate(structure.parent_indices):
                empty = cache.score_of(v, ())
                assert empty is not None
                floor = max(structure.local_scores[v], empty)
                further = further_parents(cache, v, nearby[v])
                others = range(len(cache)) if len(cache) <= _FEW_COLUMNS else ()
                for rank, chosen in enumerate(neighbours(parents, further, others)):
                    if self._is_open((v, chosen)):
                        candidate = Candidate(rank, empty if len(chosen) < len(parents) else floor)
                        found[v, chosen] = min(candidate, found.get((v, chosen), candidate))
        return self._affordable(found)

    def _is_open(self, family: Family) -> bool:
        """Whether a family is within the bounds, and has not been scored."""
        v, parents = family
        is_within = self.scored_to[v] < len(parents) <= self.max_parents and v not in parents
        return is_within and self._cells(family) <= self.max_cells and family not in self.counted

    def _cells(self, family: Family) -> int:
        v, parents = family
        return math.prod([self.states[v], *(self.states[p] for p in parents)])

    def _affordable(self, found: dict[Family, Candidate]) -> dict[Family, Candidate]:
        """As many families as a round has room for, the first ranks of all variables first."""
        ordered = sorted(found, key=lambda family: (found[family].rank, family))
        total = accumulate(map(self._cells, ordered))
        return {
            family: found[family]
            for family, cells in zip(ordered, total, strict=True)
            if cells <= _CELLS_PER_ROUND
        }

    def _extend(self, cache: ParentSetCache, wanted: dict[Family, Candidate], tick: Tick) -> ParentSetCache:
        joined: list[tuple[Family, float]] = []
        for size in sorted({len(parents) for _, parents in wanted}):
            families = sorted(family for family in wanted if len(family[1]) == size)
            children = np.array([v for v, _ in families], dtype=np.uint32)
            parents = np.array([chosen for _, chosen in families], dtype=np.uint32).reshape(-1, size)
            scores = self.rows.family_scores(children, parents, tick).tolist()
            self.counted.update(families)
            joined += [
                (family, score)
                for family, score in zip(families, scores, strict=True)
                if score > wanted[family].floor
            ]
        if not joined:
            return cache
        owners, sets = zip(*[family for family, _ in joined], strict=True)
        larger = enlarged(cache, owners, sets, [score for _, score in joined])
        if cache.coverage is None:
            return larger
        num_further = cache.coverage.num_further + len(joined)
        return replace(larger, coverage=replace(cache.coverage, num_further=num_further))


def sharing_bags(structure: Structure) -> list[Counter[int]]:
    """For each variable, how many bags it shares with which."""
    shared: list[Counter[int]] = [Counter() for _ in range(structure.num_variables)]
    for bag in structure.witness.bags:
        for v in bag:
            shared[v].update(bag)
    return shared


def further_parents(cache: ParentSetCache, v: int, nearby: Counter[int]) -> list[int]:
    """Parents of the best sets of a variable, then those that share most bags with it."""
    favourites = dict.fromkeys(p for one in cache[v][: 2 * _NUM_FAVOURITES] for p in one.parent_indices)
    closest = sorted(nearby, key=lambda u: (-nearby[u], u))
    every = dict.fromkeys([*islice(favourites, _NUM_FAVOURITES), *closest])
    return [u for u in every if u != v][:_NUM_FURTHER]


def neighbours(parents: Parents, further: Sequence[int], others: Iterable[int]) -> Iterator[Parents]:
    """A set with one less, with one more or with one exchanged, and with one of the others more."""
    for gone in parents:
        yield tuple(p for p in parents if p != gone)
    for u in further:
        if u in parents:
            continue
        yield tuple(sorted([*parents, u]))
        for gone in parents:
            yield tuple(sorted([u, *(p for p in parents if p != gone)]))
    for u in others:
        if u not in parents and u not in further:
            yield tuple(sorted([*parents, u]))


def _scored_to(cache: ParentSetCache) -> int:
    """Up to how many parents scoring has looked at every set; smaller sets that it omitted do not pay."""
    is_whole = cache.coverage is not None and cache.coverage.method == "exhaustive"
    return cache.coverage.max_parents if cache.coverage is not None and is_whole else -1
