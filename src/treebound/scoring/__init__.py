"""Scoring: from a dataset to the candidate parent sets of every variable."""

from treebound.scoring._methods import Exhaustive, Independence
from treebound.scoring._report import ScoringProgress, ScoringReport
from treebound.scoring._score import ScoringResult, score
from treebound.scoring._scores import Bdeu, Bic
from treebound.scoring.cache import CacheError, ParentSet, ParentSetCache

__all__ = [
    "Bdeu",
    "Bic",
    "CacheError",
    "Exhaustive",
    "Independence",
    "ParentSet",
    "ParentSetCache",
    "ScoringProgress",
    "ScoringReport",
    "ScoringResult",
    "score",
]
