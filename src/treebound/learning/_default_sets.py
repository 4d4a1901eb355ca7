"""Which parent sets to score where none are given: those that the solver makes use of."""

from __future__ import annotations

import math

from treebound._budget import Budget
from treebound.learning._schedule import SCORED_PER_VARIABLE
from treebound.scoring import Exhaustive, Independence, ParentSetSearch
from treebound.solvers import Entry

# With seconds all sets are scored where that takes at most about this share of them. Of a set of binary
# columns one thread counts 8 to 16 rows per nanosecond, of one of columns with many states less than one.
# A set costs as much as these rows, however few there are.
_COMPLETE_SHARE = 0.05
_ROWS_PER_SECOND = 1e9
_LEAST_ROWS = 4096


def default_sets(
    entry: Entry,
    num_variables: int,
    num_rows: int,
    max_treewidth: int | None,
    budget: Budget,
    *,
    for_all_solvers: bool,
) -> ParentSetSearch:
    """Return the sets that the solver makes use of, or those for all solvers.

    All within the limit if these are few or soon scored: they make the upper bound of the search a tight one.
    """
    limit = None if for_all_solvers else entry.max_parents_scored
    others = num_variables - 1
    most = others if max_treewidth is None else min(max_treewidth, others)
    if limit == 0 or most == 0:
        return Exhaustive(max_parents=0)
    affordable = _affordable_sets(num_variables, num_rows, budget)
    num_sets = 0
    for size in range(most + 1):
        num_sets += math.comb(others, size)
        if num_sets > affordable:
            return Independence(max_parents=min(most, limit or Independence().max_parents))
    return Exhaustive(max_parents=most)


def _affordable_sets(num_variables: int, num_rows: int, budget: Budget) -> float:
    """Sets of each variable that may all be scored."""
    if budget.seconds is None:
        return SCORED_PER_VARIABLE
    rows = _COMPLETE_SHARE * budget.seconds * _ROWS_PER_SECOND
    return max(SCORED_PER_VARIABLE, rows / (num_variables * max(num_rows, _LEAST_ROWS)))
