"""Parts of a cache, each of some variables, put together in the order of the variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treebound.scoring import CacheError, ParentSetCache

_ARRAYS = ("set_offsets", "scores", "parent_offsets", "parents", "complete")


class Part(NamedTuple):
    """Sets of some variables, in the arrays of a cache; sizes and small numbers, so little travels."""

    variables: NDArray[np.uint32]
    num_sets: NDArray[np.unsignedinteger[Any]]  # of each variable
    sizes: NDArray[np.unsignedinteger[Any]]  # of each set
    parents: NDArray[np.unsignedinteger[Any]]
    scores: NDArray[np.float64]
    complete: NDArray[np.bool_]

    @classmethod
    def of(cls, variables: NDArray[np.uint32], arrays: Mapping[str, Any]) -> Part:
        """Of arrays with offsets, as the core gives them."""
        return cls(
            variables,
            _narrow(np.diff(arrays["set_offsets"])),
            _narrow(np.diff(arrays["parent_offsets"])),
            _narrow(arrays["parents"]),
            arrays["scores"],
            np.asarray(arrays["complete"]).astype(np.bool_),
        )

    @property
    def nbytes(self) -> int:
        """What travels."""
        return sum(array.nbytes for array in self)

    def check(self, names: Sequence[str]) -> None:
        """Reject what breaks a promise of a cache; parts that are right make a cache that is.

        All promises are about single variables, so a cache with the sets of these alone is checked.
        """
        lengths = len(self.variables), len(self.num_sets), len(self.complete)
        if len(set(lengths)) > 1:
            raise CacheError(f"The arrays of a part of a cache have {lengths} variables.")
        num_sets = np.zeros(len(names), dtype=np.int64)
        num_sets[self.variables] = self.num_sets
        offsets, parents = _offsets([self.sizes]), self.parents.astype(np.uint32)
        ParentSetCache(tuple(names), _offsets([num_sets]), self.scores, offsets, parents)


def _narrow(numbers: NDArray[Any]) -> NDArray[np.unsignedinteger[Any]]:
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))


def part_of(cache: ParentSetCache, variables: NDArray[np.uint32]) -> Part:
    """Some variables of a cache, ascending."""
    arrays = {name: getattr(cache, name) for name in _ARRAYS}
    return Part.of(variables, _reordered(arrays, variables))


def merged(parts: Sequence[Part]) -> dict[str, Any]:
    """The arrays of a cache of all variables, each of which is in one of the parts.

    Shards are mostly runs of variables: put one after the other, which is quick, they are in order. To touch
    fresh memory first may take ten times as long as the copies, so several threads do it.
    """
    parts = sorted((part for part in parts if len(part.variables)), key=lambda part: int(part.variables[0]))
    with ThreadPoolExecutor() as pool:
        scores = pool.submit(np.concatenate, [part.scores for part in parts])
        parents = pool.submit(np.concatenate, [part.parents for part in parts], dtype=np.uint32)
        arrays = {
            "set_offsets": _offsets([part.num_sets for part in parts]),
            "parent_offsets": _offsets([part.sizes for part in parts]),
            "scores": scores.result(),
            "parents": parents.result(),
            "complete": np.concatenate([part.complete for part in parts]),
        }
    variables = np.concatenate([part.variables for part in parts])
    is_in_order = (variables[1:] > variables[:-1]).all()
    return arrays if is_in_order else _reordered(arrays, np.argsort(variables, kind="stable"))


def _offsets(sizes: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    offsets = np.zeros(sum(map(len, sizes)) + 1, dtype=np.int64)
    np.concatenate(sizes, out=offsets[1:])
    return np.cumsum(offsets, out=offsets)


def _reordered(joined: dict[str, Any], order: NDArray[Any]) -> dict[str, Any]:
    """Some variables in another order."""
    sets, set_offsets = _taken(joined["set_offsets"], order)
    members, parent_offsets = _taken(joined["parent_offsets"], sets)
    return {
        "set_offsets": set_offsets,
        "scores": joined["scores"][sets],
        "parent_offsets": parent_offsets,
        "parents": joined["parents"][members],
        "complete": joined["complete"][order],
    }


def enlarged(
    cache: ParentSetCache, children: Sequence[int], parents: Sequence[Sequence[int]], scores: Sequence[float]
) -> ParentSetCache:
    """The cache with further sets, each of which it does not hold yet."""
    sizes = np.concatenate([cache.sizes, [len(chosen) for chosen in parents]]).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    members = np.concatenate([cache.parents, *[np.array(chosen, dtype=np.uint32) for chosen in parents]])
    owners = np.concatenate([np.repeat(np.arange(len(cache)), np.diff(cache.set_offsets)), children])
    all_scores = np.concatenate([cache.scores, scores])
    # As a cache has them: by variable, best first, ties by size and then by the parents.
    columns = [_column(members, offsets, sizes, place) for place in range(int(sizes.max()))]
    order = np.lexsort([*columns[::-1], sizes, -all_scores, owners])
    places, parent_offsets = _taken(offsets, order)
    return replace(
        cache,
        set_offsets=np.searchsorted(owners[order], np.arange(len(cache) + 1)).astype(np.int64),
        scores=all_scores[order],
        parent_offsets=parent_offsets,
        parents=members[places].astype(np.uint32),
    )


def _column(
    members: NDArray[np.uint32], offsets: NDArray[np.int64], sizes: NDArray[np.int64], place: int
) -> NDArray[np.int64]:
    """The parent at a place of each set; -1 where it has fewer."""
    column = np.full(len(sizes), -1, dtype=np.int64)
    has = sizes > place
    column[has] = members[offsets[:-1][has] + place]
    return column


def _taken(offsets: NDArray[np.int64], items: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What belongs to some items, in their order, and the offsets among it."""
    sizes = np.diff(offsets)[items]
    new = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.repeat(offsets[:-1][items] - new[:-1], sizes) + np.arange(new[-1])
    return places.astype(np.int64), new
