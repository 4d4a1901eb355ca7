"""Taking up a scoring run where an earlier one was interrupted."""

from __future__ import annotations

from typing import Any

import numpy as np

from treebound import _core
from treebound.data import Dataset
from treebound.scoring._local_scores import Score
from treebound.scoring._origin import check_score, check_table
from treebound.scoring.cache import CacheError, ParentSetCache

# What a run remembers of the sets that it has visited; see ScoringJob.save_visited.
_VISITED = [
    "best",
    "configurations",
    "loss",
    "members",
    "num_visited",
    "parent_term",
    "score",
    "size",
    "status",
]


def check_same_job(cache: ParentSetCache, data: Dataset, score: Score, options: dict[str, Any]) -> None:
    """Refuse a cache that was made from other rows, with another score or with other options."""
    if cache.score is None or cache.fingerprint is None:
        raise CacheError(
            "The cache to resume does not say what it was made of, as a .tbc cache of a run does."
        )
    check_table(cache, data)
    check_score(cache, score)
    if cache.options != options:
        raise CacheError(f"The cache to resume was made with {cache.options}, got {options}.")


def restore(job: _core.ScoringJob, cache: ParentSetCache) -> None:
    """Give a new job what an earlier one had done."""
    if cache.resume is not None:
        if set(cache.resume) != set(_VISITED):
            raise CacheError(
                f"The cache to resume was written by another version: expected the arrays {_VISITED}, "
                f"got {sorted(cache.resume)}. Score the table again."
            )
        job.restore_visited(**{name: np.ascontiguousarray(a) for name, a in cache.resume.items()})
        for v in np.flatnonzero(cache.complete).tolist():
            job.restore_state_finished(v)
        return
    for v in np.flatnonzero(cache.complete).tolist():
        first, last = cache.set_offsets[v : v + 2]
        begin = cache.parent_offsets[first]
        ends = cache.parent_offsets[first + 1 : last + 1] - begin
        parents = cache.parents[begin : cache.parent_offsets[last]]
        job.restore_finished(v, np.array(cache.scores[first:last]), ends, np.array(parents))
