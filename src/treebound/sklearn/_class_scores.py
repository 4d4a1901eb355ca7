"""What features say about each other once the class is known: scores of families that hold the class.

Parent sets are looked for size by size: all single ones, and of larger ones those that add a good single
parent to one of the best sets that are smaller by one.
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._budget import Budget
from treebound._where import Local
from treebound.constraints import Constraints, FamilyRules, rules_of
from treebound.data import Dataset
from treebound.scoring import Independence, ParentSetCache, score
from treebound.scoring.cache import ParentSets
from treebound.sklearn._pair_scores import MOST_STATES, pair_log_likelihoods

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
        """Found when they are first needed: naive Bayes needs none, and of many features it takes long."""
        return _partners(self.data, self._threads)

    @cached_property
    def _pairs(self) -> NDArray[np.float64] | None:
        """The log-likelihoods of all pairs, unless there are many."""
        num_states = sum(self.data.schema.cardinalities[: self.target])
        is_few = self.target <= ALL_PAIRS and num_states <= MOST_STATES
        return pair_log_likelihoods(self.data) if is_few else None

    def score(self, child: int, parents: ParentIndices, cost: float) -> float:
        """The log-likelihood of a feature given its parents and the class, less ``cost`` per parameter."""
        key = (child, parents)
        if key not in self._known:
            self._known[key] = self._counted(child, parents)
        log_likelihood, num_parameters = self._known[key]
        return log_likelihood - cost * num_parameters

    def cache(self, width: int, cost: float, constraints: Constraints | None = None) -> ParentSetCache:
        """Sets of up to ``width`` features as parents, those that are better than the least allowed one."""
        names = self.data.schema.names[: self.target]
        rules = rules_of(constraints, names)
        listed = [self._sets(child, width, cost, rules) for child in range(self.target)]
        sets = [one for of_child in listed for one in of_child]
        return ParentSetCache(
            names,
            np.cumsum([0, *map(len, listed)]),
            np.array([-negated for negated, _, _ in sets]),
            np.cumsum([0, *(size for _, size, _ in sets)]),
            np.array([p for _, _, chosen in sets for p in chosen], dtype=np.int64),
            constraints=constraints,
        )

    def _sets(
        self, child: int, width: int, cost: float, rules: FamilyRules
    ) -> list[tuple[float, int, ParentIndices]]:
        """The negated score, size and parents of each set, in the order of a cache."""
        least = rules.least(child)
        needed = {chosen: self.score(child, chosen, cost) for chosen in _least_sets(child, width, rules)}
        level = self._singles(child, cost, rules) if len(least) < width else {}
        found = dict(level)
        good = [p for chosen in _best(level, _BEST_PARENTS) for p in chosen if p not in least]
        for _ in range(len(least) + 1, width):
            sets = _best(level, _BEST_SETS)
            larger = {tuple(sorted((*chosen, p))) for chosen in sets for p in good if p not in chosen}
            # In this order the scorer goes on from what it counted for the set before.
            allowed = [chosen for chosen in sorted(larger) if rules.allows(child, chosen)]
            level = {chosen: self.score(child, chosen, cost) for chosen in allowed}
            found |= level
        kept = {chosen: value for chosen, value in found.items() if value > needed[least]}
        return sorted((-value, len(chosen), chosen) for chosen, value in (kept | needed).items())

    def _singles(self, child: int, cost: float, rules: FamilyRules) -> dict[ParentIndices, float]:
        """The score of each single parent, next to those that are required."""
        if rules:
            least = rules.least(child)
            sets = [tuple(sorted((*least, p))) for p in self._partners[child] if p not in least]
            return {one: self.score(child, one, cost) for one in sets if rules.allows(child, one)}
        if self._pairs is None:
            return {(p,): self.score(child, (p,), cost) for p in self._partners[child]}
        cards = self.data.schema.cardinalities
        sizes = np.array(cards[: self.target]) * (cards[child] - 1) * cards[self.target]
        scores = (self._pairs[child] - cost * sizes).tolist()
        return {(p,): scores[p] for p in self._partners[child]}

    def _counted(self, child: int, parents: ParentIndices) -> tuple[float, int]:
        if self._child != child:
            self._child = child
            self._scorer.begin(child)
        bic = self._scorer.score(np.array([self.target, *parents], dtype=np.uint32))
        cards = self.data.schema.cardinalities
        num_parameters = (cards[child] - 1) * cards[self.target] * math.prod(cards[p] for p in parents)
        return bic + math.log(self.data.num_rows) / 2 * num_parameters, num_parameters


def _least_sets(child: int, width: int, rules: FamilyRules) -> list[ParentIndices]:
    """The empty set, which every cache has, the required parents, and these with undecided neighbours."""
    least = rules.least(child)
    others = [a + b - child for a, b in rules.undecided if child in (a, b)]
    found = {(), least}
    for size in range(1, width - len(least) + 1):
        found |= {tuple(sorted((*least, *some))) for some in combinations(others, size)}
    return sorted(found)


def _best(scores: dict[ParentIndices, float], number: int) -> list[ParentIndices]:
    """The sets of the highest scores; of equal ones the first in order."""
    return sorted(scores, key=lambda chosen: (-scores[chosen], chosen))[:number]


def _partners(data: Dataset, threads: int) -> list[list[int]]:
    """The features that are tried as parents of each feature."""
    target = data.num_variables - 1
    if target <= ALL_PAIRS:
        return [[p for p in range(target) if p != child] for child in range(target)]
    budget = Budget(steps=_SCORED_PER_VARIABLE * data.num_variables)
    cache = score(data, parent_sets=Independence(max_parents=1), budget=budget, where=Local(threads)).cache
    return [_likely_parents(cache[child], target) for child in range(target)]


def _likely_parents(sets: ParentSets, target: int) -> list[int]:
    """The best single parents but the class, which is a parent anyway."""
    ranked = [p for one in sets for p in one.parent_indices if p != target]
    return sorted(ranked[:PARTNERS])
