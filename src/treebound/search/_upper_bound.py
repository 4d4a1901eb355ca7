"""What no structure of a search can exceed."""

from __future__ import annotations

import math
from enum import StrEnum

from treebound import _core

# Up to so many bytes the tables of exact-dp are filled in some milliseconds, and their optimum is the bound.
_SMALL_TABLES = 2**23


class BoundSource(StrEnum):
    """Which structures an upper bound holds for."""

    CACHE = "cache"  # those over the parent sets of the cache
    ROWS = "rows"  # all structures of the table


def upper_bound(problem: _core.SearchProblem, run: _core.Run) -> float:
    """Return a score that no structure over the entries of the problem exceeds; of few the optimum."""
    if _core.tree_dp_bytes(len(problem.first_entries) - 1, problem.width) <= _SMALL_TABLES:
        inner = _core.Run(math.inf, _core.Run.NO_LIMIT, 1)
        task = _core.SearchTask(problem, inner, 0, _core.SearchStart())
        _core.search_tree_dp(task)
        return float(task.best.score)
    return _core.upper_bound(problem, run)
