"""Slow twin of the rules that a cache keeps: every set looked at, every two sets compared."""

from __future__ import annotations

import math
from collections.abc import Sequence

ParentSet = tuple[float, Sequence[int]]


def find_fault(variables: Sequence[Sequence[ParentSet]]) -> tuple[str, int] | None:
    """The first rule broken and by which variable's sets, each a score and its parents; None if all hold."""
    for v, sets in enumerate(variables):
        for score, parents in sets:
            if broken := fault_of_set(v, score, parents, len(variables)):
                return broken, v
        listed = [list(parents) for _, parents in sets]
        if any(one in listed[:i] for i, one in enumerate(listed)):
            return "listed_twice", v
        ranks = [(-score, len(parents), list(parents)) for score, parents in sets]
        if ranks != sorted(ranks):
            return "not_best_first", v
    return None


def fault_of_set(child: int, score: float, parents: Sequence[int], num_variables: int) -> str | None:
    if not math.isfinite(score):
        return "score_not_finite"
    for i, parent in enumerate(parents):
        if parent >= num_variables:
            return "parent_out_of_range"
        if parent == child:
            return "parent_of_itself"
        if i > 0 and parent <= parents[i - 1]:
            return "parents_not_ascending"
    return None
