"""What ``search`` and ``learn`` are asked with, looked at before any work is done."""

from __future__ import annotations

from treebound._arguments import check_integer, check_type
from treebound._budget import Budget
from treebound.search._solvers import KAStar, KGreedy, KMax, Regrow

_MAX_BOUND = 2**63 - 1


def check_arguments(max_treewidth: object, max_states: object, budget: object, solver: object) -> None:
    """Refuse bounds, budgets and solvers of the wrong type or range."""
    if max_treewidth is not None:
        check_integer("max_treewidth", max_treewidth, 0, _MAX_BOUND)
    if max_states is not None:
        check_integer("max_states", max_states, 1, _MAX_BOUND)
    check_type("budget", budget, Budget, "a Budget, such as Budget(seconds=60)")
    check_type("solver", solver, Regrow | KGreedy | KAStar | KMax, "Regrow(), KGreedy(), KAStar() or KMax()")
