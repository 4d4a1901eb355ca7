"""What ``search`` and ``learn`` are asked with, looked at before any work is done."""

from __future__ import annotations

from numbers import Integral

from treebound._arguments import check_type
from treebound._budget import Budget
from treebound.search._solvers import KAStar, KGreedy, KMax, Regrow


def check_arguments(max_treewidth: object, max_states: object, budget: object, solver: object) -> None:
    """Refuse bounds, budgets and solvers of the wrong type."""
    for name, bound in (("max_treewidth", max_treewidth), ("max_states", max_states)):
        if bound is not None:
            check_type(name, bound, Integral, "a whole number")
    check_type("budget", budget, Budget, "a Budget, such as Budget(seconds=60)")
    check_type("solver", solver, Regrow | KGreedy | KAStar | KMax, "Regrow(), KGreedy(), KAStar() or KMax()")
