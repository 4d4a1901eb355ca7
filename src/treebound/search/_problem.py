"""The parent sets that can be chosen under a bound, as the core reads them."""

from __future__ import annotations

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
