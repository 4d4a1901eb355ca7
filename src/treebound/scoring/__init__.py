"""Scoring: from a dataset to the candidate parent sets of every variable."""

from treebound.scoring._coverage import Coverage
from treebound.scoring._estimate import (
    MemoryEstimate,
    estimate_scoring,
    fitted,
    held_by,
    with_search,
)
from treebound.scoring._job import new_job, steps_of_turn
from treebound.scoring._local_scores import DEFAULT_SCORE, SCORE_IN_WORDS, Bdeu, Bic, Score
from treebound.scoring._methods import PARENT_SETS_IN_WORDS, Exhaustive, Independence, ParentSetSearch
from treebound.scoring._origin import check_score, check_table
from treebound.scoring._report import ScoringReport
from treebound.scoring._resume import check_same_job, joined_visited, restore_visited, visited_of
from treebound.scoring._rules import RULE_MEANINGS, Pruning, RuleName, resolve_rules, rules_in_core
from treebound.scoring._run_scoring import DEFAULT_BUDGET, DEFAULT_PARENT_SETS, score, score_here
from treebound.scoring._task import Scorer, ScoringResult, ScoringTask
from treebound.scoring.cache import CacheError, ParentSet, ParentSetCache

__all__ = [
    "DEFAULT_BUDGET",
    "DEFAULT_PARENT_SETS",
    "DEFAULT_SCORE",
    "PARENT_SETS_IN_WORDS",
    "RULE_MEANINGS",
    "SCORE_IN_WORDS",
    "Bdeu",
    "Bic",
    "CacheError",
    "Coverage",
    "Exhaustive",
    "Independence",
    "MemoryEstimate",
    "ParentSet",
    "ParentSetCache",
    "ParentSetSearch",
    "Pruning",
    "RuleName",
    "Score",
    "Scorer",
    "ScoringReport",
    "ScoringResult",
    "ScoringTask",
    "check_same_job",
    "check_score",
    "check_table",
    "estimate_scoring",
    "fitted",
    "held_by",
    "joined_visited",
    "new_job",
    "resolve_rules",
    "restore_visited",
    "rules_in_core",
    "score",
    "score_here",
    "steps_of_turn",
    "visited_of",
    "with_search",
]
