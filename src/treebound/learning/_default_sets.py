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
# Counted for sets of which the solver scores the larger ones by itself: about a tenth of a second. More is
# not worth it, since long lists make its moves slower.
_MOST_ROWS = 2e9


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
    Otherwise, for a solver that scores larger sets by itself, those of up to as many parents as are soon
    scored: parents that matter only together are not next to any set in use, and a search finds them late.
    """
    limit = None if for_all_solvers else entry.max_parents_scored
    others = num_variables - 1
    most = others if max_treewidth is None else min(max_treewidth, others)
    if limit == 0 or most == 0:
        return Exhaustive(max_parents=0)
    rows_per_set = num_variables * max(num_rows, _LEAST_ROWS)
    rows = math.inf if budget.seconds is None else _COMPLETE_SHARE * budget.seconds * _ROWS_PER_SECOND
    affordable = SCORED_PER_VARIABLE if math.isinf(rows) else max(SCORED_PER_VARIABLE, rows / rows_per_set)
    if _largest_size(others, affordable) >= most:
        return Exhaustive(max_parents=most)
    if limit is None:
        return Independence(max_parents=min(most, Independence().max_parents))
    soon = min(most, _largest_size(others, min(rows, _MOST_ROWS) / rows_per_set))
    return Exhaustive(max_parents=soon) if soon > limit else Independence(max_parents=limit)


def _largest_size(others: int, most_sets: float) -> int:
    """The largest size up to which a variable with so many others has at most so many parent sets."""
    num_sets, size = 1, 0
    while size < others and (num_sets := num_sets + math.comb(others, size + 1)) <= most_sets:
        size += 1
    return size
