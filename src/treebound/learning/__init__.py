"""Learning: the one recipe from a table to a checked structure, and its network."""

from treebound.learning._choose_states import ChosenStates
from treebound.learning._here import Here, Limits, SearchTask
from treebound.learning._impute import impute, refitted
from treebound.learning._incomplete_rows import IncompleteRows, RowsHere
from treebound.learning._learn import LearnMissing, estimate_memory, learn, place_of, recipe_of
from treebound.learning._pairwise_start import pairwise_forest
from treebound.learning._recipe import DEFAULT_MAX_CELLS, DEFAULT_MAX_TREEWIDTH, Recipe, Wanted
from treebound.learning._result import LearnResult
from treebound.learning._schedule import DEFAULT_BUDGET, SCORED_PER_VARIABLE, Schedule, budget_of
from treebound.learning._sources import Rows, Source, check_unread, open_source
from treebound.learning._structural_em import StructuralEm

__all__ = [
    "DEFAULT_BUDGET",
    "DEFAULT_MAX_CELLS",
    "DEFAULT_MAX_TREEWIDTH",
    "SCORED_PER_VARIABLE",
    "ChosenStates",
    "Here",
    "IncompleteRows",
    "LearnMissing",
    "LearnResult",
    "Limits",
    "Recipe",
    "Rows",
    "RowsHere",
    "Schedule",
    "SearchTask",
    "Source",
    "StructuralEm",
    "Wanted",
    "budget_of",
    "check_unread",
    "estimate_memory",
    "impute",
    "learn",
    "open_source",
    "pairwise_forest",
    "place_of",
    "recipe_of",
    "refitted",
]
