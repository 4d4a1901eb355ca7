"""Whether a cache was made of a given table and by a given score, as far as the cache itself says."""

from __future__ import annotations

from treebound.data import Dataset
from treebound.scoring._local_scores import Score
from treebound.scoring.cache import CacheError, ParentSetCache


def check_table(cache: ParentSetCache, data: Dataset) -> None:
    """Reject a cache that was made of another table; one without a fingerprint may be of any."""
    if cache.names != data.schema.names:
        raise CacheError(f"The cache is for other variables than the table: {_name_difference(cache, data)}.")
    if cache.fingerprint not in (None, data.fingerprint):
        raise CacheError(f"The cache was made of {_table_difference(cache, data)}; score the table again.")


def check_score(cache: ParentSetCache, score: Score) -> None:
    """Reject a cache of another score; one that does not say its score may be of any."""
    if cache.score not in (None, score):
        raise CacheError(
            f"The cache holds the score {cache.score}, and {score} is requested; "
            "use the score of the cache, or score the table again."
        )


def _name_difference(cache: ParentSetCache, data: Dataset) -> str:
    ours, theirs = cache.names, data.schema.names
    if len(ours) != len(theirs):
        return f"the cache has {len(ours)} of them, the table {len(theirs)}"
    v = next(i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
    return f"number {v} is {ours[v]!r} in the cache and {theirs[v]!r} in the table"


def _table_difference(cache: ParentSetCache, data: Dataset) -> str:
    assert cache.fingerprint is not None
    if cache.fingerprint.num_rows != data.num_rows:
        return f"{cache.fingerprint.num_rows} rows, and the table has {data.num_rows}"
    if cache.schema is not None and cache.schema.variables != data.schema.variables:
        v = next(v for v, other in zip(cache.schema, data.schema, strict=True) if v != other)
        return f"a table in which {v.name!r} has other states than in the one given"
    return f"{data.num_rows} other rows than those of the table"
