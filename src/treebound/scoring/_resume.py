"""Taking up a scoring run where an earlier one was interrupted."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from treebound import _core
from treebound.data import Dataset
from treebound.scoring.cache import CacheError, ParentSetCache


def fingerprint(data: Dataset) -> str:
    """Return a digest of the encoded rows: equal for equal tables."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(repr((data.schema.cardinalities, data.codes.shape)).encode())
    digest.update(data.codes.tobytes())
    return digest.hexdigest()


def check_same_job(
    cache: ParentSetCache, data: Dataset, score: dict[str, Any], options: dict[str, Any], digest: str
) -> None:
    """Refuse a cache that was made from other rows, with another score or with other options."""
    if cache.names != data.schema.names:
        raise CacheError("The cache to resume is for other variables than the table.")
    if cache.provenance.get("fingerprint") != digest:
        raise CacheError("The cache to resume was made from other rows than the table holds.")
    if cache.score != score:
        raise CacheError(f"The cache to resume holds the score {cache.score}, asked for was {score}.")
    if cache.options != options:
        raise CacheError(f"The cache to resume was made with {cache.options}, asked for was {options}.")


def restore(job: _core.ScoringJob, cache: ParentSetCache) -> None:
    """Give a new job what an earlier one had done."""
    if cache.resume is not None:
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
