"""Search: from a parent-set cache to a structure whose treewidth is within a bound."""

from treebound.search._result import Improvement, Progress, SearchResult, StopReason
from treebound.search._search import search, solve_order
from treebound.search._solvers import CliquePolicy, KAStar, KGreedy, KMax, OrderSampling, Regrow, Solver

__all__ = [
    "CliquePolicy",
    "Improvement",
    "KAStar",
    "KGreedy",
    "KMax",
    "OrderSampling",
    "Progress",
    "Regrow",
    "SearchResult",
    "Solver",
    "StopReason",
    "search",
    "solve_order",
]
