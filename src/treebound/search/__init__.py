"""Search: from a parent-set cache to a structure whose treewidth is within a bound."""

from treebound._run import StopReason
from treebound.search import _registry
from treebound.search._arguments import IgnoredBound, check_arguments, kept_bound
from treebound.search._registry import *  # noqa: F403
from treebound.search._registry import SOLVERS, Entry, Gives, Needs, Takes, entry_of, takers_of
from treebound.search._result import Improvement, SearchResult
from treebound.search._s2 import SlowSolver
from treebound.search._search import DEFAULT_SOLVER, search, solve_order
from treebound.search._task import Solver
from treebound.search._upper_bound import BoundSource
from treebound.search._within_ktree import WithinKTree, best_in_ktree

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
    "entry_of",
    "kept_bound",
    "search",
    "solve_order",
    "takers_of",
]
__all__ += _registry.__all__
