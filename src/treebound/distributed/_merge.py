"""Parts of a cache, each of some variables, put together in the order of the variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treebound.scoring import ParentSetCache


class Part(NamedTuple):
    """Sets of some variables, in the arrays of a cache."""

    variables: NDArray[np.uint32]
    arrays: dict[str, Any]


def part_of(cache: ParentSetCache, variables: NDArray[np.uint32]) -> Part:
    """Some variables of a cache, ascending."""
    sets, set_offsets = _taken(cache.set_offsets, variables)
    members, parent_offsets = _taken(cache.parent_offsets, sets)
    arrays = {
        "set_offsets": set_offsets,
        "scores": cache.scores[sets],
        "parent_offsets": parent_offsets,
        "parents": cache.parents[members],
        "complete": cache.complete[variables],
    }
    return Part(variables, arrays)


def merged(parts: Sequence[Part]) -> dict[str, Any]:
    """The arrays of a cache of all variables, each of which is in one of the parts."""
    order = np.argsort(np.concatenate([part.variables for part in parts]), kind="stable")
    sets, set_offsets = _taken(_joined("set_offsets", parts), order)
    members, parent_offsets = _taken(_joined("parent_offsets", parts), sets)
    return {
        "set_offsets": set_offsets,
        "scores": np.concatenate([part.arrays["scores"] for part in parts])[sets],
        "parent_offsets": parent_offsets,
        "parents": np.concatenate([part.arrays["parents"] for part in parts])[members],
        "complete": np.concatenate([part.arrays["complete"] for part in parts])[order].astype(np.bool_),
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


def _joined(name: str, parts: Sequence[Part]) -> NDArray[np.int64]:
    """The offsets of all parts, one after the other."""
    sizes = np.concatenate([np.diff(part.arrays[name]) for part in parts])
    return np.concatenate([[0], np.cumsum(sizes)])


def _taken(offsets: NDArray[np.int64], items: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What belongs to some items, in their order, and the offsets among it."""
    sizes = np.diff(offsets)[items]
    new = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.repeat(offsets[:-1][items] - new[:-1], sizes) + np.arange(new[-1])
    return places.astype(np.int64), new
