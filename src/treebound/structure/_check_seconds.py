"""How long the checker will take: the budget of learning covers it, and the search must leave that much."""

from __future__ import annotations

import statistics
import time

import numpy as np

from treebound.data import Dataset
from treebound.scoring import DEFAULT_SCORE, ParentSetCache
from treebound.structure._recount import recount

# Families have two parents or so, and the time grows slowly with their number.
_PARENTS = 3
_MOST_FAMILIES = 16
# For the structure and its bags, whatever the rows.
_PER_VARIABLE = 3e-4
_TO_SPARE = 1.5


def check_seconds(num_variables: int, cache: ParentSetCache | None, data: Dataset | None) -> float:
    """Return about how long :func:`check` takes, measured on a few families of the cache and the table."""
    children = np.unique(np.linspace(0, num_variables - 1, _MOST_FAMILIES).astype(int)).tolist()
    measured = []
    for v in children:
        began = time.monotonic()
        parents = [(v + step) % num_variables for step in range(1, min(_PARENTS, num_variables - 1) + 1)]
        if cache is not None:
            cache.score_of(v, parents)
        if data is not None:
            recount(data, (cache.score if cache else None) or DEFAULT_SCORE, v, parents)
        measured.append(time.monotonic() - began)
    # On a busy machine one of a few families may have to wait for long; the check as a whole hardly does.
    return _TO_SPARE * num_variables * (statistics.median(measured) + _PER_VARIABLE)
