"""Pairs that must be joined, in either direction: which directions a search tries.

Every solver obeys required arcs. A required adjacency is one of two required arcs, so it is decided before a
search: the search is run for each choice of directions that leaves a structure, with a share of the budget,
and the best result counts. Exact solvers need all choices. Others try the most promising few, and the upper
bound is then that of the problem in which the pairs need not be joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from treebound.constraints import ContradictionError, FamilyRules, last_first
from treebound.scoring.cache import ParentSetCache

_MOST_EXACT = 256  # choices of directions that an exact solver solves one after the other
_MOST_TRIED = 8  # by other solvers
_MOST_LOOKED_AT = 4096


@dataclass(frozen=True)
class Directions:
    """Rules with all directions decided, the most promising first; ``are_all`` if there are no others."""

    choices: tuple[FamilyRules, ...]
    are_all: bool


def directions_of(
    rules: FamilyRules,
    cache: ParentSetCache,
    check: Callable[[FamilyRules], None],
    *,
    is_exact: bool,
) -> Directions:
    """Return the directions to try; ``check`` raises ``ContradictionError`` for rules without a structure.

    ContradictionError if no choice has a structure; ValueError if an exact solver would need too many.
    """
    most = _MOST_EXACT if is_exact else _MOST_TRIED
    kept: list[FamilyRules] = []
    first_error: ContradictionError | None = None
    looked_at = 0
    for looked_at, choice in enumerate(_choices(rules, cache)):
        if len(kept) > most or looked_at == _MOST_LOOKED_AT:
            break
        try:
            check(choice)
        except ContradictionError as error:
            first_error = first_error or error
        else:
            kept.append(choice)
    are_all = len(kept) <= most and looked_at < _MOST_LOOKED_AT
    if not kept:
        raise _none_fits(looked_at, first_error, are_all)
    if is_exact and not are_all:
        raise ValueError(
            f"An exact solver can direct required adjacencies in at most {_MOST_EXACT} ways, and these"
            f" {len(rules.undecided)} have more; require arcs instead, or choose another solver."
        )
    return Directions(tuple(kept[:most]), are_all)


def _none_fits(looked_at: int, error: ContradictionError | None, are_all: bool) -> ContradictionError:
    if are_all:
        return ContradictionError(f"No direction of the required adjacencies leaves a structure. {error}")
    return ContradictionError(
        f"None of {looked_at:,} ways to direct the required adjacencies leaves a structure, and there may be"
        f" more ways: require arcs instead. {error}"
    )


def _choices(rules: FamilyRules, cache: ParentSetCache) -> Iterator[FamilyRules]:
    """Acyclic directions within the numbers of parents: the better ones first."""
    order, _ = last_first(rules)
    rank = {v: -i for i, v in enumerate(order)}
    first = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in rules.undecided]
    preferred = [min(((a, b), (b, a)), key=lambda arc: _loss(cache, arc)) for a, b in rules.undecided]
    has_first = False
    for looked_at, arcs in enumerate(_decided(rules, preferred, [])):
        if arcs is not None:
            has_first = has_first or set(arcs) == set(first)
            yield rules.requiring(arcs)
        if looked_at == _MOST_LOOKED_AT:
            if not has_first:
                yield rules.requiring(first)
            return


def _decided(
    rules: FamilyRules, preferred: list[tuple[int, int]], arcs: list[tuple[int, int]]
) -> Iterator[list[tuple[int, int]] | None]:
    """All choices by depth-first search, the preferred direction first; None where a choice ends early."""
    if not _is_possible(rules.requiring(arcs)):
        yield None
        return
    if len(arcs) == len(preferred):
        yield arcs
        return
    a, b = preferred[len(arcs)]
    yield from _decided(rules, preferred, [*arcs, (a, b)])
    yield from _decided(rules, preferred, [*arcs, (b, a)])


def _is_possible(rules: FamilyRules) -> bool:
    counts = all(
        len(parents) <= rules.max_parents.get(child, len(parents))
        for child, parents in rules.required.items()
    )
    return counts and not last_first(rules)[1]


def _loss(cache: ParentSetCache, arc: tuple[int, int]) -> float:
    """By how much the best set of the child with this parent scores below its best set."""
    parent, child = arc
    first, last = cache.set_offsets[child : child + 2]
    begin, end = cache.parent_offsets[first], cache.parent_offsets[last]
    holding = np.flatnonzero(cache.parents[begin:end] == parent)
    if len(holding) == 0:
        return float("inf")
    number = int(np.searchsorted(cache.parent_offsets, begin + holding[0], side="right")) - 1
    return float(cache.scores[first] - cache.scores[number])
