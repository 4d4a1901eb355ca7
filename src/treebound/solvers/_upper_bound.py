"""What no structure of a search can exceed.

Where exact dynamic programming is soon done, the optimum itself is the bound, and its structure comes with
it, so a search may end at once. First comes the best DAG of any treewidth: it is cheap for up to twenty
variables or so, and often within the limit anyway. Where it is not, the best within the limit takes more
operations and more memory, and where these are too many, conflicts between parent sets give a bound.
"""

from __future__ import annotations

import math
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from treebound import _core
from treebound.solvers._stopping import stopped_with
from treebound.structure import moral_graph, treewidth_bounds

# With a budget of steps alone nothing looks at the clock; so many operations take part of a second.
_FEW_OPERATIONS = 2**27
# Per second and thread; with a budget of seconds an exact solver may take this share of them.
_OPERATIONS_PER_SECOND = 2**28
_SHARE_OF_SECONDS = 0.1
# For the best DAG of any treewidth sets are looked at, most of them only now and then, and nothing stops it.
_LOOKS_PER_OPERATION = 8
_MOST_LOOKS = 2**31
# What the tables of exact-dp may take, in bytes.
_SMALL_TABLES = 2**27


class BoundSource(StrEnum):
    """Which structures an upper bound holds for."""

    CACHE = "cache"  # those over the parent sets of the cache
    ROWS = "rows"  # all structures of the table


class Optimum(NamedTuple):
    """A structure that no other over the same entries exceeds, with the witness of its treewidth."""

    parents: list[tuple[int, ...]]
    local_scores: list[float]
    elimination_order: list[int]


class UpperBound(NamedTuple):
    """A score that no structure over the entries of a problem exceeds, and the structure that reaches it."""

    score: float
    optimum: Optimum | None = None


def upper_bound(problem: _core.SearchProblem, run: _core.Run) -> UpperBound:
    """Return an upper bound; of few variables the optimum."""
    affordable = _affordable_operations(run)
    unlimited = math.inf
    if _is_ordered_soon(problem, affordable):
        chosen = _core.best_dag(problem)
        scores = problem.scores[chosen]
        unlimited = float(scores.sum())
        parents = [tuple(problem.parents(entry)) for entry in chosen]
        width = treewidth_bounds(moral_graph(parents))
        if width.upper <= problem.width:
            return UpperBound(unlimited, Optimum(parents, scores.tolist(), list(width.elimination_order)))
    within = _best_within(problem, run) if _is_filled_soon(problem, affordable) else None
    return UpperBound(min(unlimited, _core.upper_bound(problem, run))) if within is None else within


def _affordable_operations(run: _core.Run) -> float:
    """How many operations an exact solver may take before the search begins."""
    if math.isinf(run.seconds):
        return _FEW_OPERATIONS
    return _SHARE_OF_SECONDS * run.seconds * _OPERATIONS_PER_SECOND


def _num_variables(problem: _core.SearchProblem) -> int:
    return len(problem.first_entries) - 1


def _is_ordered_soon(problem: _core.SearchProblem, affordable: float) -> bool:
    """Whether the best DAG of any treewidth is soon found."""
    is_small = _num_variables(problem) <= _core.MOST_VARIABLES_IN_ORDER
    most = min(_LOOKS_PER_OPERATION * affordable, _MOST_LOOKS)
    return is_small and _core.best_dag_looks(problem) <= most


def _is_filled_soon(problem: _core.SearchProblem, affordable: float) -> bool:
    """Whether the tables of exact-dp are small and soon filled."""
    size = _num_variables(problem), problem.width
    return _core.tree_dp_bytes(*size) <= _SMALL_TABLES and _core.tree_dp_operations(*size) <= affordable


def _best_within(problem: _core.SearchProblem, run: _core.Run) -> UpperBound | None:
    """Return the optimum within the treewidth limit; None if the run has to stop before it is found."""
    inner = _core.Run(math.inf, _core.Run.NO_LIMIT, run.num_threads)
    task = _core.SearchTask(problem, inner, 0, _core.SearchStart())
    with stopped_with(run, inner.request_stop):
        is_found = _core.search_tree_dp(task)
    if not is_found:
        return None
    best = task.best
    flat = best.parents.tolist()
    parents = [tuple(flat[a:b]) for a, b in pairwise(best.parent_offsets.tolist())]
    return UpperBound(
        float(best.score), Optimum(parents, best.local_scores.tolist(), best.elimination_order.tolist())
    )
