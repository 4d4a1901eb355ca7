"""What features say about each other once the class is known: scores of families that hold the class.

Parent sets are looked for size by size: all single ones, and of larger ones those that add a good single
parent to one of the best sets that are smaller by one.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TypeAlias

import numpy as np

from treebound import _core
from treebound._budget import Budget
from treebound.data import Dataset
from treebound.scoring import Independence, ParentSetCache, score
from treebound.scoring.cache import ParentSets

ParentIndices: TypeAlias = tuple[int, ...]

# With more features only those are tried as parents that say most about a feature by themselves.
ALL_PAIRS = 128
PARTNERS = 30
_SCORED_PER_VARIABLE = 2_000
# Of each size so many of the best sets get so many of the best single parents.
_BEST_SETS = 15
_BEST_PARENTS = 15


class ClassScores:
    """Log-likelihoods of features given other features and the class, the last variable of the rows."""

    def __init__(self, data: Dataset, threads: int) -> None:
        self.data = data
        self.target = data.num_variables - 1
        self._scorer = _core.FamilyScorer(data.in_core, _core.Bic(data.num_rows))
        self._child = -1  # that the scorer is at
        self._known: dict[tuple[int, ParentIndices], tuple[float, int]] = {}
        self._threads = threads

    @cached_property
    def _partners(self) -> list[list[int]]:
        """Found when they are first asked for: naive Bayes needs none, and of many features it takes long."""
        return _partners(self.data, self._threads)

    def score(self, child: int, parents: ParentIndices, cost: float) -> float:
        """The log-likelihood of a feature given its parents and the class, less ``cost`` per parameter."""
        key = (child, parents)
        if key not in self._known:
            self._known[key] = self._counted(child, parents)
        log_likelihood, num_parameters = self._known[key]
        return log_likelihood - cost * num_parameters

    def cache(self, width: int, cost: float) -> ParentSetCache:
        """Sets of up to ``width`` features as parents, those that are better than none."""
        names = self.data.schema.names[: self.target]
        return ParentSetCache.from_sets(
            {name: self._sets(child, width, cost) for child, name in enumerate(names)}
        )

    def _sets(self, child: int, width: int, cost: float) -> list[tuple[ParentIndices, float]]:
        empty = self.score(child, (), cost)
        level: dict[ParentIndices, float] = {
            (p,): self.score(child, (p,), cost) for p in self._partners[child]
        }
        found = dict(level)
        good = [chosen[0] for chosen in _best(level, _BEST_PARENTS)]
        for _ in range(1, width):
            sets = _best(level, _BEST_SETS)
            larger = {tuple(sorted((*chosen, p))) for chosen in sets for p in good if p not in chosen}
            # In this order the scorer goes on from what it counted for the set before.
            level = {chosen: self.score(child, chosen, cost) for chosen in sorted(larger)}
            found |= level
        return [((), empty), *(one for one in found.items() if one[1] > empty)]

    def _counted(self, child: int, parents: ParentIndices) -> tuple[float, int]:
        if self._child != child:
            self._child = child
            self._scorer.begin(child)
        bic = self._scorer.score(np.array([self.target, *parents], dtype=np.uint32))
        cards = self.data.schema.cardinalities
        num_parameters = (cards[child] - 1) * cards[self.target] * math.prod(cards[p] for p in parents)
        return bic + math.log(self.data.num_rows) / 2 * num_parameters, num_parameters


def _best(scores: dict[ParentIndices, float], number: int) -> list[ParentIndices]:
    """The sets of the highest scores; of equal ones the first in order."""
    return sorted(scores, key=lambda chosen: (-scores[chosen], chosen))[:number]


def _partners(data: Dataset, threads: int) -> list[list[int]]:
    """The features that are tried as parents of each feature."""
    target = data.num_variables - 1
    if target <= ALL_PAIRS:
        return [[p for p in range(target) if p != child] for child in range(target)]
    budget = Budget(steps=_SCORED_PER_VARIABLE * data.num_variables)
    cache = score(data, parent_sets=Independence(max_parents=1), budget=budget, threads=threads).cache
    return [_likely_parents(cache[child], target) for child in range(target)]


def _likely_parents(sets: ParentSets, target: int) -> list[int]:
    """The best single parents but the class, which is a parent anyway."""
    ranked = [p for one in sets for p in one.parent_indices if p != target]
    return sorted(ranked[:PARTNERS])
