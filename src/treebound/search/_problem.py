"""The parent sets that can be chosen under a bound, as the core reads them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound.scoring.cache import ParentSetCache


def searchable(cache: ParentSetCache, width: int) -> _core.SearchProblem:
    """Return the sets of at most ``width`` parents; ValueError if a variable lacks the empty one."""
    if missing := cache.variables_without_empty_set:
        raise ValueError(
            f"Every variable needs the empty parent set; the cache has none for {missing[0]!r}"
            f" ({len(missing)} such variables)."
        )
    return _core.SearchProblem(cache.set_offsets, cache.scores, cache.parent_offsets, cache.parents, width)


def with_unseen(
    cache: ParentSetCache, width: int, unseen: NDArray[np.float64], problem: _core.SearchProblem
) -> _core.SearchProblem:
    """Return a problem whose bound holds also for families that the cache lacks.

    Those of variable v score at most ``unseen[v]``. Nothing is known of their parents, so they stand as an
    empty set with that score; where they are no better than the empty set itself, the problem is as it was.
    """
    owners = np.repeat(np.arange(cache.num_variables), np.diff(cache.set_offsets))
    is_empty, least = cache.sizes == 0, unseen[owners]
    if not np.any(least[is_empty] > cache.scores[is_empty]):
        return problem
    is_kept = is_empty | (cache.scores > least)
    sizes = cache.sizes[is_kept]
    return _core.SearchProblem(
        np.concatenate(([0], np.cumsum(is_kept)))[cache.set_offsets],
        np.where(is_empty, np.maximum(cache.scores, least), cache.scores)[is_kept],
        np.concatenate(([0], np.cumsum(sizes))),
        cache.parents[np.repeat(is_kept, cache.sizes)],
        width,
    )
