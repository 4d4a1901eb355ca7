"""The stages of learning in this process; a place elsewhere does some of them in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self, Unpack

from treebound._budget import Budget
from treebound._progress import ProgressCallback
from treebound._where import HERE, Local
from treebound.constraints import Constraints, with_cells
from treebound.data import Dataset, with_hidden
from treebound.learning._incomplete_rows import IncompleteRows, RowsHere
from treebound.learning._memory import estimate_memory
from treebound.learning._sources import Rows, Source, open_source
from treebound.network import BayesianNetwork, check_columns, fit, observed_rows
from treebound.scoring import (
    Independence,
    MemoryEstimate,
    ParentSetCache,
    ParentSetSearch,
    Score,
    ScoringResult,
    ScoringTask,
    fitted,
    held_by,
    score_here,
)
from treebound.solvers import SearchResult, Solver, search
from treebound.structure import Structure, Verdict, cache_for, check, check_seconds, score_structure
from treebound.tables import LoadingOptions


@dataclass(frozen=True)
class Limits:
    """The limits on the bags of a structure."""

    max_treewidth: int | None
    max_cells: int | None


@dataclass(frozen=True, eq=False)
class SearchTask:
    """What to search, and for how long; ``rows`` are given to solvers that score families themselves."""

    cache: ParentSetCache
    rows: Any
    limits: Limits
    solver: Solver
    budget: Budget
    seed: int
    start: Structure | None = None
    progress: ProgressCallback | None = None
    on_improvement: Callable[[Structure], None] | None = None
    constraints: Constraints | None = None


class Here:
    """The stages of ``learn`` in this process; a cluster overrides those that it does in its own way."""

    def __init__(self, local: Local = HERE) -> None:
        self.local = local

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close what was opened: nothing here."""

    def open(self, source: Any, *, may_miss: bool = False, **loading: Unpack[LoadingOptions]) -> Source:
        """Return the cache or the rows that the source is, or load them; values may be missing for EM."""
        opened = open_source(source, **loading)
        if isinstance(opened, Dataset) and not may_miss:
            opened.require_countable("learning")
        return opened

    def observed(self, source: Source, hidden: Mapping[str, int]) -> Source | IncompleteRows:
        """Return the source, without empty rows; rows with missing values as structural EM uses them.

        Hidden variables are missing in every row.
        """
        if hidden and not isinstance(source, Dataset):
            raise ValueError("Hidden variables need a table, and the source is a cache; drop hidden.")
        if not isinstance(source, Dataset) or (source.is_complete and not hidden):
            return source
        check_columns(source)
        data = with_hidden(observed_rows(source), hidden)
        return data if data.is_complete else RowsHere(data, self.local.num_threads)

    def sets_for(self, rows: Rows, parent_sets: ParentSetSearch) -> ParentSetSearch:
        """Return the parent sets, or as many as this place can score."""
        memory_mb = self.local.memory_mb
        if memory_mb is None or not isinstance(parent_sets, Independence):
            return parent_sets
        assert isinstance(rows, Dataset)
        return fitted(parent_sets, rows, memory_mb)

    def estimate(
        self, rows: Rows, parent_sets: ParentSetSearch | ParentSetCache, solver: Solver, budget: Budget
    ) -> MemoryEstimate | None:
        """Return how much memory this process will take, or None if the work is done elsewhere."""
        assert isinstance(rows, Dataset)
        return estimate_memory(rows, parent_sets, solver, budget, self.local.num_threads)

    def check_memory(self, rows: Any, estimate: MemoryEstimate) -> None:
        """Raise ``NotEnoughMemory`` if there is less memory."""
        estimate.check(held_by(rows), self.local.memory_mb)

    def score(self, table: Any, task: ScoringTask) -> ScoringResult:
        """Score candidate parent sets."""
        return score_here(table, task, self.local.num_threads)

    def matching(self, rows: Rows, cache: ParentSetCache) -> ParentSetCache:
        """Return the cache with its score, or raise ``CacheError`` if it is not one of the rows."""
        assert isinstance(rows, Dataset)
        return cache_for(rows, cache)

    def scored(self, structure: Structure, rows: Rows, score: Score) -> Structure:
        """Return a structure with its scores on the rows."""
        return score_structure(structure, rows, score=score)

    def search(self, task: SearchTask) -> tuple[SearchResult, ParentSetCache]:
        """Search, and return the cache too, which may have grown."""
        found = search(
            task.cache,
            task.limits.max_treewidth,
            data=task.rows,
            solver=task.solver,
            budget=task.budget,
            seed=task.seed,
            threads=self.local.num_threads,
            progress=task.progress,
            on_improvement=task.on_improvement,
            start=task.start,
            constraints=with_cells(task.constraints, task.limits.max_cells),
        )
        return found, task.cache

    def check(
        self,
        rows: Any,
        structure: Structure,
        cache: ParentSetCache,
        limits: Limits,
        constraints: Constraints | None,
    ) -> Verdict:
        """Check a structure against the limits, the cache, the rows and the constraints."""
        return check(
            structure,
            cache,
            limits.max_treewidth,
            data=rows,
            constraints=with_cells(constraints, limits.max_cells),
        )

    def check_seconds(self, rows: Any, cache: ParentSetCache, reading: float) -> float:
        """Return about how long the check will take; ``reading`` is how long reading took."""
        return check_seconds(cache.num_variables, cache, rows)

    def fit(self, structure: Structure, rows: Any) -> BayesianNetwork:
        """Fit the structure to the rows, with the default smoothing."""
        return fit(structure, rows, threads=self.local.num_threads)
