"""What is to be scored and how, wherever it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from treebound._budget import Budget
from treebound._description import Described, Description
from treebound._progress import ProgressCallback
from treebound.constraints import Constraints
from treebound.scoring._local_scores import Score
from treebound.scoring._methods import ParentSetSearch
from treebound.scoring._report import ScoringReport
from treebound.scoring._rules import RuleName
from treebound.scoring.cache import ParentSetCache


@dataclass(frozen=True)
class ScoringResult(Described):
    """The cache, and a report of the run."""

    cache: ParentSetCache
    report: ScoringReport

    def describe(self) -> Description:
        """Return the figures of the report."""
        return self.report.describe()


@dataclass(frozen=True, eq=False)
class ScoringTask:
    """The checked arguments of ``score``; without ``parent_sets`` the place chooses its default."""

    parent_sets: ParentSetSearch | None
    score: Score
    rules: tuple[RuleName, ...]
    budget: Budget | None
    progress: ProgressCallback | None = None
    checkpoint: Callable[[ParentSetCache], None] | None = None
    resume: ParentSetCache | None = None
    constraints: Constraints | None = None


@runtime_checkable
class Scorer(Protocol):
    """A place other than this process where a table is scored."""

    def score(self, table: Any, task: ScoringTask) -> ScoringResult:
        """Score the table there."""
