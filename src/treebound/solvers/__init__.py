"""Search: from a parent-set cache to a structure whose treewidth is within a bound."""

from treebound._run import StopReason
from treebound.solvers import _registry
from treebound.solvers._arguments import IgnoredBound, check_arguments, kept_bound
from treebound.solvers._possible import check_possible
from treebound.solvers._problem import searchable
from treebound.solvers._registry import *  # noqa: F403
from treebound.solvers._registry import (
    SOLVERS,
    Entry,
    Gives,
    Needs,
    Takes,
    entry_of,
    printed_solver,
    solver_of,
    takers_of,
)
from treebound.solvers._result import Improvement, SearchResult
from treebound.solvers._s2 import SlowSolver
from treebound.solvers._search import DEFAULT_SOLVER, search, solve_order
from treebound.solvers._task import Solver
from treebound.solvers._upper_bound import BoundSource
from treebound.solvers._within_ktree import WithinKTree, best_in_ktree

__all__ = [
    "DEFAULT_SOLVER",
    "SOLVERS",
    "BoundSource",
    "Entry",
    "Gives",
    "IgnoredBound",
    "Improvement",
    "Needs",
    "SearchResult",
    "SlowSolver",
    "Solver",
    "StopReason",
    "Takes",
    "WithinKTree",
    "best_in_ktree",
    "check_arguments",
    "check_possible",
    "entry_of",
    "kept_bound",
    "printed_solver",
    "search",
    "searchable",
    "solve_order",
    "solver_of",
    "takers_of",
]
__all__ += _registry.__all__
