"""Pairs of variables, which all searches begin with, counted by all workers together.

Every worker needs all of them. Where they are quick to count each worker does it alone, which saves sending
them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from treebound import _core
from treebound.data import Dataset
from treebound.distributed._client import num_threads
from treebound.distributed._shards import Method, PairArrays, count_pairs
from treebound.distributed._tasks import Shared, Tasks

if TYPE_CHECKING:
    from distributed import Client, Future

# Words of 64 rows to look at: a second or so of one thread.
WORTH_SHARING = 1 << 32
_PARTS_PER_THREAD = 4


def count_all_pairs(
    client: Client, rows: Shared, data: Dataset, method: Method, on_tick: Callable[[], None]
) -> PairArrays | None:
    """The sums of all pairs, or None where every worker counts for itself.

    That is where they are quick to count, and where they are more than a worker may keep, so each
    variable keeps its best partners.
    """
    n = data.num_variables
    num_pairs = n * (n - 1) // 2
    max_pairs = method.parent_sets._max_pairs() if method.parent_sets.max_parents > 0 else 0
    num_words = -(-data.num_rows // 64)
    if not 0 < num_pairs <= max_pairs or num_pairs * num_words < WORTH_SHARING:
        return None

    def submit(part: tuple[int, int]) -> Future:
        return client.submit(count_pairs, rows.future, method, *part, pure=False)

    tasks: Tasks[tuple[int, int]] = Tasks(client, submit, lambda: [rows])
    for part in _rows_of_equal_size(n, _PARTS_PER_THREAD * num_threads(client)):
        tasks.add(part)
    counted = dict([tasks.next(on_tick) for _ in range(len(tasks))])
    return _with_singles(data, method, np.concatenate([counted[part] for part in sorted(counted)]))


def _with_singles(
    data: Dataset, method: Method, pairs: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> PairArrays:
    cardinalities = np.array(data.schema.cardinalities, dtype=np.uint32)
    counts = [
        np.bincount(codes, minlength=states) for codes, states in zip(data.codes, cardinalities, strict=True)
    ]
    sets = np.arange(data.num_variables, dtype=np.uint32)[:, None]
    score = method.score._in_core(data.num_rows)
    terms = _core.set_terms(score, cardinalities, sets, np.concatenate(counts).astype(np.int64))
    num_occurring = np.array([np.count_nonzero(states) for states in counts], dtype=np.uint32)
    return PairArrays(terms["joint"], num_occurring, int(terms["others"][0]), pairs)


def _rows_of_equal_size(num_variables: int, num_parts: int) -> list[tuple[int, int]]:
    """Ranges of variables with about as many pairs each: pair (a, b) with b < a belongs to a."""
    cuts = np.sqrt(np.linspace(0, 1, num_parts + 1)) * num_variables
    edges = np.unique(np.rint(cuts).astype(int)).tolist()
    return list(pairwise(edges))
