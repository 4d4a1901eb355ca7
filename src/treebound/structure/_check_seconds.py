"""How long the checker will take: the budget of learning covers it, and the search must leave that much."""

from __future__ import annotations

import time

import numpy as np

from treebound.data import Dataset
from treebound.scoring import Score
from treebound.structure._recount import recount

# Families have two parents or so, and the time grows slowly with their number.
_PARENTS = 3
_MOST_FAMILIES = 8
# For the bags, the look into the cache and the structure itself, whatever the rows.
_PER_VARIABLE = 4e-4
_TO_SPARE = 1.5


def check_seconds(num_variables: int, data: Dataset | None, score: Score | None) -> float:
    """Return about how long :func:`check` takes, measured by counting a few families of the table."""
    counting = 0.0
    if data is not None and score is not None:
        children = np.unique(np.linspace(0, num_variables - 1, _MOST_FAMILIES).astype(int)).tolist()
        began = time.monotonic()
        for v in children:
            parents = [(v + step) % num_variables for step in range(1, min(_PARENTS, num_variables - 1) + 1)]
            recount(data, score, v, parents)
        counting = (time.monotonic() - began) / len(children)
    return _TO_SPARE * num_variables * (counting + _PER_VARIABLE)
