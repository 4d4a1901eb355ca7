"""What the exact solvers begin with: a short Regrow, whose score they then try to exceed."""

from __future__ import annotations

import math

from treebound import _core
from treebound.solvers._stopping import stopped_with
from treebound.solvers._task import Task

# Regrow is then close to the optimum where an optimum can be proved, after a second at most.
_STEPS = 100


def warm_start(task: Task) -> float:
    """Offer what a short Regrow finds, which goes on from the start; return the score to exceed.

    Where it reaches the upper bound there is none, and the run is over.
    """
    inner = _core.Run(math.inf, _STEPS, task.run.num_threads)
    inner.bound = task.run.bound
    start = task.core.start
    search = _core.SearchTask(task.core.problem, inner, task.core.seed, start)
    options = _core.RegrowOptions(2, False)
    with stopped_with(task.run, inner.request_stop):
        _core.search_regrow(search, options)
    if not search.has_found:
        return start.score
    best = search.best
    task.core.offer(
        best.parent_offsets, best.parents, best.local_scores, best.elimination_order, best.score, 0
    )
    if task.core.is_optimal:
        task.run.num_steps = 1
        task.run.end(_core.StopReason.OPTIMAL)
    return best.score
