"""Whether a cache belongs to a table: by its fingerprint, or by counting some of its sets again.

Files of others have no fingerprint. A cache of other rows differs almost everywhere, so a few sets suffice;
whether all that a structure takes from it is true is for the checker to say.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from treebound.data import Dataset
from treebound.scoring import DEFAULT_SCORE, CacheError, ParentSetCache, Score, check_table
from treebound.structure._recount import close, recount

_MOST_VARIABLES = 50
_MOST_SETS = 2  # of a variable, besides the empty one


def cache_for(data: Dataset, cache: ParentSetCache) -> ParentSetCache:
    """Return the cache, which then says its score, or raise CacheError if it is not one of this table."""
    check_table(cache, data)
    wanted = cache.score or DEFAULT_SCORE
    if cache.fingerprint is None:
        _check_some(cache, data, wanted)
    return cache if cache.score is not None else replace(cache, score=wanted)


def _check_some(cache: ParentSetCache, data: Dataset, score: Score) -> None:
    """Count the empty set and the best sets of variables here and there."""
    chosen = np.unique(np.linspace(0, cache.num_variables - 1, _MOST_VARIABLES).astype(int))
    for v in chosen.tolist():
        best = [(one.parent_indices, one.score) for one in cache[v][:_MOST_SETS]]
        empty = cache.score_of(v, ())
        for parents, known in [*best, *([] if empty is None else [((), empty)])]:
            true_score = recount(data, score, v, parents)
            if not close(known, true_score, cache.score_rounding):
                raise CacheError(
                    f"The cache does not match this table and the score {score}: "
                    f"{cache.names[v]!r} with {len(parents)} parents scores {known} in the cache, and "
                    f"{true_score} on the rows."
                )
