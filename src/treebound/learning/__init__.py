"""Learning: the one recipe from a table to a checked structure, and its network."""

from treebound.learning._here import Here, Limits, SearchTask
from treebound.learning._learn import estimate_memory, learn, place_of
from treebound.learning._recipe import DEFAULT_MAX_CELLS, DEFAULT_MAX_TREEWIDTH, Recipe, Wanted
from treebound.learning._result import LearnResult
from treebound.learning._schedule import DEFAULT_BUDGET, SCORED_PER_VARIABLE, Schedule, budget_of
from treebound.learning._sources import Rows, Source, check_unread, open_source

__all__ = [
    "DEFAULT_BUDGET",
    "DEFAULT_MAX_CELLS",
    "DEFAULT_MAX_TREEWIDTH",
    "SCORED_PER_VARIABLE",
    "Here",
    "LearnResult",
    "Limits",
    "Recipe",
    "Rows",
    "Schedule",
    "SearchTask",
    "Source",
    "Wanted",
    "budget_of",
    "check_unread",
    "estimate_memory",
    "learn",
    "open_source",
    "place_of",
]
